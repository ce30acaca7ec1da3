"""Values that no client sends, and texts that fit a pattern although no one was offered them."""

from __future__ import annotations

import random
import re
from functools import cache
from importlib import import_module
from typing import Any

sre: Any = import_module("re._constants")
parser: Any = import_module("re._parser")

NUMBERS = (
    *("", "0", "-1", "+1", "1.5", "1e9", "0x1f", "007", "999", "4096", "99999999999", "9" * 19, "9" * 40, "9" * 4400),
    *("²", "٣", "１２", "①", "1_000", " 1", "1 ", "1\n", "NaN", "inf", "None", "true", "null"),
)
"""Values to put where a number belongs."""
TEXTS = (
    *("", " ", "\n", "\0", ":", "::::", "…", "'; DROP TABLE games; --", "@everyone", "<@1>", "<@>", "\u202e", "\ud83d"),
    *("x" * 101, "🐑" * 2000, "1" * 6000, "²", "٣ wool", "[a](http://a.b)", "__proto__", "%s", "{0}", "../..", "[]"),
)
"""Values to put where a word belongs."""
JUNK: tuple[Any, ...] = (None, True, 0, -1, 2**70, 1.5, "", "x", [], [[]], {}, {"": None}, [None], {"type": 18})
"""Values to put anywhere else."""
MANY = 8
"""Most repetitions in a text made from a pattern that allows any number of them."""

_parsed: Any = cache(parser.parse)


def matching(pattern: str, rng: random.Random) -> str:
    """A text that matches a pattern of letters, sets, groups, choices and repetitions."""
    text = _text(_parsed(pattern), rng)
    assert re.fullmatch(pattern, text), (pattern, text)
    return text


def _text(parts: Any, rng: random.Random) -> str:
    return "".join(_piece(kind, what, rng) for kind, what in parts)


def _piece(kind: Any, what: Any, rng: random.Random) -> str:
    """A text for one part of a parsed pattern."""
    if kind is sre.LITERAL:
        return chr(what)
    if kind is sre.ANY:
        return rng.choice("aZ9 é🐑")
    if kind is sre.IN:
        return _text([rng.choice(what)], rng)
    if kind is sre.RANGE:
        return chr(rng.randint(*what))
    if kind is sre.BRANCH:
        return _text(rng.choice(what[1]), rng)
    if kind is sre.SUBPATTERN:
        return _text(what[3], rng)
    if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        least, most, parts = what
        times = rng.randint(least, min(most, least + MANY))
        return "".join(_text(parts, rng) for _ in range(times))
    raise ValueError(f"a pattern with {kind}")
