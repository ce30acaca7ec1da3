"""A dealt board: terrain, tokens and harbors on a grid, with the tables that the rules read from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from engine.geometry import Grid, Hex, grid, mask_of
from engine.resources import DESERT, GENERIC, RESOURCES, SEA


@dataclass(frozen=True, slots=True)
class Harbor:
    """A harbor hex, the side (0 to 5, clockwise from NE) that it opens to, and its kind (resource or GENERIC)."""

    hex: int
    side: int | None
    kind: int

    @property
    def rate(self) -> int:
        """Cards given for one."""
        return 3 if self.kind == GENERIC else 2

    @property
    def label(self) -> str:
        """ "3:1 harbor" or "2:1 ore harbor"."""
        return "3:1 harbor" if self.kind == GENERIC else f"2:1 {RESOURCES[self.kind]} harbor"


def pips(token: int) -> int:
    """How many of the 36 rolls give the number; 0 without a token."""
    return 6 - abs(7 - token) if token else 0


@dataclass(frozen=True)
class Board:
    """Everything about a board that doesn't change during a game.

    `terrain` and `tokens` are by hex id (token 0: none). `bridges`: whether sea edges can be built on (B1).
    """

    land: tuple[Hex, ...]
    sea: tuple[Hex, ...]
    terrain: tuple[int, ...]
    tokens: tuple[int, ...]
    harbors: tuple[Harbor, ...]
    robber: int = -1
    """Where the robber starts (B8); -1: off the board."""
    bridges: bool = False
    whole: bool = False
    """Whether land and sea were shuffled together (islands); then every hex is named by its row."""
    grid: Grid = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "grid", grid(self.land, self.sea, self.whole))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the board without its tables."""
        return (
            Board,
            (
                self.land,
                self.sea,
                self.terrain,
                self.tokens,
                self.harbors,
                self.robber,
                self.bridges,
                self.whole,
            ),
        )

    @cached_property
    def land_mask(self) -> int:
        """Land hexes."""
        return mask_of(h for h, t in enumerate(self.terrain) if t != SEA)

    @cached_property
    def harbor_mask(self) -> int:
        """Harbor hexes."""
        return mask_of(h.hex for h in self.harbors)

    @cached_property
    def settle_mask(self) -> int:
        """Intersections with at least one land hex (B1)."""
        land = self.land_mask
        return mask_of(n for n, hexes in enumerate(self.grid.node_hexes) if any(land >> h & 1 for h in hexes))

    @cached_property
    def road_mask(self) -> int:
        """Edges that take a road: at least one of the two hexes is land (B1)."""
        land = self.land_mask
        return mask_of(e for e, hexes in enumerate(self.grid.edge_hexes) if any(land >> h & 1 for h in hexes))

    @cached_property
    def bridge_mask(self) -> int:
        """Edges that take a bridge: both hexes are sea hexes of the board (B1)."""
        if not self.bridges:
            return 0
        return mask_of(
            e
            for e, hexes in enumerate(self.grid.edge_hexes)
            if len(hexes) == 2 and all(self.terrain[h] == SEA for h in hexes)
        )

    def edges_for(self, bridge: bool) -> int:
        """Edges that take a bridge, or those that take a road."""
        return self.bridge_mask if bridge else self.road_mask

    @cached_property
    def sea_edge_mask(self) -> int:
        """Edges with sea, or nothing, on both sides; the distance rule doesn't reach across them (K5)."""
        return ((1 << len(self.grid.edges)) - 1) & ~self.road_mask

    @cached_property
    def blocks(self) -> tuple[int, ...]:
        """For each intersection, the mask of those that a building there closes: itself and its neighbors (F3, K5)."""
        table = []
        for n, edges in enumerate(self.grid.node_edges):
            mask = 1 << n
            for e in edges:
                if not self.sea_edge_mask >> e & 1:
                    mask |= self.grid.edge_node_mask[e]
            table.append(mask)
        return tuple(table)

    @cached_property
    def hex_node_mask(self) -> tuple[int, ...]:
        """For each hex, the mask of its intersections."""
        return tuple(mask_of(n for n in nodes if n >= 0) for nodes in self.grid.hex_nodes)

    @cached_property
    def produce(self) -> tuple[tuple[tuple[int, int, int], ...], ...]:
        """By number 0 to 12: the hexes with that token as (hex, resource, mask of intersections)."""
        table: list[list[tuple[int, int, int]]] = [[] for _ in range(13)]
        for h, token in enumerate(self.tokens):
            if token and self.terrain[h] < DESERT:
                table[token].append((h, self.terrain[h], self.hex_node_mask[h]))
        return tuple(tuple(row) for row in table)

    @cached_property
    def harbor_nodes(self) -> tuple[tuple[int, int, int], ...]:
        """The harbors in use as (kind, mask of the two intersections, harbor hex)."""
        out = []
        for harbor in self.harbors:
            if harbor.side is not None:
                edge = self.grid.hex_edges[harbor.hex][harbor.side]
                out.append((harbor.kind, self.grid.edge_node_mask[edge], harbor.hex))
        return tuple(out)

    def pips_at(self, node: int) -> int:
        """Pips of all producing hexes at an intersection."""
        return sum(pips(self.tokens[h]) for h in self.grid.node_hexes[node] if self.terrain[h] < DESERT)

    def harbors_at(self, node: int) -> tuple[int, ...]:
        """Kinds of the harbors that an intersection has."""
        return tuple(kind for kind, nodes, _ in self.harbor_nodes if nodes >> node & 1)
