"""What is new: in the story of the turn, and on the board, for marks in pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.events import Built, Event, RobberMoved, TurnBegan
from engine.state import State


class Changes(NamedTuple):
    """What has changed on the board: masks of intersections and edges, and the hex that the robber left (-1: it hasn't
    moved)."""

    nodes: int = 0
    edges: int = 0
    robber: int = -1

    @classmethod
    def of(cls, events: Iterable[Event]) -> Changes:
        """What events have changed."""
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


class BoardSnapshot(NamedTuple):
    """The board at some moment: masks of buildings, of the cities among them and of paved edges; the robber's hex."""

    buildings: int
    cities: int
    edges: int
    robber: int

    @classmethod
    def of(cls, state: State) -> BoardSnapshot:
        """The board now."""
        return cls(state.buildings, sum(state.cities), state.paved, state.robber)  # no two seats share a city

    def until(self, now: BoardSnapshot) -> Changes:
        """What has changed from then until `now`."""
        nodes = now.buildings & ~self.buildings | now.cities & ~self.cities
        robber = self.robber if self.robber != now.robber else -1
        return Changes(nodes, now.edges & ~self.edges, robber)


class Visit(NamedTuple):
    """The last turn in which a seat acted, and the board before and after what it did in that turn."""

    turn: int
    before: BoardSnapshot
    after: BoardSnapshot

    def seen_in(self, turn: int) -> BoardSnapshot:
        """The board as the seat last saw it before a turn; in setup, which counts as one turn, as it last saw it."""
        return self.before if self.turn == turn and turn else self.after


class TurnStory(NamedTuple):
    """What has happened in a turn so far; setup is turn 0."""

    turn: int
    events: tuple[Event, ...]
    earlier: tuple[Event, ...]
    """The events of the turn before."""
    first: int
    """Number of the turn's first record."""


class Recent:
    """What has happened recently, for views. It notes each record and the board after it."""

    __slots__ = ("_board", "_visits", "last", "told")

    def __init__(self, told: TurnStory, board: BoardSnapshot, visits: list[Visit]) -> None:
        self.told = told
        self.last = told.events
        """The events of the latest record that anyone could notice."""
        self._board = board
        self._visits = visits

    @classmethod
    def after_deal(cls, turn: int, events: tuple[Event, ...], seats: int, board: BoardSnapshot) -> Recent:
        """The start of a game, before any seat has acted."""
        return cls(TurnStory(turn, events, (), 0), board, [Visit(-1, board, board)] * seats)

    def note(
        self,
        seat: int,
        events: tuple[Event, ...],
        turn: int,
        board: BoardSnapshot,
        following: int,
        back_to: TurnStory | None = None,
    ) -> None:
        """Note a record: who acted (-1: the referee), its events, the turn and the board after it, and the number of
        the record that will follow.

        `back_to`: if the record is an undo, the value of `told` before the action that it undoes.
        """
        before, story, earlier, first = self.told
        if seat >= 0:
            self._visits[seat] = Visit(before, self._visits[seat].seen_in(before), board)
        if back_to:
            before, story, earlier, first = back_to
        if turn > before:
            begins = max(at for at, event in enumerate(events) if isinstance(event, TurnBegan))
            self.told = TurnStory(turn, events[begins:], story + events[:begins], following)
        else:
            self.told = TurnStory(turn, story + events, earlier, first)
        self.last, self._board = events, board

    def changes(self, seat: int | None) -> Changes:
        """What is new on the board.

        For a player: since their last turn or answer, including what they have just done. For onlookers: in this turn,
        or in the one before as long as this one has changed nothing. Setup is all one turn: only its latest placement
        is new, a settlement with its road.
        """
        turn, story, earlier, _first = self.told
        if seat is not None:
            return self._visits[seat].seen_in(turn).until(self._board)
        if not turn:
            return Changes.of(_placement(story))
        here = Changes.of(story)
        return here if here != Changes() else Changes.of(earlier if turn > 1 else _placement(earlier))

    def copy(self) -> Recent:
        """An independent copy."""
        twin = Recent(self.told, self._board, self._visits[:])
        twin.last = self.last
        return twin


def _placement(setup: Sequence[Event]) -> Sequence[Event]:
    """What was built in setup from the latest settlement on."""
    built = [event for event in setup if isinstance(event, Built)]
    return built[max((at for at, event in enumerate(built) if not event.piece.on_edge), default=0) :]
