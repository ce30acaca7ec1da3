"""A game turn by turn, from its log: what was done and not taken back, and how it looked at a moment in the past."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.config import Config
from engine.events import Event, TurnBegan, Undone
from engine.game import Game
from engine.record import Record
from engine.views import View


class Turn(NamedTuple):
    """What happened in a turn, with what follows its end (J2); setup is turn 0, of nobody."""

    number: int
    seat: int
    """-1 in setup."""
    events: tuple[tuple[int, Event], ...]
    """Each with the view's revision before it, redacted for the reader; that the turn began isn't among them."""

    def since(self, revision: int) -> Turn:
        """The same without what had happened at a revision."""
        return Turn(self.number, self.seat, tuple([found for found in self.events if found[0] >= revision]))


class Recount(NamedTuple):
    """A game as somebody may read it again. Revisions are those of views: records that are a secret don't count."""

    turns: tuple[Turn, ...]
    log: tuple[tuple[Event, ...], ...]
    """What each record did, redacted for the reader, taken back or not; nothing where that is a secret."""
    then: View
    """The game at the moment that was asked for."""


def recount(
    config: Config, records: Sequence[Record], seat: int | None, revision: int | None = None, turn: int = 0
) -> Recount:
    """A game as a seat, or an onlooker, may know it, by one replay; raises as `Game.replay`.

    The moment is the first of a revision, 0: after the latest thing that the seat did; without one, when `turn` had
    begun.
    """
    log: list[tuple[Event, ...]] = []
    done: list[tuple[int, int, int]] = []  # what was not taken back: by whom, the record, and the revision before it
    then: View | None = None
    before = -1
    for game in Game.each(config, records):
        events, actor = game.last_events, game.records[-1].actor
        log.append(events)
        undone = next((event.seat for event in events if isinstance(event, Undone)), None)
        if undone is not None:
            del done[max([k for k, (who, _, _) in enumerate(done) if who == undone])]
        elif events:
            done.append((actor, len(log) - 1, game.public_revision - 1))
        if (
            then is None
            or (revision is None and before < turn <= game.turn)
            or (revision == 0 and events and actor == seat)
            or (game.public_revision == revision != then.revision)
        ):
            then = game.view(seat)
        before = game.turn
    if then is None or (revision is not None and revision > game.public_revision):
        then = game.view(seat)
    over = game.outcome is not None
    told = tuple([tuple([event.redact(seat, over) for event in some]) for some in log])
    return Recount(tuple(_turns([found[1:] for found in done], told)), told, then)


def _turns(done: list[tuple[int, int]], told: tuple[tuple[Event, ...], ...]) -> list[Turn]:
    """The turns that some records, with revisions, make up."""
    turns = []
    number, whose = 0, -1
    events: list[tuple[int, Event]] = []
    for record, revision in done:
        for event in told[record]:
            if isinstance(event, TurnBegan):
                turns.append(Turn(number, whose, tuple(events)))
                number, whose, events = event.turn, event.seat, []
            else:
                events.append((revision, event))
    return [*turns, Turn(number, whose, tuple(events))]
