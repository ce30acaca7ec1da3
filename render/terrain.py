"""The land hexes: ground with a lit rim, and drawings around the token that show the terrain even without color."""

from __future__ import annotations

from functools import lru_cache
from math import cos, sin

from PIL import Image

from engine.resources import DESERT, WOOL
from render import icons
from render.ink import Ink, trim
from render.palette import FOAM, TERRAIN, dim, dimmed
from render.pen import ANGLES, Pen, hexagon
from render.sizes import SMALL, WIDE

GROUND = 0.945
"""Radius of the ground in hex radii; the rest is the sandy path between hexes."""

_PLACES: tuple[tuple[icons.Draw, tuple[tuple[float, float, float], ...]], ...] = (
    (icons.bricks, ((-0.27, -0.54, 0.36), (0.27, 0.54, 0.36), (0.27, -0.54, 0.36), (-0.27, 0.54, 0.36))),
    (
        icons.tree,
        (
            (-0.28, -0.55, 0.42), (0.28, 0.55, 0.42), (0.28, -0.55, 0.42),
            (-0.28, 0.55, 0.42), (0.61, 0.0, 0.42), (-0.61, 0.0, 0.42),
        ),
    ),
    (icons.sheep, ((-0.29, -0.55, 0.36), (0.29, 0.55, 0.36), (0.61, 0.0, 0.3), (-0.29, 0.55, 0.36))),
    (
        icons.ear,
        (
            (-0.28, -0.56, 0.44), (0.28, 0.57, 0.44), (0.28, -0.56, 0.44),
            (-0.28, 0.57, 0.44), (0.6, 0.0, 0.44), (-0.6, 0.0, 0.44),
        ),
    ),
    (icons.peak, ((-0.26, -0.54, 0.46), (0.26, 0.54, 0.46), (0.26, -0.54, 0.46), (-0.26, 0.54, 0.46))),
    (icons.dune, ((-0.2, -0.44, 0.6), (-0.44, 0.06, 0.56), (0.34, 0.3, 0.66), (-0.2, 0.56, 0.6))),
)  # fmt: skip
"""By terrain code: the drawing, and its places as (x, y, height) in hex radii from the center, away from the corners.

Small hexes show the first two, larger; other hexes that aren't wide show the first four."""

FOAMY = 0.022
"""Width of the foam along an edge at sea, in hex radii."""
_BESIDE = 0.42
"""Radius of a token in hex radii from which there is no room for a drawing at its side."""
_TUFTS = ((-0.6, 0.0), (0.29, -0.55))
_CACTI = ((0.42, -0.46, 0.34), (-0.46, 0.3, 0.28))


@lru_cache(maxsize=128)
def tile(terrain: int, radius: float, token: float, dark: bool = False) -> Image.Image:
    """A land hex, centered in the picture. `token`: the radius of tokens in hex radii, around which it has drawings."""
    size = 2 * round(radius) + 2
    ink = Ink(size, size, radius, fine=3)
    land(ink, terrain, radius, token)
    ink.clip(hexagon(GROUND))
    return dim(trim(ink.image()), dark)


def land(pen: Pen, terrain: int, radius: float, token: float) -> None:
    """Draw a land hex, with what there is room for at a radius in pixels."""
    ground, main, _, _ = TERRAIN[terrain]
    soft = 0.12
    shape = hexagon(GROUND - soft / 2)
    if radius >= WIDE:  # its lower rim lies in the shade
        pen.polygon(shape, main, soft)
        shape = [(x, y - 0.035) for x, y in shape]
    pen.polygon(shape, ground, soft)
    if terrain == WOOL and radius >= WIDE:
        for x, y in _TUFTS:
            icons.tuft(pen, x, y, 0.13)
    draw, places = _PLACES[terrain]
    small, apart = radius < SMALL, max(1, (token + 0.18) / 0.56)
    chosen = places if radius >= WIDE else places[: 2 if small else 4]
    for x, y, s in sorted(places if terrain == DESERT else chosen, key=lambda place: place[1]):
        if terrain == DESERT:
            draw(pen, x, y, s)
        elif y or token < _BESIDE:
            draw(pen, apart * x if y else x, apart * y, s * 1.12 if small else s)
    if terrain == DESERT:
        for x, y, s in _CACTI:
            icons.cactus(pen, x, y, s)


@lru_cache(maxsize=32)
def foam(slant: int, radius: float, dark: bool = False) -> Image.Image:
    """An edge between two sea hexes, centered in the picture (`slant`: see `ink.ANGLES`)."""
    size = 2 * round(0.55 * radius)
    ink = Ink(size, size, radius)
    x, y = cos(ANGLES[slant]) / 2, sin(ANGLES[slant]) / 2
    ink.line([(-x, -y), (x, y)], FOAMY, dimmed(FOAM, dark))
    return trim(ink.image())
