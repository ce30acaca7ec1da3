"""The moments of a game that helped a seat most, and that cost it most: its choice next to the best other choice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.actions import (
    AcceptOffer,
    Action,
    AgreeToCallOff,
    AgreeToEnd,
    AskToBuild,
    BuildSettlement,
    CloseOffer,
    DeclineOffer,
    MakeOffer,
    PassOn,
    Resign,
    SetStanding,
    TakeBackDiscard,
    Undo,
    WithdrawOffer,
)
from engine.config import Config
from engine.domains import Options
from engine.game import Game
from engine.log.lasting import lasting
from engine.record import Record
from engine.terms import StepKind
from engine.values import value
from engine.views import OfferView, View
from players import opening
from players.player import may_accept
from players.sensible import SensiblePlayer
from players.thinking import Thinker
from players.trading import benefit, own

MOST = 3
"""Most moments of each kind that are shown."""
LEAST = 0.01
"""How much a choice must have raised or lowered the seat's chance to win, to be shown."""
UNJUDGED: tuple[type[Action], ...] = (
    *(Undo, Resign, AgreeToEnd, AgreeToCallOff, SetStanding, AskToBuild, PassOn),
    *(MakeOffer, AcceptOffer, WithdrawOffer, TakeBackDiscard),
)
"""Actions that aren't judged: no choice between ways to play, or nothing until the trade is made."""


@value
class Moment:
    """A choice, and what it was worth."""

    view: View
    """What the seat saw."""
    action: Action
    other: Action
    """The best other choice."""
    gain: float
    """How much higher it made the seat's chance to win than `other`; negative if `other` would have been better."""


def choices(config: Config, records: Sequence[Record], seat: int) -> list[int]:
    """Numbers of the records in which a seat made a choice that wasn't undone. Raises what `Game.replay` raises.

    Both players choose a trade when it is made. The action that ended the game is left out: it was obviously good.
    """
    log = [game.last_events for game in Game.each(config, records)]
    return [number for number in lasting(log)[:-1] if _chose(records[number], seat)]


def moments(
    player: SensiblePlayer, config: Config, records: Sequence[Record], seat: int, numbers: Sequence[int]
) -> list[Moment]:
    """The moments in the records with these numbers. Raises what `Game.replay` raises."""
    found, chosen = [], {*numbers}
    for game, record in zip(Game.each(config, records[: max(chosen, default=1)]), records[1:], strict=False):
        if record.number in chosen:
            assert record.action is not None
            judged = moment(player, game.view(seat, counted=True), game.options(seat), record.action)
            if judged is not None:
                found.append(judged)
    return found


def worst_and_best(moments: Iterable[Moment]) -> tuple[list[Moment], list[Moment]]:
    """The moments that cost most, and the best ones: at most one per turn, and the same miss or choice only once."""
    ordered = sorted(moments, key=lambda moment: moment.gain)
    return _first(ordered), _first([*reversed(ordered)])


def _first(ordered: Sequence[Moment]) -> list[Moment]:
    kept: list[Moment] = []
    for moment in ordered:
        if len(kept) == MOST or abs(moment.gain) < LEAST or (moment.gain > 0.0) != (ordered[0].gain > 0.0):
            break
        again = any(moment.view.turn == each.view.turn or _is_same(moment, each) for each in kept)
        if not again:
            kept.append(moment)
    return kept


def _is_same(one: Moment, other: Moment) -> bool:
    return (one.gain < 0.0 and one.other == other.other) or (one.gain > 0.0 and one.action == other.action)


def _chose(record: Record, seat: int) -> bool:
    action = record.action
    if isinstance(action, CloseOffer):
        return seat in (record.actor, action.seat)
    return record.actor == seat and action is not None and not isinstance(action, UNJUDGED)


def moment(player: SensiblePlayer, view: View, options: Options, action: Action) -> Moment | None:
    """What a choice of the view's seat was worth, or a trade that its partner closed; None if there was no other."""
    thinker = player.thinker(view)
    if isinstance(action, CloseOffer | DeclineOffer):
        offer = next(each for each in view.offers if each.id == action.offer)
        if isinstance(action, CloseOffer):
            return _traded(thinker, view, offer, action)
        return _declined(thinker, view, offer) if may_accept(options, offer) else None
    lines = player.ranked(thinker, options)
    other = next((line for line in lines if action not in line.actions), None)
    if other is None:
        return None
    worth = next((line.value for line in lines if line.actions[0] == action), None)
    return Moment(view, action, other.actions[0], (_worth(thinker, action) if worth is None else worth) - other.value)


def _traded(thinker: Thinker, view: View, offer: OfferView, action: CloseOffer) -> Moment:
    """A trade that was made, judged for its maker or for the partner: whichever the view's seat is."""
    if offer.seat == view.seat:
        return Moment(view, action, WithdrawOffer(offer.id), benefit(thinker, action.seat, offer.give, offer.want))
    gain = benefit(thinker, offer.seat, offer.want, offer.give)
    return Moment(view, AcceptOffer(offer.id), DeclineOffer(offer.id), gain)


def _declined(thinker: Thinker, view: View, offer: OfferView) -> Moment:
    """What a declined offer would have brought. Declining a bad one is worth nothing."""
    missed = max(0.0, benefit(thinker, offer.seat, offer.want, offer.give))
    return Moment(view, DeclineOffer(offer.id), AcceptOffer(offer.id), -missed)


def _worth(thinker: Thinker, action: Action) -> float:
    """The seat's chance to win after an action that isn't among the best lines, if it goes on well."""
    state = thinker.situation.state
    if isinstance(action, BuildSettlement) and state.agenda[-1].kind is StepKind.SETUP:
        return opening.settled(thinker, action).value
    line = thinker.line(thinker.situation, action)
    after = line.situation
    options = own(after.options()) if after is not None and after.decides else None
    if after is None or not options:
        return line.value
    next_thinker = Thinker(after, thinker.chances, max(1, thinker.depth - 1), thinker.width)
    return max(line.value, next_thinker.best(options).value)
