"""What the places of a board yield: tables made once per board."""

from __future__ import annotations

from functools import lru_cache

from engine.board import Board, pips
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


@lru_cache(maxsize=16)
def survey_of(board: Board) -> Survey:
    """The tables of a board."""
    return Survey(board)
