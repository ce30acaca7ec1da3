"""Makes texts that people wrote harmless and short: names, lucky words, typed input."""

from __future__ import annotations

import re
import unicodedata

_MARKDOWN = set("\\`*_~|>#[](){}<@:")


def plain(raw: str, limit: int) -> str:
    """A person's text without markdown, mentions, line breaks and invisible or direction-changing characters.

    It has at most `limit` characters (1 or more), and "…" at the end if it was cut. It is empty if nothing is left.
    """
    characters = (" " if ch.isspace() else ch for ch in unicodedata.normalize("NFC", raw))
    kept = "".join(ch for ch in characters if ch not in _MARKDOWN and unicodedata.category(ch)[0] != "C")
    tame = _without_stacks(" ".join(unicodedata.normalize("NFC", kept).split()))
    return clip(tame, limit) if any(unicodedata.category(ch)[0] in "LNPS" for ch in tame) else ""


def safe_name(raw: str, limit: int = 32) -> str:
    """A display name as `plain` makes it, but never empty. A safe name stays as it is."""
    return plain(raw, limit) or clip("player", limit)


def quoted(raw: str, limit: int = 20) -> str:
    """What a person typed, ready to be quoted to them: “roda”, or “…” if `plain` leaves nothing of it."""
    times = re.sub(r"(?<=[0-9]):(?=[0-9])", "\u2236", raw[: 4 * limit])  # "22:30" is no markdown
    return f"“{plain(times, limit).replace(chr(0x2236), ':') or '…'}”"


def _without_stacks(text: str) -> str:
    """At most two combining marks in a row, none at the start."""
    out: list[str] = []
    run = 2
    for ch in text:
        run = run + 1 if unicodedata.category(ch)[0] == "M" else 0
        if run <= 2:
            out.append(ch)
    return "".join(out)


def length(text: str) -> int:
    """How many characters a client counts (an emoji is two), which is never less than what the server counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def clip(text: str, limit: int) -> str:
    """The text within `limit` characters as `length` counts them, with "…" at the end if it was cut."""
    if length(text) <= limit:
        return text
    while text and length(text) > limit - 1:
        text = text[:-1]
    return text.rstrip(" ,;·") + "…"


def cut(text: str, limit: int) -> str:
    """The text within `limit` characters as Python counts them, with "…" at the end if it was cut."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
