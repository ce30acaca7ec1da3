"""The moments of a game that helped a seat most, and that cost it most: its choice next to the best other choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from engine.actions import (
    AcceptOffer,
    Action,
    AgreeToCallOff,
    AgreeToEnd,
    AskToBuild,
    BuildSettlement,
    CloseOffer,
    DeclineOffer,
    Discard,
    EndTrade,
    EndTurn,
    MakeOffer,
    PassOn,
    Resign,
    Roll,
    SetStanding,
    TakeBackDiscard,
    Undo,
    WithdrawOffer,
)
from engine.config import Config
from engine.domains import Options
from engine.events import Event
from engine.game import Game
from engine.log.lasting import lasting
from engine.record import Record
from engine.terms import StepKind
from engine.values import value
from engine.views import OfferView, View
from players import opening
from players.advice import compared
from players.player import may_accept
from players.reasons import Reason
from players.sensible import SensiblePlayer
from players.thinking import BUILDS, STANDING, TALK, Line, Thinker
from players.trading import is_fair, own, with_and_without

MOST_MOMENTS = 3
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
    then: tuple[Action, ...] = ()
    """What followed the choice in the same turn, up to what was built; or what could have followed the better one."""
    reasons: tuple[Reason, ...] = ()
    """Why the better of the two is better, the most important reason first."""
    lacks: Reason | None = None
    """What the other one has less of."""
    after: float = 0.0
    """The seat's chance to win after its choice, 0 to 1; 0: not known."""


def choices(config: Config, records: Sequence[Record], seat: int) -> list[int]:
    """Numbers of the records in which a seat made a choice that wasn't undone. Raises what `Game.replay` raises.

    Both players choose a trade when it is made. The action that ended the game is left out: it was obviously good.
    """
    log = [game.last_events for game in Game.each(config, records)]
    return [number for number in lasting(log)[:-1] if _chose(records[number], seat)]


def chosen_in(records: Sequence[Record], number: int, seat: int) -> int:
    """The number of the record in which a seat made one of its `choices`: a trade that its partner closed was chosen
    when the seat accepted the offer."""
    action = records[number].action
    if records[number].actor == seat or not isinstance(action, CloseOffer):
        return number
    accepted = seat, AcceptOffer(action.offer)
    return max(n for n in range(number) if (records[n].actor, records[n].action) == accepted)


def moments(
    player: SensiblePlayer, config: Config, records: Sequence[Record], seat: int, numbers: Sequence[int]
) -> list[Moment]:
    """The moments in the records with these numbers. Raises what `Game.replay` raises."""
    found: dict[int, Moment] = {}
    log: list[Sequence[Event]] = []
    chosen = {*numbers}
    for game in Game.each(config, records):
        log.append(game.last_events)
        if game.revision in chosen:
            action = records[game.revision].action
            assert action is not None
            judged = moment(player, game.view(seat, counted=True), game.options(seat), action)
            if judged is not None:
                found[game.revision] = judged
    done = lasting(log)
    for number, judged in found.items():
        if judged.gain > 0.0:
            following = [records[n] for n in done if n > number]
            found[number] = replace(judged, then=tuple(_followed(judged.action, following, seat)))
    return [*found.values()]


def _followed(action: Action, following: Iterable[Record], seat: int) -> Iterator[Action]:
    """What a seat did in a turn after an action that was only a step to something: up to what it built or bought.
    Trades with other players are left out."""
    if isinstance(action, (*BUILDS, *STANDING, Discard)) and not isinstance(action, EndTrade):
        return
    for record in following:
        if isinstance(record.action, (Roll, EndTurn)):
            return
        if record.actor == seat and record.action is not None and not isinstance(record.action, (*UNJUDGED, *TALK)):
            yield record.action
            if isinstance(record.action, BUILDS):
                return


def worst_and_best(moments: Iterable[Moment]) -> tuple[list[Moment], list[Moment]]:
    """The moments that cost most, and the best ones: at most one per turn, and the same miss or choice only once."""
    ordered = sorted(moments, key=lambda moment: moment.gain)
    return _first(ordered), _first([*reversed(ordered)])


def _first(ordered: Sequence[Moment]) -> list[Moment]:
    kept: list[Moment] = []
    for moment in ordered:
        if len(kept) == MOST_MOMENTS or abs(moment.gain) < LEAST or (moment.gain > 0.0) != (ordered[0].gain > 0.0):
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
    mine = next((line for line in lines if line.actions[0] == action), None)
    return _moment(thinker, view, mine or _unranked(thinker, action), other)


def _moment(thinker: Thinker, view: View, mine: Line, other: Line) -> Moment:
    """A choice next to the best other one: each is the first action of its line."""
    action, instead, gain = mine.actions[0], other.actions[0], mine.value - other.value
    if abs(gain) < LEAST:
        return Moment(view, action, instead, gain, after=mine.value)
    better, worse = (mine, other) if gain > 0.0 else (other, mine)
    then = tuple([each for each in better.actions[1:] if type(each) not in STANDING])
    return Moment(view, action, instead, gain, then, *compared(thinker, better, worse), mine.value)


def _traded(thinker: Thinker, view: View, offer: OfferView, action: CloseOffer) -> Moment:
    """A trade that was made, judged for its maker or for the partner: whichever the view's seat is."""
    partner, give, get = action.seat, offer.give, offer.want
    choices: tuple[Action, Action] = action, WithdrawOffer(offer.id)
    if offer.seat != view.seat:
        partner, give, get = offer.seat, get, give
        choices = AcceptOffer(offer.id), DeclineOffer(offer.id)
    mine, without = with_and_without(thinker, choices[0], partner, give, get)
    without.actions = (choices[1], *without.actions)
    found = _moment(thinker, view, mine, without)
    if found.gain >= 0.0 or found.reasons:
        return found
    lacks = Reason("rival", seat=partner) if is_fair(thinker.situation, give, get) else Reason("unfair")
    return replace(found, lacks=lacks)  # what the partner does with the cards, or how many they are


def _declined(thinker: Thinker, view: View, offer: OfferView) -> Moment:
    """What a declined offer would have brought. Declining a bad one is worth nothing."""
    accepted, mine = with_and_without(thinker, AcceptOffer(offer.id), offer.seat, offer.want, offer.give)
    mine.actions = (DeclineOffer(offer.id),)
    accepted.value = max(accepted.value, mine.value)
    return _moment(thinker, view, mine, accepted)


def _unranked(thinker: Thinker, action: Action) -> Line:
    """The line of an action that isn't among the best ones, if the seat goes on well."""
    state = thinker.situation.state
    if isinstance(action, BuildSettlement) and state.agenda[-1].kind is StepKind.SETUP:
        return opening.settled(thinker, action)
    line = thinker.line(thinker.situation, action)
    after = line.situation
    options = own(after.options()) if after is not None and after.decides else None
    if after is None or not options:
        return line
    best = Thinker(after, thinker.chances, max(1, thinker.depth - 1), thinker.width).best(options)
    if best.value <= line.value:
        return line
    return Line((action, *best.actions), best.outcomes or line.outcomes, best.value)
