"""What comes in the boxes: terrain, number tokens and harbors of the sets, and how they are shuffled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from engine.data import DECK_34, Data
from engine.resources import BRICK, DESERT, GENERIC, GRAIN, LUMBER, ORE, WOOL, hand
from engine.scenarios.scenario import Draw

T = TypeVar("T")

ONE_OF_EACH = (BRICK, LUMBER, WOOL, GRAIN, ORE)
"""One hex of each terrain that yields something, or one 2:1 harbor for each resource."""

BASE_TERRAIN = 3 * ONE_OF_EACH + (LUMBER, WOOL, GRAIN, DESERT)
"""The 19 land hexes of one set (B2)."""
EXTENSION_TERRAIN = BASE_TERRAIN + 2 * ONE_OF_EACH + (DESERT,)
"""The 30 land hexes for five and six."""

BASE_TOKENS = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)
"""Number tokens of one set by letter, A to R (B3)."""
EXTENSION_TOKENS = (2, 5, 4, 6, 3, 9, 8, 11, 11, 10, 6, 3, 8, 4, 8, 10, 11, 12, 10, 5, 4, 9, 5, 9, 12, 3, 2, 6)
"""Number tokens for five and six by letter, A to Y, Za, Zb, Zc (B4)."""

BASE_HARBORS = 4 * (GENERIC,) + ONE_OF_EACH
"""Kinds of the 9 harbors of one set (B6)."""
EXTENSION_HARBORS = (*BASE_HARBORS, GENERIC, WOOL)
"""Kinds of the 11 harbors for five and six."""


def without(items: Sequence[int], *taken: int) -> tuple[int, ...]:
    """The items without one of each in `taken`."""
    left = list(items)
    for item in taken:
        left.remove(item)
    return tuple(left)


def shuffled(items: Iterable[T], draw: Draw, kind: str = "board") -> list[T]:
    """The items in random order (Fisher and Yates, from the last to the first)."""
    out = list(items)
    for i in range(len(out) - 1, 0, -1):
        j = draw(kind, i + 1)
        out[i], out[j] = out[j], out[i]
    return out


def pick(items: Sequence[T], draw: Draw) -> T:
    """One of the items at random; nothing is drawn where there is no choice."""
    return items[draw("board", len(items))] if len(items) > 1 else items[0]


def robber_start(terrain: Sequence[int], draw: Draw) -> int:
    """Where the robber starts (B8): on a desert, or off the board (-1) where there is none."""
    deserts = [h for h, kind in enumerate(terrain) if kind == DESERT]
    return pick(deserts, draw) if deserts else -1


def two_sets(data: Data) -> Data:
    """Two sets of the edition's resource and development cards (H1)."""
    return replace(data, bank=2 * data.bank, deck=hand(2 * count for count in data.deck))


def cards_for_six(data: Data) -> Data:
    """The cards for five and six, the same in both editions: 24 of each resource, 34 development cards."""
    return replace(data, bank=24, deck=DECK_34)
