"""The small words that all texts share: signs of resources and colors, names, lists, counts, lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from bot.table.orders import RESOURCES
from bot.words.language import N_, _, enumeration, n_, noted
from engine.board import Board, pips
from engine.resources import DESERT, SEA
from engine.terms import Award

Names = Sequence[str]
"""What players are called in a text, by seat."""

RESOURCE_NAMES = tuple(str(choice.label) for choice in RESOURCES)
RESOURCE_TITLES = (N_("Brick"), N_("Lumber"), N_("Wool"), N_("Grain"), N_("Ore"))
"""The same, capitalized, for a list."""
TERRAIN_NAMES = (N_("hills"), N_("forest"), N_("pasture"), N_("fields"), N_("mountains"), N_("desert"), N_("sea"))
CARD_TITLES = (N_("knight"), N_("Road Building"), N_("Year of Plenty"), N_("Monopoly"), N_("Victory Point"))
"""Development cards as players read them, in the order of `CARDS`."""

HARBOR_NAMES = (
    N_("2:1 brick harbor"),
    N_("2:1 lumber harbor"),
    N_("2:1 wool harbor"),
    N_("2:1 grain harbor"),
    N_("2:1 ore harbor"),
    N_("3:1 harbor"),
)
"""By kind: a resource, or GENERIC."""

AWARD_TITLES = {Award.LONGEST_ROAD: N_("Longest Road"), Award.LARGEST_ARMY: N_("Largest Army")}

RESOURCE_SIGNS = tuple(choice.emoji for choice in RESOURCES)
"""Signs of the resources, in the order of `RESOURCES`."""

JOINER = "\u2060"
"""A word joiner: a line never breaks at it."""
DIE_SIGNS = ("⚀", "⚁", "⚂", "⚃", "⚄", "⚅")
"""The faces of a die, from 1 to 6."""

COLOR_SIGNS = {
    N_("red"): "🔴",
    N_("blue"): "🔵",
    N_("white"): "⚪",
    N_("orange"): "🟠",
    N_("green"): "🟢",
    N_("brown"): "🟤",
    N_("purple"): "🟣",
    N_("teal"): "🩵",
}
COLOR_TITLES = {
    "red": N_("Red"),
    "blue": N_("Blue"),
    "white": N_("White"),
    "orange": N_("Orange"),
    "green": N_("Green"),
    "brown": N_("Brown"),
    "purple": N_("Purple"),
    "teal": N_("Teal"),
}

CountText = Callable[[int, str], str]
"""Puts a number of things into words; takes the number, and the sign of the things."""

_RESOURCES: tuple[Callable[[int], str], ...] = (
    lambda n: n_("{n} brick", "{n} brick", n),
    lambda n: n_("{n} lumber", "{n} lumber", n),
    lambda n: n_("{n} wool", "{n} wool", n),
    lambda n: n_("{n} grain", "{n} grain", n),
    lambda n: n_("{n} ore", "{n} ore", n),
)
_SIGNED_RESOURCES: tuple[CountText, ...] = (
    lambda n, sign: n_("{n} {sign} brick", "{n} {sign} brick", n, sign=sign),
    lambda n, sign: n_("{n} {sign} lumber", "{n} {sign} lumber", n, sign=sign),
    lambda n, sign: n_("{n} {sign} wool", "{n} {sign} wool", n, sign=sign),
    lambda n, sign: n_("{n} {sign} grain", "{n} {sign} grain", n, sign=sign),
    lambda n, sign: n_("{n} {sign} ore", "{n} {sign} ore", n, sign=sign),
)
_CARDS: tuple[Callable[[int], str], ...] = (
    lambda n: knight_count(n),
    lambda n: n_("{n} Road Building", "{n} Road Building", n),
    lambda n: n_("{n} Year of Plenty", "{n} Year of Plenty", n),
    lambda n: n_("{n} Monopoly", "{n} Monopoly", n),
    lambda n: n_("{n} Victory Point", "{n} Victory Points", n),
)
_LISTS = {"and": N_("{first} and {last}"), "or": N_("{first} or {last}"), "then": N_("{first}, then {last}")}


def listing(parts: Iterable[str], last: Literal["and", "or", "then"] = "and") -> str:
    """ "Ann", "Ann and Bob", "Ann, Bob and Cy"; "no one" for an empty list."""
    *others, end = list(parts) or [_("no one")]
    return _(_LISTS[last], first=enumeration(others), last=end) if others else end


def resource(kind: int, sign: bool = True) -> str:
    """ "🌾 grain"."""
    name = _(RESOURCE_NAMES[kind])
    return f"{RESOURCE_SIGNS[kind]} {name}" if sign else name


def resource_title(kind: int) -> str:
    """ "Grain", for a list."""
    return _(RESOURCE_TITLES[kind])


def color_title(color: str) -> str:
    """ "Red", for a list."""
    return _(COLOR_TITLES[color])


def with_color(name: str, color: str) -> str:
    """ "Bob (red)", even if the name says so already."""
    return f"{without_color(name, color)}{_after(color)}"


def without_color(name: str, color: str) -> str:
    """ "Bob" for "Bob (red)"; where a mark of the color is next to it."""
    return name.removesuffix(_after(color))


def _after(color: str) -> str:
    """How a color follows a name. A safe name has no parentheses."""
    return _("{name} ({color})", name="", color=_(color))


def cards(hand: Sequence[int], signs: bool = True) -> str:
    """ "2 🌾 grain and 1 🪨 ore", or "nothing"."""
    return listing(resource_counts(hand, signs)) if any(hand) else _("nothing")


def count(kind: int, n: int, sign: bool = False) -> str:
    """ "2 grain", "2 🌾 grain"; also "0 grain"."""
    return _SIGNED_RESOURCES[kind](n, RESOURCE_SIGNS[kind]) if sign else _RESOURCES[kind](n)


def resource_counts(hand: Sequence[int], signs: bool = True) -> list[str]:
    """Resource cards by kind: "2 🌾 grain", "1 🪨 ore"."""
    return [count(kind, n, signs) for kind, n in enumerate(hand) if n]


def development_cards(hand: Sequence[int]) -> list[str]:
    """Development cards by kind: "2 knights", "1 Monopoly"."""
    return [_CARDS[kind](n) for kind, n in enumerate(hand) if n]


def card_count(n: int) -> str:
    """ "2 cards"."""
    return n_("{n} card", "{n} cards", n)


def development_card_count(n: int) -> str:
    """ "2 development cards"."""
    return n_("{n} development card", "{n} development cards", n)


def knight_count(n: int) -> str:
    """ "2 knights"."""
    return n_("{n} knight", "{n} knights", n)


def point_count(n: int) -> str:
    """ "2 points"."""
    return n_("{n} point", "{n} points", n)


def road_count(n: int) -> str:
    """ "2 roads"."""
    return n_("{n} road", "{n} roads", n)


def settlement_count(n: int) -> str:
    """ "2 settlements"."""
    return n_("{n} settlement", "{n} settlements", n)


def city_count(n: int) -> str:
    """ "2 cities"."""
    return n_("{n} city", "{n} cities", n)


def award_title(award: Award) -> str:
    """ "Longest Road"."""
    return _(AWARD_TITLES[award])


def sign(color: str) -> str:
    """The sign of a player's color."""
    return COLOR_SIGNS.get(color, "▫️")


def harbor(kind: int) -> str:
    """ "2:1 ore harbor", "3:1 harbor"."""
    return _(HARBOR_NAMES[kind])


def hex_kind(board: Board, hex_: int) -> str:
    """What a hex is: "fields 9", "desert", "3:1 harbor", "sea"."""
    for found in board.harbors:
        if found.hex == hex_:
            label = harbor(found.kind)
            return label if found.side is not None else _("{harbor} (no coast next to it)", harbor=label)
    terrain, token = board.terrain[hex_], board.tokens[hex_]
    name = _(TERRAIN_NAMES[terrain])
    return name if terrain in (DESERT, SEA) or not token else f"{name} {token}"


def hex_yield(board: Board, hex_: int) -> str:
    """A hex by what it yields: "grain 9", "desert", "3:1 harbor", "sea"."""
    terrain, token = board.terrain[hex_], board.tokens[hex_]
    return f"{_(RESOURCE_NAMES[terrain])} {token}" if terrain < DESERT and token else hex_kind(board, hex_)


def hex_sign(board: Board, hex_: int) -> str:
    """A hex as everyone sees it on the board: "the 🌾9", "the desert", "the 3:1 harbor"."""
    terrain, token = board.terrain[hex_], board.tokens[hex_]
    if terrain < DESERT and token:
        return _("the {hex}", hex=_numbered(terrain, token))
    return _("the desert") if terrain == DESERT else _("the {place}", place=hex_kind(board, hex_))


def _numbered(terrain: int, token: int) -> str:
    """ "🌾9", which no line break splits."""
    return f"{RESOURCE_SIGNS[terrain]}{JOINER}{token}"


def corner_signs(board: Board, corner: int) -> str:
    """The numbers at a corner, likeliest first: "🌾9 🪨8 🐑3"; empty if there are none."""
    around = (h for h in board.grid.node_hexes[corner] if board.terrain[h] < DESERT and board.tokens[h])
    best = sorted(around, key=lambda h: (-pips(board.tokens[h]), h))
    return " ".join(_numbered(board.terrain[h], board.tokens[h]) for h in best)


def hex_text(board: Board, hex_: int) -> str:
    """A hex with its name: "3.2 (fields 9)"."""
    return noted(board.grid.hex_names[hex_], hex_kind(board, hex_))
