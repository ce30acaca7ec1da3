"""Invisible marks on secrets. What a view shows to its seat alone, a hand, an unplayed or stolen card, carries the
seats that may know it, and so does each text that is made of it: whatever way the text takes, its mark says who may
read it."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, SupportsIndex

from engine.codec import Secret
from engine.events import CardBought, CardTaken, Event
from engine.resources import hand

_FIRST = 0xE0100
"""A character that no one sees, and no one types: a selector of variants. The mask of seats is added to it."""
PRIVATE = chr(0xE01EF)
"""Marks a text that only one person may read, no matter who."""
_MARK = re.compile("[\U000e0100-\U000e01ef]|\\\\U000e01([0-9a-f]{2})")


def mark(seats: int) -> str:
    """The mark of what only these seats (a mask) may know."""
    return chr(_FIRST + seats)


def marks_in(text: str) -> set[int]:
    """The masks in a text, or in its `repr`; that of `PRIVATE` is 0xEF."""
    return {int(found[1], 16) if found[1] else ord(found[0]) - _FIRST for found in _MARK.finditer(text)}


class Number(int):
    """A number that only some seats may know."""

    seats: int

    @classmethod
    def of(cls, value: int, seats: int) -> Number:
        """A number for these seats (a mask)."""
        number = cls(value)
        number.seats = seats
        return number

    def __format__(self, how: str) -> str:
        return int.__format__(self, how) + mark(self.seats)

    def __repr__(self) -> str:
        return int.__repr__(self) + mark(self.seats)

    __str__ = __repr__


class Cards(tuple[int, ...]):
    """Cards that only some seats may know."""

    seats: int

    @classmethod
    def of(cls, cards: Iterable[int], seats: int) -> Cards:
        """Cards for these seats (a mask)."""
        found = cls(cards)
        found.seats = seats
        return found

    def __iter__(self) -> Iterator[int]:
        return (Number.of(n, self.seats) for n in tuple.__iter__(self))

    def __getitem__(self, at: Any) -> Any:
        found = tuple.__getitem__(self, at)
        return Number.of(found, self.seats) if isinstance(at, SupportsIndex) else found

    def __repr__(self) -> str:
        return tuple.__repr__(self) + mark(self.seats)

    __str__ = __repr__


def everywhere(old: Any, new: Any) -> None:
    """Put something in the place of a module's function, in all modules that have it by now."""
    for name, module in list(sys.modules.items()):
        if not name.startswith("tests."):
            for key, value in list(vars(module).items()) if module is not None else ():
                if value is old:
                    setattr(module, key, new)


def put(place: Any, **parts: Any) -> None:
    """Replace parts of a class or a module."""
    for name, part in parts.items():
        setattr(place, name, part)


def install() -> None:
    """Mark what views show to their seats alone, and the words that are made of it."""
    from engine import views

    _wrap_players(views)
    _wrap_events()
    _wrap_words()


def _wrap_players(views: Any) -> None:
    player = views._player

    def marked(state: Any, seat: int, viewer: int | None) -> Any:
        found = player(state, seat, viewer)
        if seat == viewer and state.outcome is None:
            kept = ("development_cards", "fresh_cards", *(() if state.rules.data.open_hands else ("hand",)))
            for name in kept:
                object.__setattr__(found, name, Cards.of(getattr(found, name), 1 << seat))
            if found.all_points != found.points:
                object.__setattr__(found, "all_points", Number.of(found.all_points, 1 << seat))
        return found

    views._player = marked


def _wrap_events() -> None:
    begin, redact = Secret.__init__, Event.redact

    def begun(self: Secret, value: Any, seats: int) -> None:
        begin(self, Number.of(value, seats) if isinstance(value, int) else value, seats)

    def opened(self: Event, seat: int | None, over: bool = False) -> Event:
        found = redact(self, seat, over)
        if over and isinstance(found, CardTaken | CardBought) and isinstance(found.card, Number):
            return dataclasses.replace(found, card=int(found.card))
        return found

    Secret.__init__ = begun  # type: ignore[method-assign]
    Event.redact = opened  # type: ignore[assignment, method-assign]


def _wrap_words() -> None:
    from bot.discord.talk import dispatch
    from bot.screens import orders
    from bot.words.narrator import TELLINGS, cards

    def single(kind: int, n: int = 1) -> Any:
        found = hand(n if k == kind else 0 for k in range(5))
        return Cards.of(found, kind.seats) if isinstance(kind, Number) else found

    cards.single = single  # type: ignore[assignment, attr-defined]
    for name in ("line", "own"):
        said: Any = getattr(TELLINGS[CardBought], name)
        changed: Any = {name: _with_card(said)}
        TELLINGS[CardBought] = dataclasses.replace(TELLINGS[CardBought], **changed)
    everywhere(orders.done_for_owner, _with_seat(orders.done_for_owner))
    page = orders.orders_page

    def orders_page(viewer: Any, mine: Any) -> Any:
        reply = page(viewer, mine)
        reply.text += mark(1 << viewer.seat)
        return reply

    everywhere(page, orders_page)
    text = dispatch.refusal_text

    async def refusal_text(call: Any, refusal: Any) -> str:
        found: str = await text(call, refusal)
        return found if refusal.code == "stale" else found + PRIVATE  # checks know that sentence as it is

    everywhere(text, refusal_text)


def _with_card(said: Callable[..., str]) -> Callable[..., str]:
    """What is said about a card that was bought."""

    def marked(event: Any, *rest: Any) -> str:
        text = said(event, *rest)
        return text + mark(event.card.seats) if isinstance(event.card, Number) else text

    return marked


def _with_seat(said: Callable[..., str]) -> Callable[..., str]:
    """What is said to the player in a seat."""

    def marked(viewer: Any, *rest: Any) -> str:
        text = said(viewer, *rest)
        return text + mark(1 << viewer.seat) if text and viewer.seat is not None else text

    return marked
