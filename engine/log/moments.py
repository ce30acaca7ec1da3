"""A game moment by moment, from its log: how it looked after each action that was not undone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from engine.config import Config
from engine.events import Event, Undone
from engine.game import Game
from engine.log.chronicle import Account, moved
from engine.record import Record
from engine.resources import NOTHING, Hand, hand
from engine.state import State
from engine.views import PlayerView, View


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


class Reading:
    """A log that is read moment by moment, and can be read on as the game goes on."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._game: Game | None = None
        self._found: list[tuple[Moment, _Hidden]] = []
        self._before = [NOTHING] * config.players

    def read(self, records: Iterable[Record]) -> None:
        """Read further records. Raises like `Game.replay`; what was read until then is of no use."""
        for game in self._game.read(records) if self._game else Game.each(self._config, records):
            self._game = game
            self._note(game)

    @property
    def over(self) -> bool:
        """Whether the game is over at the end of what was read."""
        return self._game is not None and self._game.outcome is not None

    def since(self, number: int) -> list[Moment]:
        """The moments but for so many. Hands are open if the game is over now, and only then (M)."""
        return [
            moment._replace(
                view=_opened(moment.view, hidden) if self.over else moment.view,
                events=tuple([event.redact(None, self.over) for event in moment.events]),
            )
            for moment, hidden in self._found[number:]
        ]

    def _note(self, game: Game) -> None:
        found, events, hidden = self._found, game.last_events, _Hidden.of(game.state)
        if any(isinstance(event, Undone) for event in events):
            found.pop()  # only the latest record can be undone
        elif events:
            accounts = found[-1][0].accounts if found else (Account(),) * game.config.players
            accounts = _added(accounts, events, game, self._before, hidden.hands)
            found.append((Moment(len(game.records) - 1, game.view(None), events, accounts), hidden))
        self._before = hidden.hands


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
    return replace(view, players=tuple(map(_open, view.players, *hidden)))


@lru_cache(maxsize=16)  # an action changes little: most players are as they were before
def _open(player: PlayerView, cards: Hand, development: Hand, fresh: Hand, points: int) -> PlayerView:
    return replace(player, hand=cards, development_cards=development, fresh_cards=fresh, all_points=points)
