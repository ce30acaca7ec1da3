"""The languages: English, which the source is written in, and one more for each file in `bot/locale/`.

A language's code is Discord's, such as "pt-BR". Its file is what translators work on, such as `pt_BR.po`, and is read
as it lies there, so nothing has to be compiled and nothing can be stale.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache, cached_property
from gettext import c2py
from pathlib import Path
from typing import Any

from babel import Locale, negotiate_locale
from babel.messages import Catalog, Message
from babel.messages.pofile import PoFileError, read_po

log = logging.getLogger(__name__)

LOCALE = Path(__file__).parent / "locale"
ENGLISH_CODE = "en"
AUTO = "auto"
"""A choice of no language: that of the person who reads or opens something."""
ENOUGH = 0.95
"""The share of all messages from which a language is offered."""


class Language:
    """What is said in one language. A message that is missing is said in English, and logged once.

    It can be pickled: another process reads it from its file.
    """

    def __init__(self, code: str, catalog: Catalog | None = None) -> None:
        """`catalog`: what its file has; None for English."""
        self.code = code
        self.share = 1.0 if catalog is None else translated(catalog)
        """How many of all messages are translated, from 0 to 1."""
        self._form = c2py(catalog.plural_expr if catalog else "n != 1")
        self._texts: dict[tuple[str | None, str], Any] = {
            (m.context, m.id if isinstance(m.id, str) else m.id[0]): m.string for m in catalog or () if _is_done(m)
        }
        self._missing: set[str] | None = {""} if catalog else None
        """Messages that are known to be missing."""

    @cached_property
    def name(self) -> str:
        """What its speakers call it: "Deutsch"."""
        named: str = locale_of(self.code).get_display_name() or self.code
        return named[0].upper() + named[1:]

    @property
    def is_offered(self) -> bool:
        """Whether people can choose it."""
        return self.share >= ENOUGH

    def gettext(self, message: str, /) -> str:
        """The translation of a message, or the message itself."""
        return self._found(None, message) or message

    def pgettext(self, context: str, message: str, /) -> str:
        """The same for a message with a context."""
        return self._found(context, message) or message

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """The same in the form for a number of things."""
        if forms := self._found(None, one):
            return str(forms[self._form(n)])
        return one if n == 1 else many

    def _found(self, context: str | None, message: str) -> Any:
        found = self._texts.get((context, message))
        if found is None and self._missing is not None and message not in self._missing:
            self._missing.add(message)
            log.warning("%s: not translated: %.80r", self.code, message)
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Language) and self.code == other.code

    def __hash__(self) -> int:
        return hash(self.code)

    def __reduce__(self) -> tuple[object, ...]:
        return language, (self.code,)


def translated(catalog: Catalog) -> float:
    """The share of a catalog's messages that are translated, from 0 to 1. What no one has looked at again since the
    English changed doesn't count."""
    done = [_is_done(message) for message in catalog if message.id]
    return sum(done) / len(done) if done else 0.0


def _is_done(message: Message) -> bool:
    return bool(message.id and message.string and all(message.string)) and not message.fuzzy


ENGLISH = Language(ENGLISH_CODE)


def locale_of(code: str) -> Locale:
    """What CLDR knows of a language."""
    return Locale.parse(code, sep="-")


@cache
def cities(code: str) -> Mapping[str, str]:
    """The names of time zones by what their cities are called in a language: "Europe/Rome" by "Roma" (CLDR)."""
    zones = locale_of(code).time_zones if code in (ENGLISH_CODE, *codes()) else {}
    return {names["city"]: zone for zone, names in zones.items() if "city" in names}


def codes() -> list[str]:
    """The codes of all languages that have a file, whether they are offered or not."""
    return sorted(path.stem.replace("_", "-") for path in LOCALE.glob("*.po"))


def file_of(code: str) -> Path:
    """The file of a language."""
    return LOCALE / f"{code.replace('-', '_')}.po"


@cache
def language(code: str) -> Language:
    """A language by its code, even if it isn't offered; English if it has no file, or one that can't be read."""
    if code not in codes():
        return ENGLISH
    try:
        with file_of(code).open("rb") as file:
            return Language(code, read_po(file, locale=code.replace("-", "_"), abort_invalid=True))
    except (PoFileError, ValueError, OSError) as error:
        log.error("%s can't be read, so nothing is said in that language: %s", file_of(code), error)
        return ENGLISH


@cache
def offered() -> tuple[Language, ...]:
    """The languages that people can choose: English, then the others by name."""
    others = {one for one in map(language, codes()) if one != ENGLISH and one.is_offered}
    return (ENGLISH, *sorted(others, key=lambda one: one.name.casefold()))


def resolve(*locales: str | None) -> Language:
    """The language for the first of some locales, such as "es-419", in which anything can be said; else English."""
    for locale in filter(None, locales):
        if locale.partition("-")[0] == ENGLISH_CODE:
            return ENGLISH
        if found := negotiate_locale([locale], [one.code for one in offered()], sep="-"):
            return language(found)
    return ENGLISH
