"""Makes texts that people wrote harmless and short: names, lucky words, typed input. And what refusals of `bot/` tell
besides the engine's own parameters (`engine.refusals`)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from engine.resources import Hand

_MARKDOWN = set("\\`*_~|>#[](){}<@:（）")
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
    "\u2800\ufffc\U00013441\U00013442\U00016fe4\U0001d159]"
)
"""Letters, marks and symbols that no one can see: those that programs show as nothing (Default_Ignorable_Code_Point in
Unicode's DerivedCoreProperties.txt, without the categories C), then blank ones."""
_WIDE = re.compile("[\u2e3a\u2e3b\ua9c4\ua9c5\ufdfa\ufdfb\ufdfd\U00012000-\U0001254f]")
"""Characters as wide as a phrase, such as Arabic blessings and cuneiform."""
_WIDTHS = re.compile("[\u3000\uff01-\uff9f\uffe0-\uffee]")
"""Characters of unusual width that have a usual one."""
_MARKS = re.compile("[\u0300-\u036f]")
"""Marks on Latin, Greek and Cyrillic letters. Those on other letters make another letter of them."""
_PLAIN_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "\u2019": "'"})
_EMOJI_STYLE = "\ufe0f"
"""Shows the symbol before it as an emoji."""
TIE = "\u2060"
"""A word joiner: invisible, and no part of an address."""


def plain(raw: str, limit: int) -> str:
    """A person's text in which nothing has an effect: no markdown, mentions, addresses that clients link or turn into
    invitations, line breaks, and characters that are invisible, huge or change the direction.

    It has at most `limit` characters (1 or more), and "…" at the end if it was cut. It is empty if nothing is left.
    """
    characters = [" " if ch.isspace() else ch for ch in unicodedata.normalize("NFC", raw) if not _WIDE.match(ch)]
    kept = _seen(ch for ch in characters if ch not in _MARKDOWN and unicodedata.category(ch)[0] != "C")
    tame = _without_stacks(" ".join(unicodedata.normalize("NFC", kept).split()))
    return clip(_tied(tame), limit) if is_seen(tame) else ""


def is_seen(text: str) -> bool:
    """Whether anything of a text can be seen."""
    return any(unicodedata.category(ch)[0] in "LNPS" for ch in _seen(text))


@lru_cache(4096)  # all names of a table are checked whenever it is read
def safe_name(raw: str, limit: int = 32) -> str:
    """A display name as `plain` makes it, but never empty. A safe name stays as it is."""
    return plain(raw, limit) or clip("player", limit)


def searchable(text: str) -> str:
    """A text to compare with what someone types, which has no ties, and hardly marks: "J.Doé" as "j.doe"."""
    return folded(text.replace(TIE, ""))


def narrow(text: str) -> str:
    """A text whose letters and digits are as wide as usual: "２ｗ" as "2w", and half a "ﾚﾝｶﾞ" as "レンガ"."""
    return unicodedata.normalize("NFC", _WIDTHS.sub(lambda ch: unicodedata.normalize("NFKC", ch[0]), text))


def folded(text: str) -> str:
    """A text to compare with another one, whatever its case, width, and marks on Latin letters: "Wełna" as "welna"."""
    apart = unicodedata.normalize("NFD", narrow(text).casefold())
    return unicodedata.normalize("NFC", _MARKS.sub("", apart)).translate(_PLAIN_LETTERS)


def quotable(raw: str, limit: int) -> str:
    """What a person typed, ready to be quoted to them, or "…" if `plain` leaves nothing of it."""
    times = re.sub(r"(?<=[0-9]):(?=[0-9])", "\u2236", raw[: 4 * limit])  # "22:30" is no markdown
    return plain(times, limit).replace(chr(0x2236), ":") or "…"


def _seen(characters: Iterable[str]) -> str:
    """The characters that can be seen, each as an emoji if it was one."""
    out = [""]
    for ch in characters:
        if not _UNSEEN.match(ch) or (ch == _EMOJI_STYLE and out[-1] and unicodedata.category(out[-1])[0] == "S"):
            out.append(ch)
    return "".join(out)


def _tied(text: str) -> str:
    """The text with a `TIE` where it could be read as an address ("discord.gg/abc") or, in a line's beginning, as an
    item of a list ("1. Ann"). All dots count that programs take for one."""
    dots = [_dots(ch) for ch in text]
    after = [*((not more and ch != " ") for ch, more in zip(text[1:], dots[1:], strict=True)), False]
    tied = "".join(ch + TIE * (n == 1 and more) for ch, n, more in zip(text, dots, after, strict=True))
    return re.sub(r"^(?:-|[0-9]+\.)(?= )", rf"\g<0>{TIE}", tied)


def _dots(ch: str) -> int:
    """How many dots programs can take a character for."""
    return len(re.findall("[.\u3002]", unicodedata.normalize("NFKC", ch)))


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
    return text.rstrip(f" ,;·{TIE}") + "…"


def cut(text: str, limit: int) -> str:
    """The text within `limit` characters as Python counts them, with "…" at the end if it was cut."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


# --- parameters of refusals


@dataclass(frozen=True, slots=True)
class CardsWithSigns:
    """Resource cards with their signs: "2 🐑 wool and 1 🪨 ore"."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class TypedText:
    """What a person typed, to be quoted to them."""

    text: str
    limit: int = 20


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time: "2 hours 5 minutes"."""

    seconds: float
