"""What has happened, in words: all that is ever said about an event is in one place, its `Telling`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bot.words.language import _
from bot.words.narrator import building, cards, table
from bot.words.narrator.telling import Reader, Telling, Tellings, Wording
from engine.events import Event, OfferMade
from engine.views import View

SUBJECTS = (table, cards, building)
TELLINGS: Tellings = {kind: telling for subject in SUBJECTS for kind, telling in subject.EVENTS.items()}
PickWording = Callable[[Telling[Any]], Wording[Any] | None]
"""Picks one of the wordings."""


def line(event: Event, view: View, names: Sequence[str], *, named: bool = False) -> str:
    """One line for an event as redacted for the reader; `named`: with the names of places."""
    return render(event, Reader(view, names, named), lambda telling: telling.line)


def own_line(event: Event, view: View, names: Sequence[str]) -> str:
    """The same for the player who did it, or to whom it was done: what only they learn is told to them as "you"."""
    return render(event, Reader(view, names), lambda telling: telling.own)


def newest(view: View, names: Sequence[str]) -> str:
    """The last change on the board, if the latest action made one; else ""."""
    reader = Reader(view, names)
    return next(filter(None, (render(event, reader, lambda telling: telling.alt) for event in reversed(view.last))), "")


def story(events: Sequence[Event], view: View, names: Sequence[str]) -> list[str]:
    """Lines on what has happened, oldest first, merged so that one action, or one roll, is one line.

    Offers that are still open or became a trade have no line of their own, nor do discards before all are in.
    """
    kept = cards.kept(events, view)
    news = (e for e in events if not (isinstance(e, OfferMade) and e.offer in kept))
    return _merged(news, lambda telling: telling.story, view, names)


def logged(events: Iterable[Event], view: View, names: Sequence[str]) -> list[str]:
    """The same, as sentences below a heading that says who rolled what; offers are left out."""
    return _merged(events, lambda telling: telling.story if telling.log is None else telling.log, view, names)


def _merged(events: Iterable[Event], form: PickWording, view: View, names: Sequence[str]) -> list[str]:
    rest = deque(table.late_once(e for e in events if form(TELLINGS[type(e)]) != ""))
    reader, found = Reader(view, names, upcoming=rest), list[str]()
    while rest:
        found.append(render(rest.popleft(), reader, form))
    return [text for text in found if text]


def render(event: Event, reader: Reader, form: PickWording) -> str:
    """An event in one of its forms."""
    telling = TELLINGS[type(event)]
    chosen = form(telling)
    write = telling.line if chosen is None else chosen
    values = reader.values(event) | telling.more(event, reader)
    return write(event, reader, values) if callable(write) else write and _(write, **values)
