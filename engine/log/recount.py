"""A game turn by turn, from its log: what was done and not taken back, and how it looked at a moment in the past."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.config import Config
from engine.events import Event, TurnBegan
from engine.game import Game
from engine.log.lasting import lasting
from engine.record import Record
from engine.views import View


class Turn(NamedTuple):
    """What happened in a turn and until the next one began (J2); setup is turn 0 and nobody's."""

    number: int
    seat: int
    """-1 in setup."""
    events: tuple[tuple[int, Event], ...]
    """Each with the view's revision before it, redacted for the reader; that the turn began isn't among them."""

    def since(self, revision: int) -> Turn:
        """The same turn with only what has happened since a revision."""
        return Turn(self.number, self.seat, tuple([found for found in self.events if found[0] >= revision]))


class Recount(NamedTuple):
    """A game as somebody may read it afterwards. Revisions are those of views, which don't count secret records."""

    turns: tuple[Turn, ...]
    log: tuple[tuple[Event, ...], ...]
    """What each record did, redacted for the reader, taken back or not; empty for a secret record."""
    then: View
    """The game at the moment that was asked for."""


def recount(
    config: Config, records: Sequence[Record], seat: int | None, revision: int | None = None, turn: int = 0
) -> Recount:
    """A game as a seat, or an onlooker, may know it, by one replay; raises as `Game.replay`.

    The moment is when the game came to a revision; with 0, when the seat had done its latest thing; without one, when
    `turn` had begun.
    """
    log: list[tuple[Event, ...]] = []
    revisions: list[int] = []
    then: View | None = None
    before = -1
    for game in Game.each(config, records):
        events = game.last_events
        log.append(events)
        revisions.append(game.public_revision - 1)
        if (
            then is None
            or (revision is None and before < turn <= game.turn)
            or (revision == 0 and events and game.records[-1].actor == seat)
            or (game.public_revision == revision != then.revision)
        ):
            then = game.view(seat)
        before = game.turn
    if then is None or (revision is not None and revision > game.public_revision):
        then = game.view(seat)
    over = game.outcome is not None
    told = tuple([tuple([event.redact(seat, over) for event in some]) for some in log])
    return Recount(tuple(_turns([(told[number], revisions[number]) for number in lasting(log)])), told, then)


def _turns(done: list[tuple[tuple[Event, ...], int]]) -> list[Turn]:
    """The turns that some records make up; each as what it did, and the revision before it."""
    turns = []
    number, whose = 0, -1
    events: list[tuple[int, Event]] = []
    for some, revision in done:
        for event in some:
            if isinstance(event, TurnBegan):
                turns.append(Turn(number, whose, tuple(events)))
                number, whose, events = event.turn, event.seat, []
            else:
                events.append((revision, event))
    return [*turns, Turn(number, whose, tuple(events))]
