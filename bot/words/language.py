"""Every sentence for a person goes through gettext here, so that another language needs a catalog and no code.

    _("{name} builds a road.", name=name)            a sentence
    n_("{n} card", "{n} cards", n)                   one or several, as the language counts
    p_("a button", "Undo")                           the same where one English text has two meanings, and which one
    N_("Build a road")                               only marked: `_` translates it where it is shown
    P_("you can", "roll the dice")                   the same with what it is about
    NN_("{n} card", "{n} cards")                     the same for `n_`

Sentences are whole, as words that are put together elsewhere can't be translated. Values go in by name.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Protocol

from bot.languages import ENGLISH
from bot.plaintext import quotable
from engine.terms import CONTEXT
from engine.terms import NN_ as NN_
from engine.terms import P_ as P_

log = logging.getLogger(__name__)


class Catalogue(Protocol):
    """What a language must know (`bot.languages.Language`)."""

    @property
    def code(self) -> str: ...

    def gettext(self, message: str, /) -> str: ...

    def pgettext(self, context: str, message: str, /) -> str: ...

    def ngettext(self, one: str, many: str, n: int, /) -> str: ...

    def __hash__(self) -> int: ...


_current: ContextVar[Catalogue] = ContextVar("language", default=ENGLISH)


@contextmanager
def speaking(catalogue: Catalogue) -> Iterator[None]:
    """Write in a language, also in tasks and threads that begin meanwhile."""
    token = _current.set(catalogue)
    try:
        yield
    finally:
        _current.reset(token)


def current() -> Catalogue:
    """The present language."""
    return _current.get()


def code() -> str:
    """The code of the present language, for browsers: "en"."""
    return _current.get().code


def _(message: str, /, **values: object) -> str:
    """A sentence in the present language, with its values filled in."""
    about, _context, text = message.rpartition(CONTEXT)
    language = _current.get()
    return _filled(language.pgettext(about, text) if about else language.gettext(text), text, values)


def p_(about: str, message: str, /, **values: object) -> str:
    """A sentence for which English has one text with two meanings; `about` says which one is meant."""
    marked = P_(about, message)
    return _(marked, **values)


def n_(one: str, many: str, n: int, /, **values: object) -> str:
    """A sentence about `n` things, in the form that the present language has for that number; `{n}` is the number."""
    return _filled(_current.get().ngettext(one, many, n), one if n == 1 else many, {"n": n, **values})


def _filled(text: str, english: str, values: Mapping[str, object]) -> str:
    """A sentence with its values; the English one if a translator has spoiled a placeholder."""
    try:
        return text.format_map(values)
    except (LookupError, ValueError, AttributeError):
        if text == english:
            raise
        _report(_current.get().code, text)
        return english.format_map(values)


@cache
def _report(code: str, text: str) -> None:
    log.error("%s: placeholders don't fit: %.80r", code, text)


def N_(message: str) -> str:
    """Mark a sentence that is translated where it is shown."""
    return message


def enumeration(parts: Iterable[str]) -> str:
    """ "a, b, c"."""
    return _joined(N_("{before}, {next}"), parts)


def series(parts: Iterable[str]) -> str:
    """The same for parts that contain commas: "a, b; c"."""
    return _joined(N_("{before}; {next}"), parts)


def sentences(parts: Iterable[str]) -> str:
    """One sentence after another, without empty ones."""
    return _joined(N_("{before} {next}"), filter(None, parts))


def sentence(text: str) -> str:
    """A sentence with a full stop, if nothing else ends it."""
    return text if text.endswith(tuple("?!…。？！.")) else _("{said}.", said=text)


def within(text: str) -> str:
    """A sentence without its full stop, as part of something longer."""
    return text.rstrip(".。")


def noted(text: str, note: str) -> str:
    """ "Ann (3 points)"."""
    return _("{text} ({note})", text=text, note=note)


def quoted(raw: str, limit: int = 20) -> str:
    """What a person typed, ready to be quoted to them: “roda”, or “…” if nothing of it can be shown."""
    return _("“{text}”", text=quotable(raw, limit))


DECIMAL = N_("{whole}.{tenths}")


def decimal(value: float) -> str:
    """A number with one decimal: "0.3"."""
    whole, tenths = f"{value:.1f}".split(".")
    return _(DECIMAL, whole=whole, tenths=tenths)


def _joined(pattern: str, parts: Iterable[str]) -> str:
    text = ""
    for part in parts:
        text = _(pattern, before=text, next=part) if text else part
    return text
