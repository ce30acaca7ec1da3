"""Where a board's places are in a picture of a given width."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from engine.board import Board, Harbor
from engine.geometry import SIDES, corners
from engine.resources import SEA
from render.ink import Point, toward

_COS = sqrt(3) / 2
SMALL, WIDE = 85, 100
"""Hex radii in pixels: below `SMALL` a hex has few drawings and a larger token, from `WIDE` on it shows everything."""
OFFSHORE = 0.66
"""How far a harbor's sign stands from the coast, as a share of the way to the center of its hex."""
_MARGIN = 18
"""Pixels between a box in a corner of the picture and the picture's rim."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of a board in a picture, in pixels from the upper left corner."""

    board: Board
    width: int
    height: int
    radius: float
    """Radius of a hex."""
    left: float
    top: float
    """With `left`: where the board's (0, 0) lies."""

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

    @property
    def sign(self) -> float:
        """The radius to draw harbor signs for: larger if they stand in the middle of their hex."""
        return self.radius * (1.25 if self.board.whole else 1)

    @property
    def token(self) -> float:
        """The radius to draw tokens for: larger on small hexes."""
        return self.radius * (1.12 if self.radius < SMALL else 1)

    def harbor(self, harbor: Harbor) -> Point:
        """The middle of a harbor's sign: the center of its hex, or near the coast if the sea is only a ring."""
        center = self.hex(harbor.hex)
        if harbor.side is None or self.board.whole:
            return center
        return toward(toward(*self.side(harbor.hex, harbor.side), 0.5), center, OFFSHORE)

    def robber(self, h: int) -> Point:
        """The middle of the robber's foot on a hex: next to the token or the harbor's sign, else in the middle."""
        x, y = self.hex(h)
        for harbor in self.board.harbors:
            if harbor.hex == h:
                hx, hy = self.harbor(harbor)
                shift = (0.66 if self.board.whole else 0.58) * self.radius
                edge = 0.5 * self.radius  # seaward, but not out of the picture
                x = hx - shift if hx < self.width / 2 else hx + shift
                return (min(max(x, edge), self.width - edge), hy + 0.38 * self.radius)
        if self.board.tokens[h]:
            aside = 0.5 if self.token == self.radius else 0.57
            return (x - aside * self.radius, y + 0.4 * self.radius)
        return (x, y + 0.44 * self.radius)

    def corner(self, width: int, height: int) -> Point | None:
        """The middle of a box of that size in the picture's first corner with open sea; None if no corner has any."""
        board = self.board
        hexes = [h for h, t in enumerate(board.terrain) if board.whole or t != SEA]
        circles = [(*self.hex(h), self.radius) for h in hexes]
        circles += [(*self.harbor(harbor), 0.45 * self.radius) for harbor in board.harbors]
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
def layout(board: Board, width: int) -> Layout:
    """The largest board that fits the width: all hexes if there is water to build on, else the land and its coast."""
    grid = board.grid
    hexes = [p for h, p in enumerate(grid.hexes) if board.whole or board.terrain[h] != SEA]
    xs = [c[0] for h in hexes for c in corners(h)]
    ys = [c[1] for h in hexes for c in corners(h)]
    aside, above = (0.38, 0.32) if board.whole else (1.06, 0.78)
    radius = width / ((max(xs) - min(xs)) * _COS + 2 * aside)
    height = radius * ((max(ys) - min(ys)) / 2 + 2 * above)
    return Layout(
        board=board,
        width=width,
        height=round(height),
        radius=radius,
        left=(aside - min(xs) * _COS) * radius,
        top=(above - min(ys) / 2) * radius,
    )
