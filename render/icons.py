"""The small drawings: trees, sheep, wheat, bricks, peaks, and the resources' and cards' icons made of them."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from render.palette import GOLD, GREY, INK, PAPER, PLANK, TERRAIN, WOOD, Color, mix
from render.pen import Pen, Point

Draw = Callable[[Pen, float, float, float], None]
"""Draws around (x, y), about `s` high."""

_HILLS, _FOREST, _PASTURE, _FIELDS, _MOUNTAINS, _DESERT = TERRAIN


def tree(ink: Pen, x: float, y: float, s: float) -> None:
    """A conifer."""
    _, main, dark, trunk = _FOREST
    ink.box(x - 0.07 * s, y + 0.25 * s, 0.14 * s, 0.25 * s, trunk)
    for top, half, low in ((-0.14, 0.36, 0.34), (-0.5, 0.27, 0.04)):
        ink.polygon([(x, y + top * s), (x + half * s, y + low * s), (x - half * s, y + low * s)], main)
        ink.polygon(
            [(x, y + top * s), (x + half * s, y + low * s), (x + 0.08 * s, y + low * s)],
            dark,
        )


def sheep(ink: Pen, x: float, y: float, s: float) -> None:
    """A sheep in profile."""
    wool = TERRAIN[2][3]
    shade = mix(wool, GREY, 0.28)
    for leg in (-0.2, 0.16):
        ink.line([(x + leg * s, y + 0.2 * s), (x + leg * s, y + 0.44 * s)], 0.09 * s, INK)
    for dx, dy, r in ((-0.26, 0.02, 0.24), (0.0, -0.08, 0.27), (0.24, 0.02, 0.24), (0.0, 0.1, 0.25)):
        ink.circle(x + dx * s, y + (dy + 0.04) * s, r * s, shade)
    for dx, dy, r in ((-0.26, 0.0, 0.22), (0.0, -0.1, 0.25), (0.24, 0.0, 0.22), (0.0, 0.06, 0.24)):
        ink.circle(x + dx * s, y + dy * s, r * s, wool)
    ink.ellipse(x - 0.46 * s, y - 0.12 * s, 0.15 * s, 0.18 * s, INK)
    ink.ellipse(x - 0.34 * s, y - 0.22 * s, 0.1 * s, 0.06 * s, INK)


def tuft(ink: Pen, x: float, y: float, s: float) -> None:
    """Three blades of grass."""
    for angle in (-2.1, -1.57, -1.04):
        ink.leaf(x, y + 0.5 * s, angle, s, 0.26 * s, _PASTURE[1])


def ear(ink: Pen, x: float, y: float, s: float, lean: float = 0.0) -> None:
    """An ear of wheat on its stalk; `lean` in radians."""
    _, main, edge, _ = _FIELDS
    up = -pi / 2 + lean
    foot = (x - 0.5 * s * cos(up), y - 0.5 * s * sin(up))

    def along(share: float) -> Point:
        return (foot[0] + share * s * cos(up), foot[1] + share * s * sin(up))

    ink.line([foot, along(0.9)], 0.06 * s, edge)
    for k in range(3):
        at = along(0.32 + 0.18 * k)
        for turn in (-0.55, 0.55):
            ink.leaf(*at, up + turn, 0.27 * s, 0.16 * s, edge if turn > 0 else main)
    ink.leaf(*along(0.8), up, 0.24 * s, 0.14 * s, main)


def bricks(ink: Pen, x: float, y: float, s: float) -> None:
    """A stack of bricks."""
    _, main, dark, light = _HILLS
    w, h, gap = 0.46 * s, 0.25 * s, 0.05 * s
    places = [
        (x + (k - count / 2) * (w + gap) + gap / 2 + (0.12 * s if row == 2 else 0), y + (row - 1.5) * (h + gap))
        for row, count in enumerate((1, 2, 2))
        for k in range(count)
    ]
    for left, upper in places:
        ink.box(left, upper, w, h, dark, 0.04 * s)
    for left, upper in places:
        ink.box(left, upper, w, h * 0.74, main, 0.04 * s)
    for left, upper in places:
        ink.box(left + 0.06 * s, upper + 0.05 * s, w * 0.4, h * 0.16, light, 0.02 * s)


def peak(ink: Pen, x: float, y: float, s: float) -> None:
    """A mountain with snow."""
    _, main, dark, snow = _MOUNTAINS
    top, left, right, foot = (
        (x, y - 0.5 * s),
        (x - 0.5 * s, y + 0.45 * s),
        (x + 0.5 * s, y + 0.45 * s),
        (x + 0.08 * s, y + 0.45 * s),
    )
    ink.polygon([top, right, left], main)
    ink.polygon([top, right, foot, (x - 0.06 * s, y + 0.1 * s)], dark)
    ink.polygon(
        [top, (x + 0.2 * s, y - 0.12 * s), (x + 0.07 * s, y - 0.2 * s), (x - 0.02 * s, y - 0.04 * s),
         (x - 0.09 * s, y - 0.18 * s), (x - 0.2 * s, y - 0.1 * s)],
        snow,
    )  # fmt: skip


def cactus(ink: Pen, x: float, y: float, s: float) -> None:
    """A cactus."""
    green = _DESERT[3]
    ink.line([(x, y - 0.4 * s), (x, y + 0.5 * s)], 0.2 * s, green)
    ink.line([(x, y + 0.18 * s), (x - 0.3 * s, y + 0.18 * s), (x - 0.3 * s, y - 0.14 * s)], 0.14 * s, green)
    ink.line([(x, y + 0.04 * s), (x + 0.28 * s, y + 0.04 * s), (x + 0.28 * s, y - 0.26 * s)], 0.14 * s, green)


def dune(ink: Pen, x: float, y: float, s: float) -> None:
    """A dune: a crest with its shadow side."""
    _, main, dark, _ = _DESERT
    crest = [(x + (t / 8 - 1) * 0.62 * s, y - 0.2 * s * sin(t * pi / 16) ** 2) for t in range(17)]
    ink.polygon([*crest, (x + 0.3 * s, y + 0.08 * s)], main)
    ink.line(crest[2:-2], 0.045 * s, dark)


def logs(ink: Pen, x: float, y: float, s: float) -> None:
    """Three logs, seen from the end."""
    for dx, dy in ((0.0, -0.24), (-0.26, 0.2), (0.26, 0.2)):
        cx, cy = x + dx * s, y + dy * s
        ink.circle(cx, cy, 0.27 * s, _FOREST[3])
        ink.circle(cx, cy, 0.2 * s, PLANK)
        ink.circle(cx, cy, 0.12 * s, WOOD)
        ink.circle(cx, cy, 0.07 * s, PLANK)


def wheat(ink: Pen, x: float, y: float, s: float) -> None:
    """A sheaf of three ears."""
    for dx, lean in ((-0.2, -0.42), (0.2, 0.42), (0.0, 0.0)):
        ear(ink, x + dx * s, y, s, lean)
    ink.line([(x - 0.14 * s, y + 0.22 * s), (x + 0.14 * s, y + 0.22 * s)], 0.1 * s, _FIELDS[2])


def ore(ink: Pen, x: float, y: float, s: float) -> None:
    """A lump of ore with facets."""
    light, main, dark, snow = _MOUNTAINS
    rim = [
        (-0.46, 0.34),
        (-0.42, -0.06),
        (-0.12, -0.42),
        (0.22, -0.34),
        (0.48, 0.04),
        (0.4, 0.38),
        (-0.1, 0.44),
    ]

    def put(points: list[Point], color: Color) -> None:
        ink.polygon([(x + a * s, y + b * s) for a, b in points], color)

    put(rim, main)
    put([rim[0], rim[1], (-0.08, 0.02), (-0.1, 0.44)], light)
    put([rim[1], rim[2], rim[3], (0.1, -0.1), (-0.08, 0.02)], snow)
    put([rim[4], rim[5], rim[6], (-0.08, 0.02), (0.1, -0.1)], dark)
    put([rim[3], rim[4], (0.1, -0.1)], main)


RESOURCE: tuple[Draw, ...] = (bricks, logs, sheep, wheat, ore)
"""Icons of the resources, by code."""


def shield(ink: Pen, x: float, y: float, s: float) -> None:
    """A knight's shield with crossed bars."""
    rim = [(-0.4, -0.46), (0.4, -0.46), (0.4, 0.02), (0.24, 0.32), (0.0, 0.5), (-0.24, 0.32), (-0.4, 0.02)]
    ink.polygon([(x + a * s, y + b * s) for a, b in rim], INK)
    ink.polygon([(x + a * 0.8 * s, y + b * 0.8 * s) for a, b in rim], TERRAIN[4][0])
    ink.box(x - 0.07 * s, y - 0.36 * s, 0.14 * s, 0.72 * s, (200, 30, 36))
    ink.box(x - 0.31 * s, y - 0.16 * s, 0.62 * s, 0.14 * s, (200, 30, 36))


def star(ink: Pen, x: float, y: float, s: float, fill: Color = GOLD, edge: Color | None = INK) -> None:
    """A star with five points."""
    points = [
        (x + r * s * sin(k * pi / 5), y - r * s * cos(k * pi / 5))
        for k in range(10)
        for r in ((0.5,) if k % 2 == 0 else (0.22,))
    ]
    if edge is None:
        ink.polygon(points, fill)
    else:
        ink.polygon(points, fill, 0.12 * s, edge)


def roads(ink: Pen, x: float, y: float, s: float) -> None:
    """A forking road."""
    for width, color in ((0.26, INK), (0.16, PLANK)):
        ink.line([(x, y + 0.42 * s), (x, y), (x - 0.34 * s, y - 0.34 * s)], width * s, color)
        ink.line([(x, y), (x + 0.34 * s, y - 0.34 * s)], width * s, color)


def plenty(ink: Pen, x: float, y: float, s: float) -> None:
    """Grain and ore: Year of Plenty."""
    wheat(ink, x - 0.2 * s, y - 0.08 * s, 0.8 * s)
    ore(ink, x + 0.24 * s, y + 0.22 * s, 0.46 * s)


def crown(ink: Pen, x: float, y: float, s: float) -> None:
    """A crown: Monopoly."""
    rim = [(-0.44, -0.26), (-0.2, 0.02), (0.0, -0.4), (0.2, 0.02), (0.44, -0.26), (0.36, 0.36), (-0.36, 0.36)]
    ink.polygon([(x + a * s, y + b * s) for a, b in rim], GOLD, 0.1 * s, INK)
    ink.box(x - 0.3 * s, y + 0.18 * s, 0.6 * s, 0.1 * s, (200, 30, 36))


def trophy(ink: Pen, x: float, y: float, s: float) -> None:
    """A star: a victory point."""
    star(ink, x, y, s)


CARD: tuple[Draw, ...] = (shield, roads, plenty, crown, trophy)
"""Icons of the development cards, by code."""


def cards(ink: Pen, x: float, y: float, s: float) -> None:
    """Two cards: a hand."""
    ink.box(x - 0.38 * s, y - 0.42 * s, 0.5 * s, 0.74 * s, INK, 0.08 * s)
    ink.box(x - 0.32 * s, y - 0.36 * s, 0.38 * s, 0.62 * s, PLANK, 0.04 * s)
    ink.box(x - 0.12 * s, y - 0.3 * s, 0.5 * s, 0.74 * s, INK, 0.08 * s)
    ink.box(x - 0.06 * s, y - 0.24 * s, 0.38 * s, 0.62 * s, PAPER, 0.04 * s)


def columns(ink: Pen, x: float, y: float, s: float) -> None:
    """Three columns: stats."""
    for dx, top, color in ((-0.32, 0.05, TERRAIN[1][0]), (0.0, -0.42, GOLD), (0.32, -0.15, (200, 30, 36))):
        ink.box(x + (dx - 0.14) * s, y + top * s, 0.28 * s, (0.42 - top) * s, INK, 0.06 * s)
        ink.box(x + (dx - 0.1) * s, y + (top + 0.04) * s, 0.2 * s, (0.34 - top) * s, color, 0.03 * s)
