"""Where a board's places are in a picture of a given width."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from engine.board import Board, Harbor
from engine.geometry import SIDES, corners
from engine.resources import SEA
from render.pen import Point, toward
from render.sizes import SIGN_ROOM, Sizes, sizes

_COS = sqrt(3) / 2
SINK, HIGH = 0.09, 0.8
"""How far the robber's body is below the center of a hex, and how far its head reaches above with the glow around it,
in hex radii."""
HEAD = 0.3
"""Radius of the robber's head with that glow, in hex radii."""
ALONE = 0.38
"""Largest radius of the robber's body on a hex without a token, in hex radii."""
_COAST, _HEXES = (1.0, 0.4), (0.38, 0.32)
"""How far the picture reaches beyond the land with its beach and buildings, and beyond the hexes of a board that shows
them all: sideways, and up and down, in hex radii."""
_MARGIN = 18
"""Pixels between a box in a corner of the picture and the picture's rim."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of a board in a picture, in pixels from the upper left corner."""

    board: Board
    width: int
    height: int
    sizes: Sizes
    left: float
    top: float
    """With `left`: where the board's (0, 0) lies."""

    @property
    def radius(self) -> float:
        """Radius of a hex."""
        return self.sizes.radius

    def at(self, x: float, y: float) -> Point:
        """A point of the board's plane (see `engine.geometry`)."""
        return (self.left + x * self.radius * _COS, self.top + y * self.radius / 2)

    def hex(self, h: int) -> Point:
        """The center of a hex."""
        row, x = self.board.grid.hexes[h]
        return self.at(x, 3 * row)

    def node(self, n: int) -> Point:
        """An intersection."""
        return self.at(*self.board.grid.nodes[n])

    def ends(self, e: int) -> tuple[Point, Point]:
        """The two ends of an edge."""
        a, b = self.board.grid.edges[e]
        return self.node(a), self.node(b)

    def edge(self, e: int) -> Point:
        """The middle of an edge."""
        return toward(*self.ends(e), 0.5)

    def slant(self, e: int) -> int:
        """How an edge lies: 0 upright, 1 rising to the east, -1 falling."""
        a, b = (self.board.grid.nodes[n] for n in self.board.grid.edges[e])
        return 0 if a[0] == b[0] else 1 if (b[0] > a[0]) == (b[1] < a[1]) else -1

    def side(self, h: int, side: int) -> tuple[Point, Point]:
        """The two ends of a hex's side, even if there is no edge."""
        points = corners(self.board.grid.hexes[h])
        return self.at(*points[side]), self.at(*points[(side + 1) % len(SIDES)])

    def harbor(self, harbor: Harbor) -> Point:
        """The middle of a harbor's sign."""
        return self.hex(harbor.hex)

    def robber(self, h: int) -> Point:
        """The middle of the robber's body on a hex, a little below the hex's center."""
        x, y = self.hex(h)
        return (x, y + SINK * self.radius)

    def body(self, h: int) -> float:
        """The radius of the robber's body on a hex: that of the token or of the harbor's sign on which it stands."""
        if any(harbor.hex == h for harbor in self.board.harbors):
            return self.sizes.sign
        return self.sizes.token if self.board.tokens[h] else min(self.sizes.token, ALONE * self.radius)

    def corner(self, width: int, height: int) -> Point | None:
        """The middle of a box of that size in the picture's first corner with open sea; None if no corner has any."""
        board = self.board
        hexes = [h for h, t in enumerate(board.terrain) if board.whole or t != SEA]
        circles = [(*self.hex(h), self.radius) for h in hexes]
        for x, y in map(self.harbor, board.harbors):  # a robber's head can be above the sign
            circles += [(x, y, self.sizes.sign + 3), (x, y - (HIGH - HEAD) * self.radius, HEAD * self.radius)]
        wide, high = width / 2, height / 2
        for x, y in (
            (_MARGIN + wide, _MARGIN + high),
            (self.width - _MARGIN - wide, _MARGIN + high),
            (_MARGIN + wide, self.height - _MARGIN - high),
            (self.width - _MARGIN - wide, self.height - _MARGIN - high),
        ):
            if all(max(abs(x - tx) - wide, 0) ** 2 + max(abs(y - ty) - high, 0) ** 2 > r * r for tx, ty, r in circles):
                return (x, y)
        return None


@lru_cache(maxsize=1024)
def layout(board: Board, width: int, large: bool = False) -> Layout:
    """The largest board that fits the width, with digits for the usual or the `large` look."""
    left, top, right, bottom = _extent(board)
    radius = width / (right - left)
    return Layout(
        board=board,
        width=width,
        height=round((bottom - top) * radius),
        sizes=sizes(radius, width, large),
        left=-left * radius,
        top=-top * radius,
    )


def _extent(board: Board) -> tuple[float, float, float, float]:
    """What the picture shows, in hex radii from the board's (0, 0): left, top, right and bottom. To both sides it shows
    equally much. That is all hexes if there is water to build on, else the land, its coast and the harbors."""
    hexes = [p for h, p in enumerate(board.grid.hexes) if board.whole or board.terrain[h] != SEA]
    aside, above = _HEXES if board.whole else _COAST
    points = [(x * _COS, y / 2) for h in hexes for x, y in corners(h)]
    left, right = min(x for x, _ in points) - aside, max(x for x, _ in points) + aside
    top, bottom = min(y for _, y in points) - above, max(y for _, y in points) + above
    if not board.whole:
        signs = [board.grid.hexes[harbor.hex] for harbor in board.harbors]
        more = max((max(left - x * _COS, x * _COS - right) for _, x in signs), default=-1.0) + SIGN_ROOM + 0.03
        left, right = left - max(more, 0), right + max(more, 0)
        top = min(top, *(1.5 * row - HIGH for row, _ in signs)) if signs else top
        bottom = max(bottom, *(1.5 * row + SIGN_ROOM + SINK + 0.03 for row, _ in signs)) if signs else bottom
    return left, top, right, bottom
