"""Languages for tests, made from English: one whose letters show what bypasses the seam, a long one, a false friend,
and some of a few messages."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import cached_property
from math import ceil
from typing import Self

from bot import languages
from bot.words import vocabulary
from engine.resources import RESOURCES
from engine.terms import CONTEXT
from tools.texts import read

_KEPT = re.compile(r"(\{[^{}]*\}|`[^`]*`|<[^<>]*>)")
"""What a translator leaves as it is: placeholders, code, and Discord's tags."""
_NO_WORDS = re.compile(r"`[^`]*`|<[^<>]*>|https?://\S+|\b[0-9a-f]{32,}\b")
"""What is never translated: code, Discord's tags, addresses, digests."""
_WIDE = {code: code + 0xFEE0 for code in range(128) if chr(code).isalpha()}
_NARROW = {wide: code for code, wide in _WIDE.items()}


class Language:
    """A catalog that has every message."""

    code = "xx"
    name = "Made-up"

    def gettext(self, message: str, /) -> str:
        parts = _KEPT.split(message)
        return "".join(part if at % 2 else self.write(part) for at, part in enumerate(parts))

    def pgettext(self, context: str, message: str, /) -> str:
        return self.gettext(message)

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        return self.gettext(one if n == 1 else many)

    def write(self, text: str) -> str:
        """English text in this language."""
        raise NotImplementedError

    def english(self, text: str) -> str:
        """The English from which a text in this language was made."""
        raise NotImplementedError


class Pseudo(Language):
    """All letters are full-width, so what bypasses the seam shows: "Ann builds." is "Ａｎｎ ｂｕｉｌｄｓ."."""

    def write(self, text: str) -> str:
        return text.translate(_WIDE)

    def english(self, text: str) -> str:
        return text.translate(_NARROW)


class Long(Language):
    """Every word is longer by two fifths."""

    def write(self, text: str) -> str:
        return re.sub(r"[A-Za-z]+", lambda word: word[0] + "ë" * ceil(0.4 * len(word[0])), text)

    def english(self, text: str) -> str:
        return text.replace("ë", "")


class FalseFriend(Language):
    """Each resource has the English name and letter of the next one: its "lumber" is brick."""

    def __init__(self) -> None:
        self._next = dict(zip(RESOURCES, (*RESOURCES[1:], RESOURCES[0]), strict=True))
        self._before = {new: old for old, new in self._next.items()}

    def gettext(self, message: str, /) -> str:
        lists = self._lists()
        return lists.get(message) or super().gettext(message)

    def write(self, text: str) -> str:
        return self._swapped(text, self._next)

    def english(self, text: str) -> str:
        return self._swapped(text, self._before)

    def _swapped(self, text: str, names: dict[str, str]) -> str:
        def swap(found: re.Match[str]) -> str:
            name = names[found[0].lower()]
            return name.capitalize() if found[0][0].isupper() else name

        return re.sub(rf"\b({'|'.join(RESOURCES)})\b", swap, text, flags=re.IGNORECASE)

    @staticmethod
    def _lists() -> dict[str, str]:
        """The translations of the words that can be typed for each resource. Its letters are English ones, too, so all
        of them could mean two resources."""
        named = [message.rpartition(CONTEXT)[2] for message in vocabulary._RESOURCES]
        return dict(zip(named, (*named[1:], named[0]), strict=True))


class Made(Language):
    """A language of a few messages, for tests; all others are English."""

    def __init__(self, **messages: str) -> None:
        self._messages = messages

    def gettext(self, message: str, /) -> str:
        return self._messages.get(message.replace(" ", "_"), message)

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        return one.replace(one.removeprefix("{n} "), self.gettext(one.removeprefix("{n} ")))


class Shipped(Language):
    """A language that is shipped."""

    def __init__(self, code: str) -> None:
        self._language = languages.language(code)
        self.code, self.name = code, self._language.name

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return type(self), (self.code,)

    @cached_property
    def _english(self) -> dict[str, str]:
        """Messages by their translations."""
        catalog = read(languages.file_of(self.code))
        english = (str(message.id) for message in catalog if message.id and not message.context)
        return {self.gettext(message): message for message in english}

    def gettext(self, message: str, /) -> str:
        return self._language.gettext(message)

    def pgettext(self, context: str, message: str, /) -> str:
        return self._language.pgettext(context, message)

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        return self._language.ngettext(one, many, n)

    def english(self, text: str) -> str:
        return self._english.get(text, text)


def untranslated(text: str, allowed: Container[str] = ()) -> list[str]:
    """Runs of plain letters in a text that was written in `Pseudo`, except for the allowed words."""
    return [word for word in re.findall(r"[A-Za-z]{2,}", _NO_WORDS.sub(" ", text)) if word not in allowed]
