"""The way of every sentence to a person: through gettext, so that another language is a catalogue and no code.

    _("{name} builds a road.", name=name)            a sentence
    n_("{n} card", "{n} cards", n)                   one or several, as the language counts
    p_("a button", "Undo")                           the same where English says two things alike, and which it is
    N_("Build a road")                               marked only: whoever shows it translates it by `_`
    P_("you can", "roll the dice")                   the same with what it is about
    NN_("{n} card", "{n} cards")                     the same for `n_`

Sentences are whole: words that are put together elsewhere can't be translated. What is put in goes by name.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from engine.terms import CONTEXT
from engine.terms import P_ as P_


class Catalogue(Protocol):
    """What a language must know; those of `gettext` fit."""

    def gettext(self, message: str, /) -> str: ...

    def pgettext(self, context: str, message: str, /) -> str: ...

    def ngettext(self, one: str, many: str, n: int, /) -> str: ...


_ENGLISH = gettext.NullTranslations()
_current: ContextVar[Catalogue] = ContextVar("language", default=_ENGLISH)
_public: ContextVar[Catalogue] = ContextVar("public language", default=_ENGLISH)
"""Of what everybody at a table reads; whoever clicks may read another one."""


@contextmanager
def speaking(catalogue: Catalogue) -> Iterator[None]:
    """Write in a language, also in tasks and threads that are begun meanwhile."""
    token = _current.set(catalogue)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def in_public(catalogue: Catalogue | None = None) -> Iterator[None]:
    """Write what everybody reads, in the language for that; `catalogue`: another one from now on."""
    chosen = _public.set(_public.get() if catalogue is None else catalogue)
    try:
        with speaking(_public.get()):
            yield
    finally:
        _public.reset(chosen)


def _(message: str, /, **values: object) -> str:
    """A sentence in the present language, with its values put in."""
    about, _context, text = message.rpartition(CONTEXT)
    language = _current.get()
    return (language.pgettext(about, text) if about else language.gettext(text)).format_map(values)


def p_(about: str, message: str, /, **values: object) -> str:
    """A sentence of which English has one for two things; `about`: which of them it is here."""
    said = P_(about, message)
    return _(said, **values)


def n_(one: str, many: str, n: int, /, **values: object) -> str:
    """A sentence about `n` things, in the form that the present language has for so many; `{n}` is the number."""
    return _current.get().ngettext(one, many, n).format_map({"n": n, **values})


def N_(message: str) -> str:
    """Mark a sentence that is translated where it is shown."""
    return message


def NN_(one: str, many: str) -> tuple[str, str]:
    """Mark a sentence for one and for several that is translated where it is shown."""
    return one, many


def enumeration(parts: Iterable[str]) -> str:
    """ "a, b, c"."""
    return _joined(N_("{before}, {next}"), parts)


def series(parts: Iterable[str]) -> str:
    """The same of what holds commas itself: "a, b; c"."""
    return _joined(N_("{before}; {next}"), parts)


def sentences(parts: Iterable[str]) -> str:
    """What is said one after the other; nothing is left out but empty texts."""
    return _joined(N_("{before} {next}"), filter(None, parts))


def _joined(pattern: str, parts: Iterable[str]) -> str:
    said = ""
    for part in parts:
        said = _(pattern, before=said, next=part) if said else part
    return said
