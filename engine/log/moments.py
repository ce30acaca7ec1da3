"""A game moment by moment, from its log: how it looked after each action that was not undone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from engine.config import Config
from engine.events import Event, Undone
from engine.game import Game
from engine.log.chronicle import Account, moved
from engine.record import Record
from engine.resources import NOTHING, Hand, hand
from engine.state import State
from engine.views import View


class Moment(NamedTuple):
    """The game after an action."""

    record: int
    """Number of the action's record."""
    view: View
    """What an onlooker sees. Of a game that is over, with all hands as they were then."""
    events: tuple[Event, ...]
    """What the action did, redacted like the view."""
    accounts: tuple[Account, ...]
    """By seat, what became of the resource cards so far: only how many, not which."""


class _Hidden(NamedTuple):
    """What an onlooker learns of a position when the game is over; by seat."""

    hands: list[Hand]
    cards: list[Hand]
    fresh: list[Hand]
    points: list[int]

    @classmethod
    def of(cls, state: State) -> _Hidden:
        cards, fresh = state.development_cards, state.fresh
        points = [state.all_points(seat) for seat in range(state.players)]
        return cls([*map(hand, state.hands)], [*map(hand, cards)], [*map(hand, fresh)], points)


def moments_of(config: Config, records: Iterable[Record]) -> list[Moment]:
    """The game after the deal and after each action that anyone could notice and that was not undone, with one replay.

    Hands are open if the game is over at the end of the log, and only then (M). Raises like `Game.replay`.
    """
    found: list[tuple[Moment, _Hidden]] = []
    before = [NOTHING] * config.players
    for game in Game.each(config, records):
        events, hidden = game.last_events, _Hidden.of(game.state)
        if any(isinstance(event, Undone) for event in events):
            found.pop()  # only the latest record can be undone
        elif events:
            accounts = found[-1][0].accounts if found else (Account(),) * config.players
            accounts = _added(accounts, events, game, before, hidden.hands)
            found.append((Moment(len(game.records) - 1, game.view(None), events, accounts), hidden))
        before = hidden.hands
    over = game.outcome is not None
    return [
        moment._replace(
            view=_opened(moment.view, hidden) if over else moment.view,
            events=tuple([event.redact(None, over) for event in moment.events]),
        )
        for moment, hidden in found
    ]


def _added(
    accounts: tuple[Account, ...], events: Iterable[Event], game: Game, before: list[Hand], after: list[Hand]
) -> tuple[Account, ...]:
    """The accounts with the cards that a record moved."""
    new = list(accounts)
    for event in events:
        for flow in moved(event, game.rules.data, before, after):
            account = new[flow.seat]
            new[flow.seat] = account._replace(**{flow.way: getattr(account, flow.way) + sum(flow.cards)})
    return tuple(new)


def _opened(view: View, hidden: _Hidden) -> View:
    """The view with all that was hidden then."""
    players = [
        replace(player, hand=cards, development_cards=development, fresh_cards=fresh, all_points=points)
        for player, cards, development, fresh, points in zip(view.players, *hidden, strict=True)
    ]
    return replace(view, players=tuple(players))
