"""Drawings as scalable vector graphics: a pen that keeps what it drew, and the markup that comes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, pairwise
from math import cos, sin
from typing import NamedTuple

from render.palette import Color
from render.pen import Fill, Pen, Point

Paint = tuple[Color, Color]
"""A color in the light and in the dark look."""
Name = Callable[[Paint], str]
"""Gives a paint's class in the style sheet."""


_ROUND = 20
"""Tenths of a unit of the graphics from which on round corners can be seen."""


class Shape(NamedTuple):
    """A part of a drawing."""

    path: str
    fill: Color
    class_: str = ""
    """Its class besides that of its color; empty: it is filled."""
    width: int = 0
    """Of its line, in tenths of a unit of the graphics."""


class Trace(Pen):
    """Keeps shapes as paths. A unit of the drawing is `unit` units of the graphics, and (0, 0) is at `origin`.

    All filled shapes go around clockwise, so that shapes that overlap can be one path.
    """

    def __init__(self, unit: float = 1.0, origin: Point = (0.0, 0.0)) -> None:
        self.unit = unit
        self.origin = origin
        self.shapes: list[Shape] = []

    def fill(self, points: Sequence[Point], fill: Fill) -> None:
        """Draw a filled polygon."""
        self._keep(self._around(points), fill)

    def polygon(self, points: Sequence[Point], fill: Fill, edge: float = 0, outline: Fill | None = None) -> None:
        """Draw a filled polygon. A line of the width `edge`, centered on the border, rounds its corners."""
        if edge and outline in (None, fill):
            self._keep(self._around(points), fill, "edge", self._tenths(edge))
        else:
            super().polygon(points, fill, edge, outline)

    def leaf(self, x: float, y: float, angle: float, length: float, width: float, fill: Color) -> None:
        """Draw a pointed oval that starts at (x, y) and goes in the direction `angle` (radians, 0: east)."""
        c, s = cos(angle), sin(angle)
        shape = [(0.0, 0.0), (0.25, -0.66), (0.75, -0.66), (1.0, 0.0), (0.75, 0.66), (0.25, 0.66), (0.0, 0.0)]
        points = [(x + a * length * c - b * width * s, y + a * length * s + b * width * c) for a, b in shape]
        first, *_ = places = self._places(points)
        curves = "".join(
            "c" + numbers(*(n for bx, by in places[k + 1 : k + 4] for n in (bx - places[k][0], by - places[k][1])))
            for k in (0, 3)
        )
        self._keep(f"M{numbers(*first)}{curves}z", fill)

    def ellipse(self, x: float, y: float, rx: float, ry: float, fill: Fill) -> None:
        """Draw a filled ellipse around (x, y)."""
        wide, high = self._tenths(rx), self._tenths(ry)
        half = f"a{numbers(wide, high, 0)} 11"
        start = numbers(self._tenths(x, self.origin[0]) - wide, self._tenths(y, self.origin[1]))
        self._keep(f"M{start}{half}{numbers(2 * wide, 0)}{half}{numbers(-2 * wide, 0)}z", fill)

    def line(self, points: Sequence[Point], width: float, fill: Fill, caps: bool = True) -> None:
        """Draw a line through points, with round joints and, with `caps`, round ends."""
        self._keep(self._along(points), fill, "line" if caps else "line cut", self._tenths(width))

    def box(self, x: float, y: float, width: float, height: float, fill: Color, round_: float = 0) -> None:
        """Draw a filled rectangle with rounded corners; (x, y) is its upper left corner."""
        wide, high = self._tenths(width), self._tenths(height)
        r = min(self._tenths(round_), wide // 2, high // 2)
        r = r if r >= _ROUND else 0
        turns = [f"a{numbers(r, r, 0)} 01{numbers(*to)}" if r else "" for to in ((r, r), (-r, r), (-r, -r), (r, -r))]
        a, b = wide - 2 * r, high - 2 * r
        sides = zip("hvhv", (a, b, -a, -b), turns, strict=True)
        around = "".join(f"{way}{numbers(length)}{turn}" for way, length, turn in sides)
        start = numbers(self._tenths(x, self.origin[0]) + r, self._tenths(y, self.origin[1]))
        self._keep(f"M{start}{around}z", fill)

    def _places(self, points: Sequence[Point]) -> list[tuple[int, int]]:
        left, top = self.origin
        return [(self._tenths(x, left), self._tenths(y, top)) for x, y in points]

    def _tenths(self, length: float, start: float = 0.0) -> int:
        return round(10 * (start + length * self.unit))

    def _around(self, points: Sequence[Point]) -> str:
        area = sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise([*points, points[0]]))
        return self._along(points if area > 0 else points[::-1]) + "z"

    def _along(self, points: Sequence[Point]) -> str:
        first, *_ = places = self._places(points)
        steps = [step for (ax, ay), (bx, by) in pairwise(places) for step in (bx - ax, by - ay)]
        return f"M{numbers(*first)}l{numbers(*steps)}"

    def _keep(self, path: str, fill: Fill, class_: str = "", width: int = 0) -> None:
        if isinstance(fill, int):
            raise TypeError("a level of gray is no color")
        self.shapes.append(Shape(path, fill, class_, width))


def numbers(*tenths: int) -> str:
    """Numbers in tenths, as they are written one after the other in a path, as short as they can be."""
    found = ""
    for n in tenths:
        whole, part = divmod(abs(n), 10)
        number = ("-" if n < 0 else "") + (str(whole or "") if part else str(whole)) + (f".{part}" if part else "")
        found += number if not found or n < 0 else f" {number}"
    return found


def decimal(length: float) -> str:
    """A length to a tenth."""
    return numbers(round(10 * length))


def markup(light: Trace, dark: Trace, name: Name) -> str:
    """A drawing in two looks, which differ in nothing but colors."""
    shapes = [(name((a.fill, b.fill)), a) for a, b in zip(light.shapes, dark.shapes, strict=True)]
    found = ""
    for (paint, class_, width), run in groupby(shapes, lambda shape: (shape[0], shape[1].class_, shape[1].width)):
        classes = " ".join(filter(None, (paint, class_)))
        found += '<path class="{}"{} d="{}"/>'.format(
            classes, f' stroke-width="{numbers(width)}"' if width else "", "".join(shape.path for _, shape in run)
        )
    return found.replace(' class=""', "")
