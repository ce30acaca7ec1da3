"""Hexes, intersections and edges of any set of hexes: ids, neighbors, places in the plane, names and back.

Hexes stand on a corner. A hex is (row, x) in doubled columns: its neighbor to the east is (row, x + 2), to the
southeast (row + 1, x + 1). A corner is (x, y) with x as for hexes and y in half radii, so the hex (row, x) has its
center at (x, 3 * row) and its northern corner at (x, 3 * row - 2). In a picture with hexes of radius R, a point
(x, y) is at (x * R * sqrt(3) / 2, y * R / 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

Hex = tuple[int, int]
Corner = tuple[int, int]

SIDES = ("NE", "E", "SE", "SW", "W", "NW")
"""Sides of a hex, clockwise; side i joins the corners i and i + 1, clockwise from the north."""
_STEPS: tuple[Hex, ...] = ((-1, 1), (0, 2), (1, 1), (1, -1), (0, -2), (-1, -1))
_CORNERS: tuple[Corner, ...] = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))


def neighbour(place: Hex, side: int) -> Hex:
    """The hex on the other side of `side` (0 to 5, clockwise from NE)."""
    step = _STEPS[side % 6]
    return (place[0] + step[0], place[1] + step[1])


def corners(place: Hex) -> tuple[Corner, ...]:
    """The six corners, clockwise from the north."""
    row, x = place
    return tuple((x + dx, 3 * row + dy) for dx, dy in _CORNERS)


def rows(*lengths: int, first: int = 0) -> tuple[Hex, ...]:
    """Hexes in centered rows of the given lengths, e.g. `rows(3, 4, 5, 4, 3)`; row numbers start at `first`."""
    return tuple((first + r, 2 * i - (n - 1)) for r, n in enumerate(lengths) for i in range(n))


def ring(hexes: Iterable[Hex]) -> tuple[Hex, ...]:
    """The hexes that touch `hexes` from outside, in reading order."""
    inside = set(hexes)
    return tuple(sorted({neighbour(h, s) for h in inside for s in range(6)} - inside))


def bits(mask: int) -> Iterator[int]:
    """The set bits of a mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(ids: Iterable[int]) -> int:
    """A mask with the given bits set."""
    mask = 0
    for i in ids:
        mask |= 1 << i
    return mask


@dataclass(frozen=True, slots=True)
class Grid:
    """Tables of one outline. Ids count hexes, intersections and edges from 0 in reading order (row, then x)."""

    hexes: tuple[Hex, ...]
    nodes: tuple[Corner, ...]
    """Intersections, by id, as points in the plane."""
    edges: tuple[tuple[int, int], ...]
    """Edges, by id, as the two intersections that they join."""
    hex_names: tuple[str, ...]
    node_names: tuple[str, ...]
    edge_names: tuple[str, ...]
    hex_nodes: tuple[tuple[int, ...], ...]
    """For each hex, its six corners clockwise from the north; -1 where there is no intersection."""
    hex_edges: tuple[tuple[int, ...], ...]
    """For each hex, its six sides clockwise from NE; -1 where there is no edge."""
    node_hexes: tuple[tuple[int, ...], ...]
    node_edges: tuple[tuple[int, ...], ...]
    node_edge_mask: tuple[int, ...]
    edge_hexes: tuple[tuple[int, ...], ...]
    edge_node_mask: tuple[int, ...]
    neighbours: tuple[tuple[int, ...], ...]
    """For each hex, its six neighbors clockwise from NE; -1 where there is none."""

    def node(self, name: str) -> int | None:
        """The intersection with that name (`C4`, in either case), or None."""
        return _find(self.node_names, name.strip().upper())

    def edge(self, name: str) -> int | None:
        """The edge with that name (`c4`, in either case), or None."""
        return _find(self.edge_names, name.strip().lower())

    def hex(self, name: str) -> int | None:
        """The hex with that name (`3.2`; sea around an island `s.2`), or None."""
        return _find(self.hex_names, name.strip().lower())


def _find(names: tuple[str, ...], name: str) -> int | None:
    try:
        return names.index(name)
    except ValueError:
        return None


@lru_cache(maxsize=64)
def grid(land: tuple[Hex, ...], sea: tuple[Hex, ...], whole: bool = False) -> Grid:
    """The tables of an outline.

    `whole` is for boards with bridges, where land is shuffled with the sea: every hex has intersections and is
    named by its row. Otherwise only land has intersections (B1); land is named `row.number`, and the sea `s.number`.
    """
    hexes = tuple(sorted({*land, *sea}))
    index = {h: i for i, h in enumerate(hexes)}
    named = set(hexes if whole else land)
    playable = [h for h in hexes if h in named]
    points = sorted({c for h in playable for c in corners(h)}, key=lambda c: (_zigzag(c), c[0]))
    node_index = {c: i for i, c in enumerate(points)}
    pairs = {_pair(corners(h), s) for h in playable for s in range(6)}
    ordered = sorted(pairs, key=lambda p: (_edge_row(p), p[0][0] + p[1][0]))
    edge_index = {p: i for i, p in enumerate(ordered)}
    edges = tuple((node_index[a], node_index[b]) for a, b in ordered)
    hex_nodes = tuple(tuple(node_index.get(c, -1) for c in corners(h)) for h in hexes)
    hex_edges = tuple(tuple(edge_index.get(_pair(corners(h), s), -1) for s in range(6)) for h in hexes)
    node_edges = tuple(tuple(e for e, ends in enumerate(edges) if n in ends) for n in range(len(points)))
    return Grid(
        hexes=hexes,
        nodes=tuple(points),
        edges=edges,
        hex_names=_hex_names(hexes, named),
        node_names=_names([_zigzag(c) for c in points], "A"),
        edge_names=_names([_edge_row(p) for p in ordered], "a"),
        hex_nodes=hex_nodes,
        hex_edges=hex_edges,
        node_hexes=tuple(tuple(h for h, ns in enumerate(hex_nodes) if n in ns) for n in range(len(points))),
        node_edges=node_edges,
        node_edge_mask=tuple(mask_of(es) for es in node_edges),
        edge_hexes=tuple(tuple(h for h, es in enumerate(hex_edges) if e in es) for e in range(len(edges))),
        edge_node_mask=tuple(1 << a | 1 << b for a, b in edges),
        neighbours=tuple(tuple(index.get(neighbour(h, s), -1) for s in range(6)) for h in hexes),
    )


def _pair(points: tuple[Corner, ...], side: int) -> tuple[Corner, Corner]:
    a, b = sorted((points[side], points[(side + 1) % 6]))
    return (a, b)


def _zigzag(corner: Corner) -> int:
    """Row of an intersection: the zigzag line above hex row r has number r."""
    return (corner[1] + 2) // 3


def _edge_row(pair: tuple[Corner, Corner]) -> int:
    """Row of an edge: zigzag lines are even, upright edges odd."""
    a, b = pair
    return 2 * _zigzag(a) if _zigzag(a) == _zigzag(b) else _zigzag(a) + _zigzag(b)


def _names(row_numbers: list[int], first_letter: str) -> tuple[str, ...]:
    names, counts, lowest = [], dict[int, int](), min(row_numbers)
    for row in row_numbers:
        counts[row] = counts.get(row, 0) + 1
        names.append(f"{chr(ord(first_letter) + row - lowest)}{counts[row]}")
    return tuple(names)


def _hex_names(hexes: tuple[Hex, ...], named: set[Hex]) -> tuple[str, ...]:
    names, counts, lowest, sea = [], dict[int, int](), min(r for r, _ in named), 0
    for h in hexes:
        if h in named:
            counts[h[0]] = counts.get(h[0], 0) + 1
            names.append(f"{h[0] - lowest + 1}.{counts[h[0]]}")
        else:
            sea += 1
            names.append(f"s.{sea}")
    return tuple(names)
