"""One action on its way: the only access to chance and to the log."""

from __future__ import annotations

from engine.chance import KINDS, Chance
from engine.events import Event
from engine.state import State

DrawRecord = tuple[str, int, int, int]
"""A draw in the log: kind, ordinal within the kind, range, result."""

_KIND_INDEX = {kind: i for i, kind in enumerate(KINDS)}


class Tx:
    """One action on its way: the only access to chance and to the log."""

    __slots__ = ("chance", "draws", "events", "state")

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.draws: list[DrawRecord] = []
        self.events: list[Event] = []

    def draw(self, kind: str, n: int) -> int:
        """A number from 0 to n - 1 from the game's chance; goes into the record."""
        index = _KIND_INDEX[kind]
        ordinals = self.state.ordinals
        ordinal = ordinals[index]
        result = self.chance.draw(kind, ordinal, n)
        ordinals[index] = ordinal + 1
        self.draws.append((kind, ordinal, n, result))
        return result

    def count(self, draws: list[DrawRecord]) -> None:
        """Take in draws that were made before there was a position."""
        for kind, ordinal, _, _ in draws:
            self.state.ordinals[_KIND_INDEX[kind]] = ordinal + 1
        self.draws.extend(draws)

    def pick(self, kind: str, counts: list[int]) -> int:
        """A kind of card, drawn evenly from all cards that `counts` says there are."""
        n = self.draw(kind, sum(counts))
        for index, count in enumerate(counts):
            if n < count:
                return index
            n -= count
        raise ValueError("no card to draw")

    def emit(self, event: Event) -> None:
        """Tell what happened, after it has happened; the rules' reactions follow at once."""
        self.events.append(event)
        for react in self.state.rules.reactions.get(type(event), ()):
            react(self.state, self, event)
