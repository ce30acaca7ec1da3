"""What boards with one island share: a ring of sea around it, with harbors on every other sea hex."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.board import Board, Harbor
from engine.geometry import SIDES, Grid, Hex, grid, ring
from engine.resources import SEA
from engine.scenarios.components import pick, robber_start, shuffled
from engine.scenarios.laying import apart, even, lay_spiral, scatter, spirals
from engine.scenarios.scenario import Draw


@dataclass(frozen=True)
class Island:
    """An outline with its components; `Island.deal` makes a board from it.

    `parts` are the pieces of land, each with its own terrain and tokens: one, or the two of `peanut`.
    `harbors` are the edges that harbors open to, clockwise from the top left, as "row.hex-side" of the land.
    """

    parts: tuple[tuple[Hex, ...], ...]
    terrain: tuple[int, ...]
    """Terrain of each part."""
    letters: tuple[int, ...]
    """Number tokens of each part by letter, one for each of its hexes except deserts."""
    harbors: tuple[str, ...]

    @cached_property
    def land(self) -> tuple[Hex, ...]:
        """All land hexes in reading order."""
        return tuple(sorted(h for part in self.parts for h in part))

    @cached_property
    def sea(self) -> tuple[Hex, ...]:
        """The ring of sea in reading order."""
        return ring(self.land)

    @cached_property
    def grid(self) -> Grid:
        """The tables of the outline."""
        return grid(self.land, self.sea)

    @cached_property
    def spirals(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each part, the orders in which its hex ids get tokens, one order from each corner (B5)."""
        index = {h: i for i, h in enumerate(self.grid.hexes)}
        return tuple(tuple(tuple(index[h] for h in order) for order in spirals(part)) for part in self.parts)

    @cached_property
    def coast(self) -> tuple[tuple[int, int], ...]:
        """The harbors' places as (harbor hex, its open side)."""
        out = []
        for edge in self.harbors:
            name, _, side = edge.partition("-")
            land, outward = self.grid.hex_names.index(name), SIDES.index(side)
            out.append((self.grid.neighbours[land][outward], (outward + 3) % 6))
        return tuple(out)

    def deal(self, kinds: tuple[int, ...], layout: str, draw: Draw) -> Board:
        """Deal a board: terrain, tokens, the harbors' kinds and the robber's desert are drawn, in this order."""
        terrain = [SEA] * len(self.grid.hexes)
        for orders in self.spirals:
            for h, kind in zip(sorted(orders[0]), shuffled(self.terrain, draw), strict=True):
                terrain[h] = kind
        tokens = self._lay(terrain, layout, draw)
        placed = zip(self.coast, shuffled(kinds, draw), strict=True)
        return Board(
            land=self.land,
            sea=self.sea,
            terrain=tuple(terrain),
            tokens=tuple(tokens),
            harbors=tuple(Harbor(place, side, kind) for (place, side), kind in placed),
            robber=robber_start(terrain, draw),
        )

    def _lay(self, terrain: list[int], layout: str, draw: Draw) -> list[int]:
        """Tokens by hex id (B5)."""
        tokens = [0] * len(terrain)
        if layout == "spiral":
            for orders in self.spirals:
                lay_spiral(pick(orders, draw), terrain, self.letters, tokens)
            return tokens
        parts = [(orders[0], self.letters) for orders in self.spirals]
        if layout == "random":
            return scatter(parts, terrain, apart(self.grid), draw)
        return scatter(parts, terrain, even(self.grid, terrain, len(parts) * self.letters), draw)
