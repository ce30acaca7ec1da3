"""What is new: in the story of the turn, and on the board for marks in pictures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.events import Built, Event, RobberMoved, TurnBegan
from engine.state import State


class Changes(NamedTuple):
    """Masks of intersections and edges, and the hex from which the robber came (-1: it hasn't moved)."""

    nodes: int = 0
    edges: int = 0
    robber: int = -1

    @classmethod
    def of(cls, events: Iterable[Event]) -> Changes:
        """What some events have changed."""
        nodes = edges = 0
        robber = -1
        for event in events:
            if isinstance(event, Built):
                if event.piece.on_edge:
                    edges |= 1 << event.place
                else:
                    nodes |= 1 << event.place
            elif isinstance(event, RobberMoved) and robber < 0:
                robber = event.origin
        return cls(nodes, edges, robber)


class Footprint(NamedTuple):
    """What stood on the board once: masks of buildings, of cities among them and of edges, and the robber's hex."""

    buildings: int
    cities: int
    edges: int
    robber: int

    @classmethod
    def of(cls, state: State) -> Footprint:
        """What stands there now."""
        return cls(state.buildings, sum(state.cities), state.paved, state.robber)  # nobody's cities are another's

    def until(self, now: Footprint) -> Changes:
        """What has changed since."""
        nodes = now.buildings & ~self.buildings | now.cities & ~self.cities
        robber = self.robber if self.robber != now.robber else -1
        return Changes(nodes, now.edges & ~self.edges, robber)


class Visit(NamedTuple):
    """When a seat acted last: the turn, and what stood on the board before and after what it did in that turn."""

    turn: int
    before: Footprint
    after: Footprint

    def seen_in(self, turn: int) -> Footprint:
        """What the seat saw last before that turn; in setup, which counts as one turn, what it saw last."""
        return self.before if self.turn == turn and turn else self.after


Told = tuple[int, tuple[Event, ...], tuple[Event, ...]]
"""A turn, what has happened in it, and what in the turn before; setup is turn 0."""


class Recent:
    """What has happened lately, as views tell it: it is told of each record and of what stands on the board then."""

    __slots__ = ("_board", "_visits", "last", "told")

    def __init__(self, told: Told, board: Footprint, visits: list[Visit]) -> None:
        self.told = told
        self.last = told[1]
        """What the latest record did."""
        self._board = board
        self._visits = visits

    @classmethod
    def after_deal(cls, turn: int, events: tuple[Event, ...], seats: int, board: Footprint) -> Recent:
        """Before anybody has acted."""
        return cls((turn, events, ()), board, [Visit(-1, board, board)] * seats)

    def note(
        self, seat: int, events: tuple[Event, ...], turn: int, board: Footprint, back_to: Told | None = None
    ) -> None:
        """A record: by whom (-1: the referee), what it did, turn and board after it.

        `back_to`: what was told before the action that it takes back.
        """
        before, story, earlier = self.told
        if seat >= 0:
            self._visits[seat] = Visit(before, self._visits[seat].seen_in(before), board)
        if back_to:
            before, story, earlier = back_to
        if turn > before:
            begins = max(at for at, event in enumerate(events) if isinstance(event, TurnBegan))
            self.told = turn, events[begins:], story + events[:begins]
        else:
            self.told = turn, story + events, earlier
        self.last, self._board = events, board

    def changes(self, seat: int | None) -> Changes:
        """What is new on the board.

        To a player: since their last turn or answer, what they have just done included. To onlookers: in this turn, or
        in the one before as long as this one has changed nothing; in setup, all of which is one turn, by the latest
        record.
        """
        turn, story, earlier = self.told
        if seat is not None:
            return self._visits[seat].seen_in(turn).until(self._board)
        if not turn:
            return Changes.of(self.last)
        here = Changes.of(story)
        return here if here != Changes() or turn == 1 else Changes.of(earlier)

    def copy(self) -> Recent:
        """An independent copy."""
        twin = Recent(self.told, self._board, self._visits[:])
        twin.last = self.last
        return twin
