"""What a drawing is made of, whether a picture's pixels come out of it or markup: flat shapes, one above the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import cos, pi, sin, sqrt

from render.palette import Color

Point = tuple[float, float]
Fill = Color | int
"""A color, or a level of gray on a gray canvas."""

HEXAGON: tuple[Point, ...] = tuple((sin(k * pi / 3), -cos(k * pi / 3)) for k in range(6))
"""Corners of a hex of radius 1, clockwise from the north."""
ANGLES = {0: pi / 2, 1: -pi / 6, -1: pi / 6}
"""Directions of edges in radians (0: east), by slant: 0 upright, 1 rising to the east, -1 falling."""


class Pen(ABC):
    """Draws shapes in units of any size; y grows downward."""

    @abstractmethod
    def fill(self, points: Sequence[Point], fill: Fill) -> None:
        """Draw a filled polygon."""

    @abstractmethod
    def ellipse(self, x: float, y: float, rx: float, ry: float, fill: Fill) -> None:
        """Draw a filled ellipse around (x, y)."""

    @abstractmethod
    def line(self, points: Sequence[Point], width: float, fill: Fill, caps: bool = True) -> None:
        """Draw a line through points, with round joints and, with `caps`, round ends."""

    @abstractmethod
    def box(self, x: float, y: float, width: float, height: float, fill: Color, round_: float = 0) -> None:
        """Draw a filled rectangle with rounded corners; (x, y) is its upper left corner."""

    def polygon(self, points: Sequence[Point], fill: Fill, edge: float = 0, outline: Fill | None = None) -> None:
        """Draw a filled polygon. A line of the width `edge`, centered on the border, rounds its corners."""
        if edge:
            self.line([*points, points[0], points[1]], edge, outline or fill)
        self.fill(points, fill)

    def circle(self, x: float, y: float, r: float, fill: Fill) -> None:
        """Draw a filled circle around (x, y)."""
        self.ellipse(x, y, r, r, fill)

    def leaf(self, x: float, y: float, angle: float, length: float, width: float, fill: Color) -> None:
        """Draw a pointed oval that starts at (x, y) and goes in the direction `angle` (radians, 0: east)."""
        c, s = cos(angle), sin(angle)
        shape = [(0.0, 0.0), (0.25, 0.42), (0.55, 0.5), (0.82, 0.3), (1.0, 0.0)]
        shape += [(a, -b) for a, b in reversed(shape[1:-1])]
        self.polygon([(x + a * length * c - b * width * s, y + a * length * s + b * width * c) for a, b in shape], fill)


def hexagon(radius: float) -> list[Point]:
    """The corners of a hex around the origin."""
    return [(x * radius, y * radius) for x, y in HEXAGON]


def toward(a: Point, b: Point, share: float) -> Point:
    """The point at a share of the way from a to b."""
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def shorten(a: Point, b: Point, by: float) -> tuple[Point, Point]:
    """The ends of the line from a to b once `by` is cut off at both ends."""
    length = sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2)
    return toward(a, b, by / length), toward(b, a, by / length)
