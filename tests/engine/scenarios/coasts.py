"""Harbor edges worked out independently from the rules (B6, K1), to compare the scenarios' lists with."""

from __future__ import annotations

from collections.abc import Collection

from engine.geometry import SIDES, Hex, neighbour


def coastline(land: Collection[Hex]) -> list[Hex]:
    """The sea hexes of the ring, each once, clockwise from the one above the first land hex of the first row."""
    inside = set(land)
    start = (min(inside), 5)
    assert neighbour(*start) not in inside
    place, side = start
    ring: list[Hex] = []
    while True:
        sea = neighbour(place, side)
        if not ring or ring[-1] != sea:
            ring.append(sea)
        beside = neighbour(place, (side + 1) % 6)
        place, side = (beside, (side + 5) % 6) if beside in inside else (place, (side + 1) % 6)
        if (place, side) == start:
            return ring[:-1] if ring[-1] == ring[0] else ring


def facings(sea: Hex, land: Collection[Hex]) -> dict[int, int]:
    """For each side of a sea hex that borders on land: how many land hexes lie that way in an unbroken row."""
    counts = {}
    for side in range(6):
        place, count = neighbour(sea, side), 0
        while place in land:
            place, count = neighbour(place, side), count + 1
        if count:
            counts[side] = count
    return counts


def edge_name(sea: Hex, side: int, land: Collection[Hex]) -> str:
    """A harbor edge as "row.hex-side" of the land, such as "1.1-NW"."""
    place = neighbour(sea, side)
    row = sorted(h for h in land if h[0] == place[0])
    return f"{place[0] - min(land)[0] + 1}.{row.index(place) + 1}-{SIDES[(side + 3) % 6]}"
