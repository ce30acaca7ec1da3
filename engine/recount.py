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
    """Each with the number of its record, redacted for the reader; that the turn began isn't among them."""

    def since(self, record: int) -> Turn:
        """The same without what happened before that record."""
        return Turn(self.number, self.seat, tuple([found for found in self.events if found[0] >= record]))


class Recount(NamedTuple):
    """A game as somebody may read it again."""

    turns: tuple[Turn, ...]
    log: tuple[tuple[Event, ...], ...]
    """What each record did, redacted for the reader, taken back or not; nothing where that is a secret."""
    since: int
    """How many records there were at the moment that was asked for."""
    then: View
    """The game at that moment."""


def recount(
    config: Config, records: Sequence[Record], seat: int | None, since: int | None = None, turn: int = 0
) -> Recount:
    """A game as a seat, or an onlooker, may know it, by one replay; raises as `Game.replay`.

    The moment is after `since` records, or, where that is None, when `turn` had begun.
    """
    wanted = -1 if since is None else min(max(since, 1), len(records))
    log: list[tuple[Event, ...]] = []
    done: list[tuple[int, int]] = []  # the records that were not taken back, and by whom they are
    then: View | None = None
    at, before = 0, -1
    for game in Game.each(config, records):
        log.append(game.last_events)
        undone = next((event.seat for event in game.last_events if isinstance(event, Undone)), None)
        if undone is not None:
            del done[max([k for k, (actor, _) in enumerate(done) if actor == undone])]
        elif game.last_events:
            done.append((game.records[-1].actor, game.revision - 1))
        if then is None or game.revision == wanted or (since is None and before < turn <= game.turn):
            then, at = game.view(seat), game.revision
        before = game.turn
    assert then is not None
    over = game.outcome is not None
    told = tuple([tuple([event.redact(seat, over) for event in events]) for events in log])
    return Recount(tuple(_turns([number for _, number in done], told)), told, at, then)


def _turns(done: list[int], told: tuple[tuple[Event, ...], ...]) -> list[Turn]:
    """The turns that some records make up."""
    turns = []
    number, whose = 0, -1
    events: list[tuple[int, Event]] = []
    for record in done:
        for event in told[record]:
            if isinstance(event, TurnBegan):
                turns.append(Turn(number, whose, tuple(events)))
                number, whose, events = event.turn, event.seat, []
            else:
                events.append((record, event))
    return [*turns, Turn(number, whose, tuple(events))]
