"""The small words that all texts share: signs of resources and colours, names, lists, counts, lengths."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from engine.board import Board
from engine.resources import DESERT, RESOURCES, SEA, TERRAINS
from engine.terms import Award

RESOURCE_SIGNS = ("🧱", "🪵", "🐑", "🌾", "🪨")
"""Signs of the resources, in the order of `RESOURCES`."""

COLOR_SIGNS = {
    "red": "🔴",
    "blue": "🔵",
    "white": "⚪",
    "orange": "🟠",
    "green": "🟢",
    "brown": "🟤",
    "purple": "🟣",
    "teal": "🩵",
}

CARD_TITLES = ("knight", "road building", "year of plenty", "monopoly", "victory point")
"""Development cards as players read them, in the order of `CARDS`."""

AWARD_TITLES = {Award.LONGEST_ROAD: "longest road", Award.LARGEST_ARMY: "largest army"}

_MARKDOWN = set("\\`*_~|>#[](){}<@:")


def plain(raw: str, limit: int) -> str:
    """A text of somebody's without markdown, mentions, line breaks and invisible or direction-changing characters.

    At most `limit` characters (1 or more), "…" at the end when it was cut; empty when nothing is left.
    """
    shown = (" " if ch.isspace() else ch for ch in unicodedata.normalize("NFC", raw))
    kept = "".join(ch for ch in shown if ch not in _MARKDOWN and unicodedata.category(ch)[0] != "C")
    tame = _without_stacks(" ".join(unicodedata.normalize("NFC", kept).split()))
    return clip(tame, limit) if any(unicodedata.category(ch)[0] in "LNPS" for ch in tame) else ""


def safe_name(raw: str, limit: int = 32) -> str:
    """A display name as `plain` makes it, never empty. A safe name stays as it is."""
    return plain(raw, limit) or clip("player", limit)


def quoted(raw: str, limit: int = 20) -> str:
    """What somebody typed, as it can be said back to them: “roda”, or “…” when `plain` leaves nothing of it."""
    return f"“{plain(raw[: 4 * limit], limit) or '…'}”"


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
    """Characters as a client counts them (an emoji is two), so never less than the server does."""
    return len(text) + sum(ch > "\uffff" for ch in text)


def clip(text: str, limit: int) -> str:
    """The text within `limit` characters, "…" at its end when it was cut."""
    if length(text) <= limit:
        return text
    while text and length(text) > limit - 1:
        text = text[:-1]
    return text.rstrip(" ,;·") + "…"


def count(n: int, noun: str, plural: str | None = None) -> str:
    """ "1 card", "2 cards"."""
    return f"{n} {noun}" if n == 1 else f"{n} {plural or noun + 's'}"


def listing(parts: Iterable[str], last: str = "and") -> str:
    """ "Ann", "Ann and Bob", "Ann, Bob and Cy"."""
    items = list(parts)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}" if items else "nobody"


def resource(kind: int) -> str:
    """ "🌾 grain"."""
    return f"{RESOURCE_SIGNS[kind]} {RESOURCES[kind]}"


def cards(hand: Sequence[int]) -> str:
    """ "2 🌾 grain and 1 🪨 ore", or "nothing"."""
    parts = [f"{n} {resource(kind)}" for kind, n in enumerate(hand) if n]
    return listing(parts) if parts else "nothing"


def card_list(hand: Sequence[int]) -> str:
    """Development cards by kind: "2 knights, 1 monopoly", or "none"."""
    parts = [count(n, CARD_TITLES[kind], _PLURALS.get(kind)) for kind, n in enumerate(hand) if n]
    return ", ".join(parts) or "none"


_PLURALS = {1: "road building", 2: "year of plenty", 3: "monopoly"}


def a(noun: str) -> str:
    """A noun with its article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def sign(color: str) -> str:
    """The sign of a player's colour."""
    return COLOR_SIGNS.get(color, "▫️")


def hex_kind(board: Board, hex_: int) -> str:
    """What a hex is: "fields 9", "desert", "3:1 harbor", "sea"."""
    for harbor in board.harbors:
        if harbor.hex == hex_:
            return harbor.label if harbor.side is not None else f"{harbor.label} (closed)"
    terrain, token = board.terrain[hex_], board.tokens[hex_]
    if terrain in (DESERT, SEA) or not token:
        return TERRAINS[terrain]
    return f"{TERRAINS[terrain]} {token}"


def hex_text(board: Board, hex_: int) -> str:
    """A hex with its name: "3.2 (fields 9)"."""
    return f"{board.grid.hex_names[hex_]} ({hex_kind(board, hex_)})"
