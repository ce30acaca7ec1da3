"""All hands that fit what a viewer has seen, found slowly: the log is played again with every other card that the
robber can have taken, by the rules themselves, and what looks different to the viewer is out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from engine.chance import DrawRecord
from engine.errors import IllegalAction
from engine.events import CardTaken, Event
from engine.game import Game
from engine.record import Record
from engine.resources import Hand, hand
from engine.terms import StepKind

Hands = tuple[Hand, ...]


class _Told:
    """Chance that draws what a record drew, except for the stolen card."""

    def __init__(self, draws: Iterable[DrawRecord], stolen: int | None) -> None:
        self.draws, self.stolen = iter(draws), stolen

    def draw(self, kind: str, ordinal: int, n: int) -> int:
        found = next(self.draws, None)
        if found is None or found[0] != kind or found[2] != n:
            raise _Different
        return found[3] if kind != "steal" or self.stolen is None else self.stolen


class _Different(Exception):
    """The rules ask for another draw."""


class Possible:
    """The games that can be the real one, as far as a viewer knows; one for each way in which cards can be held."""

    def __init__(self, game: Game, viewer: int | None) -> None:
        self.viewer = viewer
        self.games: list[Game] = [game.copy()]

    def follow(self, after: Game) -> None:
        """Play the latest record of the real game in each of them."""
        record, found = after.records[-1], dict[Hands, Game]()
        for game in self.games:
            for drawn in self._thefts(game, after.last_events):
                twin = _played(game, record, drawn)
                if twin is not None and self._looks_like(twin, after):
                    found[tuple(map(hand, twin.state.hands))] = twin
        self.games = [*found.values()]

    def bounds(self) -> list[tuple[Hand, Hand]]:
        """The fewest and the most cards of each seat, by resource."""
        hands = [[game.state.hands[seat] for game in self.games] for seat in range(self.games[0].config.players)]
        return [(_each(min, ways), _each(max, ways)) for ways in hands]

    def shown(self) -> bool:
        """Whether no discard is hidden now: what others discard isn't played in other ways."""
        return all(step.kind is not StepKind.DISCARD for step in self.games[0].state.agenda)

    def _thefts(self, game: Game, events: Sequence[Event]) -> Iterator[int | None]:
        """The draws that can have chosen the stolen card."""
        thefts = [event for event in events if isinstance(event, CardTaken)]
        if not thefts:
            yield None
            return
        (theft,) = thefts
        held, known = game.state.hands[theft.victim], theft.redact(self.viewer).card
        for kind, n in enumerate(held):
            if n and known in (None, kind):
                yield sum(held[:kind])

    def _looks_like(self, twin: Game, real: Game) -> bool:
        seen, expected = ([e.redact(self.viewer) for e in game.last_events] for game in (twin, real))
        return seen == expected and twin.state.bank == real.state.bank


def _played(game: Game, record: Record, stolen: int | None) -> Game | None:
    """The game after a record, with another stolen card; None if that isn't possible."""
    assert record.action is not None
    twin = game.copy()
    twin.chance = _Told(record.draws, stolen)
    try:
        twin.play(record.actor, record.action)
    except (IllegalAction, _Different):
        return None
    return twin


def _each(which: Callable[[Iterable[int]], int], ways: list[list[int]]) -> Hand:
    return hand(map(which, zip(*ways, strict=True)))
