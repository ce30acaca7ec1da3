"""Advice: what a strong bot would do in a seat's place, and why. Move and reasons come from the same thinking."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import AcceptOffer, Action, DeclineOffer
from engine.domains import Options
from engine.values import value
from engine.views import OfferView, View
from players.reasons import Effects, Reason, effects_of, reason_for
from players.sensible import SensiblePlayer
from players.situation import Situation
from players.table import unanswered
from players.thinking import STANDING, Line, Thinker
from players.trading import about_to_win, is_fair

MOST_REASONS = 2
"""Most reasons that are given."""
LOOKED_AT = 6
"""How many lines are compared, the best one included."""
LEAST, LEAST_OWN = 0.005, 0.015
"""How much stronger a cause must make a seat to be a reason; and how much, compared with other ways to do the same."""
SHARE = 0.2
"""Share that a cause must have in everything that speaks for a move, to be a reason."""


@value
class Other:
    """The next best thing to do."""

    action: Action
    after: float
    """The seat's chance to win with it, 0 to 1."""
    lacks: Reason | None
    """What it has less of than the best."""


@value
class Advice:
    """What to do, and what speaks for it."""

    action: Action
    plan: tuple[Action, ...]
    """The action, and what can follow it in the same turn."""
    reasons: tuple[Reason, ...]
    """The most important first."""
    before: float
    """The seat's chance to win if it does nothing, 0 to 1; the same as `after` if it has to do something."""
    after: float
    """The seat's chance to win with the plan, 0 to 1."""
    other: Other | None


def advice(player: SensiblePlayer, view: View, options: Options) -> Advice:
    """What `player` would do in the decision that the view's seat owes, or with an offer that it must answer."""
    offer = unanswered(view)
    lines = player.answers(view, options, offer) if offer else player.lines(view, options)
    thinker = player.thinker(view)
    situation, best = thinker.situation, lines[0]
    effects = [effects_of(thinker, line) for line in lines[:LOOKED_AT]]
    if offer and len(lines) == 1:
        reasons = _refused(situation, options, offer)
    elif any(not line.outcomes for line in lines):  # the seat needn't do anything
        reasons = tuple(_reasons(thinker, best, effects[0], LEAST))
    else:
        reasons = tuple(_reasons(thinker, best, _special(effects), LEAST_OWN))
    second = next((n for n, line in enumerate(lines[:LOOKED_AT]) if {*line.actions} != {*best.actions}), 0)
    another = second and lines[second].value < 1.0  # a second way to win needs no mention
    other = _other(situation, lines[second], effects[0], effects[second]) if another else None
    idle = len(best.actions) > 1 and type(best.actions[-1]) in STANDING  # after an offer it would do nothing more
    plan = best.actions[:-1] if idle else best.actions
    return Advice(plan[0], plan, reasons[:MOST_REASONS], _before(lines), best.value, other)


def _before(lines: list[Line]) -> float:
    """The seat's chance to win if it does nothing; if it has to do something, that of the best line."""
    idle = (*STANDING, DeclineOffer)
    still = [line.value for line in lines if len(line.actions) == 1 and type(line.actions[0]) in idle]
    return still[0] if still else lines[0].value


def _special(effects: list[Effects]) -> Effects:
    """Effects of the best line beyond the mean of all: if the seat has to act, what all lines share is no reason."""
    return {cause: effect - sum(each[cause] for each in effects) / len(effects) for cause, effect in effects[0].items()}


def _reasons(thinker: Thinker, line: Line, effects: Effects, least: float) -> Iterator[Reason]:
    """Reasons for a line, the most important first."""
    whole = sum(effect for effect in effects.values() if effect > 0.0)
    for cause in sorted(effects, key=lambda cause: -effects[cause]):
        if effects[cause] > max(SHARE * whole, least):
            reason = reason_for(thinker.chances, cause, thinker.situation, line)
            if reason is not None:
                yield reason


def _refused(situation: Situation, options: Options, offer: OfferView) -> tuple[Reason, ...]:
    """Why an offer isn't even considered; empty if the seat can't accept it anyway."""
    if not options.allows(AcceptOffer(offer.id)):
        return ()
    if about_to_win(situation, offer.seat):
        return (Reason("finisher", seat=offer.seat),)
    return (Reason("declined"),)


def _other(situation: Situation, line: Line, best: Effects, mine: Effects) -> Other:
    """The second best line, and what it lacks most."""
    action = line.actions[0]
    if isinstance(action, AcceptOffer):
        offer = next(offer for offer in situation.state.offers if offer.id == action.offer)
        if not is_fair(situation, offer.want, offer.give):
            return Other(action, line.value, Reason("unfair"))
        if sum(mine.values()) > 0.0:  # the reason is what its maker would do with the cards
            return Other(action, line.value, Reason("rival", seat=offer.seat))
    return Other(action, line.value, _lack(best, mine))


def _lack(best: Effects, mine: Effects) -> Reason | None:
    """What a line with the effects `mine` lacks most next to the best one; None if that is next to nothing."""
    cause = max(best, key=lambda cause: best[cause] - mine[cause])
    if best[cause] - mine[cause] <= LEAST:
        return None
    name, seat = cause
    return Reason("nearer" if name == "hand" else name, seat=seat)


def compared(thinker: Thinker, better: Line, worse: Line) -> tuple[tuple[Reason, ...], Reason | None]:
    """Why a line is better than another one, the most important reason first, and what the other one lacks most."""
    best, other = effects_of(thinker, better), effects_of(thinker, worse)
    ahead = {cause: effect - other[cause] if effect > LEAST else 0.0 for cause, effect in best.items()}
    reasons = tuple(_reasons(thinker, better, ahead, LEAST_OWN)) if better.outcomes else ()
    return reasons[:MOST_REASONS], _lack(best, other)
