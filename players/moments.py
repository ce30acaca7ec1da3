"""The moments of a game that helped a seat most, and cost it most: what it chose beside the best other thing."""

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
"""Moments of each kind that are told."""
LEAST = 0.01
"""How much more or less likely to win a choice must have made the seat, to be told."""
UNJUDGED: tuple[type[Action], ...] = (
    *(Undo, Resign, AgreeToEnd, AgreeToCallOff, SetStanding, AskToBuild, PassOn),
    *(MakeOffer, AcceptOffer, WithdrawOffer, TakeBackDiscard),
)
"""What is no choice between ways to play, or comes to nothing until the trade is made."""


@value
class Moment:
    """A choice, and what it was worth."""

    view: View
    """What the seat saw."""
    action: Action
    other: Action
    """The best of what else could have been done."""
    gain: float
    """How much likelier to win it made the seat than that; below 0 where that would have been better."""


def choices(config: Config, records: Sequence[Record], seat: int) -> list[int]:
    """Numbers of the records in which a seat chose something that lasted; raises as `Game.replay`.

    A trade is chosen, by both, when it is made. What ended the game is left out: that it was good goes without saying.
    """
    log = [game.last_events for game in Game.each(config, records)]
    return [number for number in lasting(log)[:-1] if _chose(records[number], seat)]


def moments(
    player: SensiblePlayer, config: Config, records: Sequence[Record], seat: int, numbers: Sequence[int]
) -> list[Moment]:
    """Those of the records with these numbers; raises as `Game.replay`."""
    found, wanted = [], {*numbers}
    for game, record in zip(Game.each(config, records[: max(wanted, default=1)]), records[1:], strict=False):
        if record.number in wanted:
            assert record.action is not None
            judged = moment(player, game.view(seat, counted=True), game.options(seat), record.action)
            if judged is not None:
                found.append(judged)
    return found


def most(found: Iterable[Moment]) -> tuple[list[Moment], list[Moment]]:
    """Those that cost most, and the best: one a turn at most, and what was missed again and again only once."""
    ordered = sorted(found, key=lambda moment: moment.gain)
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
    """What a choice of the view's seat was worth, or a trade that its partner closed; None where there was no other."""
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
    known = next((line.value for line in lines if line.actions[0] == action), None)
    return Moment(view, action, other.actions[0], (_worth(thinker, action) if known is None else known) - other.value)


def _traded(thinker: Thinker, view: View, offer: OfferView, action: CloseOffer) -> Moment:
    """A trade that somebody offered and closed, for them or for their partner."""
    if offer.seat == view.seat:
        return Moment(view, action, WithdrawOffer(offer.id), benefit(thinker, action.seat, offer.give, offer.want))
    gain = benefit(thinker, offer.seat, offer.want, offer.give)
    return Moment(view, AcceptOffer(offer.id), DeclineOffer(offer.id), gain)


def _declined(thinker: Thinker, view: View, offer: OfferView) -> Moment:
    """What an offer would have brought; that a bad one was declined is nothing to speak of."""
    missed = max(0.0, benefit(thinker, offer.seat, offer.want, offer.give))
    return Moment(view, DeclineOffer(offer.id), AcceptOffer(offer.id), -missed)


def _worth(thinker: Thinker, action: Action) -> float:
    """How likely an action that isn't among the best makes the seat to win, if it goes on well."""
    state = thinker.situation.state
    if isinstance(action, BuildSettlement) and state.agenda[-1].kind is StepKind.SETUP:
        return opening.settled(thinker, action).value
    line = thinker.line(thinker.situation, action)
    after = line.situation
    options = own(after.options()) if after is not None and after.decides else None
    if after is None or not options:
        return line.value
    then = Thinker(after, thinker.chances, max(1, thinker.depth - 1), thinker.width)
    return max(line.value, then.best(options).value)
