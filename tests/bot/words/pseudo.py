"""A language for tests: all letters of what goes through the seam are full-width, so what bypasses it shows."""

from __future__ import annotations

import re
from collections.abc import Container

_KEPT = re.compile(r"(\{[^{}]*\}|`[^`]*`|<[^<>]*>)")
"""What a translator leaves as it is: placeholders, code, and Discord's tags."""
_NO_WORDS = re.compile(r"`[^`]*`|<[^<>]*>|https?://\S+|\b[0-9a-f]{32,}\b")
"""What nobody translates: code, Discord's tags, addresses, digests."""
_WIDE = {code: code + 0xFEE0 for code in range(128) if chr(code).isalpha()}


class Pseudo:
    """A catalogue that has every message: "Ann builds." is "Ａｎｎ ｂｕｉｌｄｓ."."""

    def gettext(self, message: str, /) -> str:
        parts = _KEPT.split(message)
        return "".join(part if at % 2 else part.translate(_WIDE) for at, part in enumerate(parts))

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        return self.gettext(one if n == 1 else many)


def untranslated(text: str, allowed: Container[str] = ()) -> list[str]:
    """Runs of plain letters in a text that was written in `Pseudo`, but for the words that are allowed."""
    return [word for word in re.findall(r"[A-Za-z]{2,}", _NO_WORDS.sub(" ", text)) if word not in allowed]
