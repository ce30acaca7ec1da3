"""What is new on the board, for marks in pictures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.events import Built, Event, RobberMoved
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
        """What the seat has seen before that turn, as far as it is one; setup is many in one."""
        return self.before if self.turn == turn and turn else self.after
