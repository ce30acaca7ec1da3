"""What the places of a board yield: tables made once per board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engine.board import Board, pips
from engine.geometry import bits
from engine.resources import DESERT, GENERIC, hand


class Survey:
    """Tables by intersection; pips are throws out of 36."""

    __slots__ = ("board", "hexes", "rates", "total", "yields")

    def __init__(self, board: Board) -> None:
        self.board = board
        grid = board.grid
        self.hexes: list[tuple[tuple[int, int, int], ...]] = []
        """By intersection: (hex, resource, number) of each producing hex."""
        self.rates: list[tuple[int, int, int, int, int]] = []
        """By intersection: how many cards its harbors take for one card, by resource given."""
        self.yields: list[tuple[int, int, int, int, int]] = []
        """By intersection: pips of each resource."""
        self.total: list[int] = []
        """By intersection: all pips."""
        for node, hexes in enumerate(grid.node_hexes):
            producing = tuple(
                (h, board.terrain[h], board.tokens[h]) for h in hexes if board.terrain[h] < DESERT and board.tokens[h]
            )
            by_resource = [0, 0, 0, 0, 0]
            for _, resource, number in producing:
                by_resource[resource] += pips(number)
            kinds = board.harbors_at(node)
            usual = 3 if GENERIC in kinds else 4
            self.rates.append(hand(2 if r in kinds else usual for r in range(5)))
            b, lu, w, g, o = by_resource
            self.hexes.append(producing)
            self.yields.append((b, lu, w, g, o))
            self.total.append(sum(by_resource))

    def brought(self, nodes: int) -> list[int]:
        """Pips of each resource at the intersections of a mask."""
        found = [0, 0, 0, 0, 0]
        for node in bits(nodes):
            for r in range(5):
                found[r] += self.yields[node][r]
        return found

    def worth(self, at: int, has: list[int]) -> float:
        """What an intersection brings to a seat that has pips of each resource: its own, and more for resources that
        the seat lacks."""
        total = 0.0
        for r in range(5):
            n = self.yields[at][r]
            if n:
                total += n + (0 if has[r] else 1.5)
        return total

    def saved(self, at: int, rates: Sequence[int], production: Sequence[float]) -> float:
        """What better rates an intersection's harbors give to a seat with these rates and pips of each resource: pips,
        roughly."""
        better = 0.0
        for r in range(5):
            if self.rates[at][r] < rates[r]:
                better += (rates[r] - self.rates[at][r]) * production[r] / 10.0
        return better


@lru_cache(maxsize=16)
def survey_of(board: Board) -> Survey:
    """The tables of a board."""
    return Survey(board)
