"""A game turn by turn, from its log: what was done and not undone, and how the game looked at a moment in the past."""

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
    """What happened in a turn, and until the next one began (J2). Setup is turn 0 and belongs to no seat."""

    number: int
    seat: int
    """-1 in setup."""
    events: tuple[tuple[int, Event], ...]
    """(revision of the view before the event, event redacted for the reader); `TurnBegan` isn't among them."""

    def since(self, revision: int) -> Turn:
        """The same turn with only the events since a revision."""
        return Turn(self.number, self.seat, tuple([pair for pair in self.events if pair[0] >= revision]))


class Recount(NamedTuple):
    """A game as a seat or an onlooker can read it afterwards. Revisions are those of views, which don't count secret
    records."""

    turns: tuple[Turn, ...]
    log: tuple[tuple[Event, ...], ...]
    """The events of each record, redacted for the reader, undone or not; empty for a secret record."""
    then: View
    """The game at the moment that was asked for."""


def recount(
    config: Config, records: Sequence[Record], seat: int | None, revision: int | None = None, turn: int = 0
) -> Recount:
    """Retell a game as a seat or an onlooker (None) can know it, with one replay; raises like `Game.replay`.

    The moment of `then` is when the game reached `revision`. If `revision` is 0, it is after the seat's latest action
    that anyone could notice; if None, when `turn` had begun.
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
    redacted = tuple([tuple([event.redact(seat, over) for event in record_events]) for record_events in log])
    return Recount(tuple(_turns([(redacted[number], revisions[number]) for number in lasting(log)])), redacted, then)


def _turns(done: list[tuple[tuple[Event, ...], int]]) -> list[Turn]:
    """The turns that records make up; each record is given as its events, and the revision before it."""
    turns = []
    number, seat = 0, -1
    events: list[tuple[int, Event]] = []
    for record_events, revision in done:
        for event in record_events:
            if isinstance(event, TurnBegan):
                turns.append(Turn(number, seat, tuple(events)))
                number, seat, events = event.turn, event.seat, []
            else:
                events.append((revision, event))
    return [*turns, Turn(number, seat, tuple(events))]
