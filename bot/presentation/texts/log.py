"""The whole game as a readable log: a heading for each turn, a line for each thing that happened."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

from bot.presentation.texts.events import line
from bot.presentation.texts.language import _
from bot.presentation.texts.story import story
from engine.codec import Secret
from engine.config import Config
from engine.events import Event, TurnBegan
from engine.game import Game, Record
from engine.views import View


def full(records: Iterable[Sequence[Event]], view: View, names: Sequence[str]) -> list[str]:
    """All events of all records, each with its line; `records` are redacted, or opened, for the reader.

    `view` gives the names of places. Records without events have no number: they are secret (section M).
    """
    lines = [_("Setup")]
    for number, events in enumerate(filter(None, records)):
        for event in events:
            text = (line(event, view, names) or "").replace("**", "")  # plain: it is read in a file or a terminal
            if isinstance(event, TurnBegan):
                lines += ["", text]
            elif text:
                lines.append(f"  {number:>4}  {text}")
    return lines


def short(records: Iterable[Sequence[Event]], view: View, names: Sequence[str]) -> list[str]:
    """The same merged, a line for each roll or action, in Discord's markdown."""
    heading = _("Setup")
    lines = [f"**{heading}**"]
    turn: list[Event] = []
    for events in records:
        for event in events:
            if isinstance(event, TurnBegan):
                lines += story(turn, view, names)
                lines.append(f"**{line(event, view, names)}**")
                turn = []
            else:
                turn.append(event)
    return lines + story(turn, view, names)


def opened(events: Sequence[Event], over: bool, seat: int | None = None) -> tuple[Event, ...]:
    """Events as a seat, or an onlooker (None), may read them: with all revealed once the game is over."""
    return tuple(reveal(e) if over else e.redact(seat) for e in events)


def reveal(event: Event) -> Event:
    """The event with its secrets opened, for games that are over (section M)."""

    values = {
        f.name: value.value for f in dataclasses.fields(event) if isinstance(value := getattr(event, f.name), Secret)
    }
    return dataclasses.replace(event, **values) if values else event


class _Drawn:
    """The outcomes that a log has, given again."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.results = {(kind, ordinal): result for r in records for kind, ordinal, n, result in r.draws}

    def draw(self, kind: str, ordinal: int, n: int) -> int:
        return self.results[kind, ordinal]


def events_of(config: Config, records: Sequence[Record]) -> Iterator[tuple[Event, ...]]:
    """The unredacted events of each record, by playing the game again; for records that are known to be sound."""
    game = Game.new(config, _Drawn(records))
    yield game.last_events
    for record in records[1:]:
        if record.action is not None:
            yield game.play(record.actor, record.action)
