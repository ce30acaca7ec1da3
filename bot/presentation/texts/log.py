"""The whole game as a readable log: a heading for each turn, a line for each thing that happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.presentation.texts.events import line
from bot.presentation.texts.language import _
from bot.presentation.texts.story import story
from engine.events import Event, TurnBegan
from engine.views import View


def full(records: Iterable[Sequence[Event]], view: View, names: Sequence[str]) -> list[str]:
    """All events of all records, each with its line; `records` are redacted for the reader.

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
