"""Resources, terrain and hands. A hand is five counts, in the order of `RESOURCES`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

RESOURCES = ("brick", "lumber", "wool", "grain", "ore")
BRICK, LUMBER, WOOL, GRAIN, ORE = range(5)
TERRAINS = ("hills", "forest", "pasture", "fields", "mountains", "desert", "sea")
"""Terrain codes are indices here; the first five yield the resource of the same index."""
DESERT, SEA = 5, 6

GENERIC = 5
"""Kind of a 3:1 harbor; kinds 0 to 4 are the 2:1 harbors of that resource."""

CARDS = ("knight", "road_building", "year_of_plenty", "monopoly", "victory_point")
"""Development cards; lists of development cards are five counts in this order."""
KNIGHT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY, VICTORY_POINT = range(5)

Hand = tuple[int, int, int, int, int]
"""Counts of cards, by resource (or by development card)."""

NOTHING: Hand = (0, 0, 0, 0, 0)


def hand(counts: Iterable[int]) -> Hand:
    """Five counts as an immutable hand."""
    b, lu, w, g, o = counts
    return (b, lu, w, g, o)


def hand_of(**counts: int) -> Hand:
    """A hand by names of resources: `hand_of(wool=2, ore=1)`."""
    return hand(counts.get(name, 0) for name in RESOURCES)


def single(resource: int, count: int = 1) -> Hand:
    """A hand of `count` cards of one resource."""
    cards = [0] * 5
    cards[resource] = count
    return hand(cards)


def total(hands: Iterable[Sequence[int]]) -> Hand:
    """The cards of several hands."""
    return hand(map(sum, zip(NOTHING, *hands, strict=True)))


def covers(have: Sequence[int], need: Sequence[int]) -> bool:
    """Whether `have` holds at least `need` of every kind."""
    return (
        have[0] >= need[0] and have[1] >= need[1] and have[2] >= need[2] and have[3] >= need[3] and have[4] >= need[4]
    )


def describe(cards: Sequence[int]) -> str:
    """A hand in words: "2 wool and 1 ore", or "nothing"."""
    parts = [f"{n} {name}" for n, name in zip(cards, RESOURCES, strict=True) if n]
    if not parts:
        return "nothing"
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
