"""Roads, bridges, settlements and cities. Each player's pieces have a mark of their own."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

from PIL import Image

from engine.terms import Piece
from render.icons import star
from render.ink import Ink, trim
from render.palette import INK, PAPER, PLANK, PLAYERS, WOOD, Color, PaletteName, lit, on, shaded
from render.pen import ANGLES, Pen, Point

_LINE = 0.032
"""Width of a piece's outline, in hex radii."""
_RIM = 0.016
"""Width of the pale line around the outline, which stands out from forest and from dark grounds."""
_ROAD = 0.8
"""Length of a road, in hex radii."""


MARKED = {Piece.SETTLEMENT: (0.0, 0.06, 0.155), Piece.CITY: (0.05, 0.12, 0.2)}
MARKED |= dict.fromkeys((Piece.ROAD, Piece.BRIDGE), (0.0, 0.0, 0.085))
"""Where the mark is on a piece, and how large: (x, y, height) in hex radii."""


def mark(pen: Pen, color: str, x: float, y: float, s: float, fill: Color) -> None:
    """Draw the mark of a player's color, about `s` high (see `palette.MARKS`)."""
    h = s / 2
    if color == "red":
        pen.circle(x, y, h * 0.9, fill)
    elif color == "blue":
        pen.box(x - h * 0.85, y - h * 0.85, 1.7 * h, 1.7 * h, fill)
    elif color == "white":
        pen.polygon([(x, y - h), (x + 1.05 * h, y + 0.8 * h), (x - 1.05 * h, y + 0.8 * h)], fill)
    elif color == "orange":
        pen.polygon([(x, y - 1.15 * h), (x + h, y), (x, y + 1.15 * h), (x - h, y)], fill)
    elif color == "green":
        pen.box(x - 0.32 * h, y - h, 0.64 * h, 2 * h, fill)
        pen.box(x - h, y - 0.32 * h, 2 * h, 0.64 * h, fill)
    elif color == "brown":
        star(pen, x, y, 1.25 * s, fill, None)
    elif color == "purple":
        for k in range(24):
            a, b = k * pi / 12, (k + 1) * pi / 12
            ends: list[Point] = [(x + 0.75 * h * cos(t), y + 0.75 * h * sin(t)) for t in (a, b)]
            pen.line(ends, 0.42 * h, fill)
    else:
        pen.box(x - h, y - 0.8 * h, 2 * h, 0.6 * h, fill)
        pen.box(x - h, y + 0.2 * h, 2 * h, 0.6 * h, fill)


@lru_cache(maxsize=256)
def building(kind: Piece, color: str, radius: float, palette: PaletteName = "standard") -> Image.Image:
    """A settlement or city; the intersection is in the middle of the picture."""
    size = 2 * round(radius * 0.4)
    ink = Ink(size, size, radius)
    body = PLAYERS[palette][color]
    house(ink, kind, body)
    mark(ink, color, *MARKED[kind], on(body))
    return trim(ink.image())


def house(pen: Pen, kind: Piece, body: Color) -> None:
    """Draw a settlement or city without its mark."""
    shapes = _CITY if kind is Piece.CITY else _SETTLEMENT
    for edge, fill in ((2.6 * _LINE + 2 * _RIM, PAPER), (2.6 * _LINE, INK)):
        for shape, _ in shapes:
            pen.polygon([(x, y + 0.015) for x, y in shape], fill, edge)
    for shape, light in shapes:
        pen.polygon(shape, (body, lit(body), shaded(body))[light])


_Shapes = tuple[tuple[list[Point], int], ...]
_SETTLEMENT: _Shapes = (
    ([(-0.15, -0.04), (0.15, -0.04), (0.15, 0.17), (-0.15, 0.17)], 0),
    ([(-0.19, -0.03), (0.0, -0.21), (0.19, -0.03)], 1),
)
_CITY: _Shapes = (
    ([(-0.24, -0.14), (-0.04, -0.14), (-0.04, 0.24), (-0.24, 0.24)], 2),
    ([(-0.28, -0.13), (-0.14, -0.29), (0.0, -0.13)], 1),
    ([(-0.1, 0.0), (0.24, 0.0), (0.24, 0.24), (-0.1, 0.24)], 0),
    ([(-0.12, 0.0), (-0.02, -0.1), (0.2, -0.1), (0.28, 0.0)], 1),
)


@lru_cache(maxsize=512)
def road(kind: Piece, color: str, slant: int, radius: float, palette: PaletteName = "standard") -> Image.Image:
    """A road or bridge, centered in the picture (`slant`: see `ink.ANGLES`)."""
    size = 2 * round(radius * 0.54)
    ink = Ink(size, size, radius)
    body = PLAYERS[palette][color]
    way(ink, kind, ANGLES[slant], body)
    mark(ink, color, *MARKED[kind], on(body))
    return trim(ink.image())


def way(pen: Pen, kind: Piece, angle: float, body: Color) -> None:
    """Draw a road or bridge without its mark, in a direction in radians (0: east)."""
    c, s = cos(angle), sin(angle)

    def bar(length: float, width: float, fill: Color) -> None:
        half = (length - width) / 2
        pen.line([(-half * c, -half * s), (half * c, half * s)], width, fill)

    if kind is Piece.BRIDGE:
        for end in (-0.3, 0.3):  # pylons, on which the planks lie
            for side in (-0.13, 0.13):
                x, y = end * c - side * s, end * s + side * c
                pen.circle(x, y, 0.075, INK)
                pen.circle(x, y, 0.045, WOOD)
        bar(_ROAD + 2 * _LINE + 2 * _RIM, 0.22 + 2 * _LINE + 2 * _RIM, PAPER)
        bar(_ROAD + 2 * _LINE, 0.22 + 2 * _LINE, INK)
        bar(_ROAD, 0.22, PLANK)
        for k in range(-4, 5):
            ends = [(0.085 * k * c - t * s, 0.085 * k * s + t * c) for t in (-0.1, 0.1)]
            pen.line(ends, 0.022, INK, caps=False)
        bar(_ROAD - 0.04, 0.115 + _LINE, INK)
        bar(_ROAD - 0.04, 0.115, body)
    else:
        bar(_ROAD + 2 * _LINE + 2 * _RIM, 0.155 + 2 * _LINE + 2 * _RIM, PAPER)
        bar(_ROAD + 2 * _LINE, 0.155 + 2 * _LINE, INK)
        bar(_ROAD, 0.155, body)


@lru_cache(maxsize=64)
def highlight(slant: int, radius: float, fill: Color) -> Image.Image:
    """The mark under a road that was just built."""
    size = 2 * round(radius * 0.56)
    ink = Ink(size, size, radius)
    shine(ink, ANGLES[slant], fill)
    return trim(ink.image())


def shine(pen: Pen, angle: float, fill: Color) -> None:
    """Draw that mark, in a direction in radians."""
    half = 0.4
    ends = [(-half * cos(angle), -half * sin(angle)), (half * cos(angle), half * sin(angle))]
    for width, color in ((0.42, INK), (0.375, fill), (0.26, PAPER)):
        pen.line(ends, width, color)


@lru_cache(maxsize=64)
def chip(color: str, palette: PaletteName, size: int) -> Image.Image:
    """A player's mark on a round plate of their color, `size` pixels wide."""
    ink = Ink(size, size)
    body = PLAYERS[palette][color]
    ink.circle(0, 0, size / 2, INK)
    ink.circle(0, 0, size / 2 - 2, body)
    mark(ink, color, 0, 0, size * 0.52, on(body))
    return ink.image()
