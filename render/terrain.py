"""The hexes: ground with a lit rim, and drawings round the token that tell the terrain without its colour."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engine.resources import DESERT
from render import icons
from render.ink import Ink, hexagon
from render.palette import TERRAIN

_SIZE = 0.945
"""Radius of the ground in hex radii; the rest is the sandy path between hexes."""

_PLACES: tuple[tuple[icons.Draw, tuple[tuple[float, float, float], ...]], ...] = (
    (icons.hill, ((-0.2, -0.58, 0.36), (0.24, -0.52, 0.42), (-0.3, 0.56, 0.4), (0.22, 0.6, 0.36))),
    (
        icons.tree,
        (
            (0.02, -0.7, 0.3), (-0.24, -0.56, 0.34), (0.27, -0.55, 0.34), (-0.62, -0.24, 0.34), (0.62, -0.24, 0.34),
            (-0.56, 0.2, 0.36), (0.56, 0.2, 0.36), (-0.3, 0.54, 0.34), (0.3, 0.54, 0.34), (0.0, 0.62, 0.38),
        ),
    ),
    (
        icons.sheep,
        ((0.02, -0.58, 0.34), (-0.34, 0.52, 0.3), (0.3, 0.56, 0.34), (0.62, -0.16, 0.26)),
    ),
    (
        icons.ear,
        (
            (-0.3, -0.5, 0.34), (-0.1, -0.62, 0.36), (0.1, -0.62, 0.36), (0.3, -0.5, 0.34), (-0.58, -0.2, 0.34),
            (0.58, -0.2, 0.34), (-0.66, 0.16, 0.34), (0.66, 0.16, 0.34), (-0.46, 0.32, 0.34), (0.46, 0.32, 0.34),
            (-0.28, 0.54, 0.36), (-0.1, 0.64, 0.36), (0.1, 0.64, 0.36), (0.28, 0.54, 0.36),
        ),
    ),
    (
        icons.peak,
        (
            (-0.24, -0.54, 0.42), (0.22, -0.56, 0.5), (-0.62, 0.0, 0.36), (0.62, 0.02, 0.36),
            (-0.24, 0.56, 0.46), (0.26, 0.58, 0.4),
        ),
    ),
    (
        icons.dune,
        ((-0.2, -0.44, 0.6), (0.36, -0.2, 0.56), (-0.44, 0.06, 0.56), (0.24, 0.3, 0.66), (-0.2, 0.56, 0.6)),
    ),
)  # fmt: skip
"""By terrain code: what is drawn, and where: x, y, height in hex radii from the centre."""

_TUFTS = ((-0.62, -0.12), (-0.3, -0.52), (0.36, -0.5), (-0.6, 0.24), (0.58, 0.2), (0.0, 0.5), (-0.06, 0.7))
_CACTI = ((0.42, -0.46, 0.34), (-0.46, 0.3, 0.28))


@lru_cache(maxsize=128)
def tile(terrain: int, radius: float) -> Image.Image:
    """A hex of land, in a square picture with the hex's centre in the middle."""
    size = 2 * round(radius) + 2
    ink = Ink(size, size, radius)
    ground, edge, main, _, _ = TERRAIN[terrain]
    soft = 0.12
    ink.polygon(hexagon(_SIZE - soft / 2), main, soft)
    ink.polygon([(x, y - 0.012) for x, y in hexagon(_SIZE - 0.022 - soft / 2)], edge, soft)
    ink.polygon([(x, y + 0.006) for x, y in hexagon(_SIZE - 0.05 - soft / 2)], ground, soft)
    if terrain == 2:
        for x, y in _TUFTS:
            icons.tuft(ink, x, y, 0.13)
    draw, places = _PLACES[terrain]
    for x, y, s in places:
        draw(ink, x, y, s)
    if terrain == DESERT:
        for x, y, s in _CACTI:
            icons.cactus(ink, x, y, s)
    ink.clip(hexagon(_SIZE))
    return ink.image()
