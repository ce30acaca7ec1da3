"""The sea with waves, shallows and beach: the same for all boards that have their land in the same places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import cos, pi, sin

from PIL import Image

from engine.resources import SEA
from render.bands import cut, joined, kept, key
from render.ink import Ink
from render.layout import Layout
from render.palette import SAND, SEAS, SHADE, WAVE, BoardLook, Color, PaletteName, dimmed, fixed, mix, reduce
from render.pen import Fill, Pen, Point

Ramp = Sequence[tuple[int, Color]]
_RAMP: Ramp = (
    (0, WAVE), (48, SEAS[0]), (96, SEAS[1]), (144, SEAS[2]),
    (198, mix(SEAS[2], SAND, 0.5)), (199, SHADE), (252, SAND),
)  # fmt: skip
"""The sea's colors as levels of gray, because drawing in gray is twice as fast: (level, color).

Colors that meet in the picture are neighbors here, because the levels between two colors become their blends. A beach
meets both the shallows and its own shade. So the shade comes right after the blend of shallows and beach.
"""
_WAVE, _OPEN, *_SHALLOWS, _, _SHADE, _SAND = (level for level, _ in _RAMP)
REACHES = (0.48, 0.2)
"""How far the shallows reach from the coast, in hex radii."""
BEACH, SHADOW = 0.065, 0.05
"""How far the beach reaches from the coast, and how far below it its shade is, in hex radii."""


def name(place: Layout, look: BoardLook) -> bytes:
    """A name for the sea: equal for seas that look alike."""
    board = place.board
    return key("sea", look, place.width, place.radius, board.land, board.sea, board.whole, board.land_mask)


def rows(place: Layout, look: BoardLook, first: int, end: int) -> Image.Image:
    """Bands `first` up to (not including) `end` of the sea, as an RGB image."""
    sea = name(place, look)
    keys = [key(sea, k) for k in range(first, end)]
    bands = [band for band_key in keys if (band := kept.get(band_key))]
    if len(bands) < len(keys):
        image = _draw(place).point(_indices(*look), "P")
        drawn = cut(image, quick=True)
        for k, band in enumerate(drawn):
            kept.put(key(sea, k), band)
        bands = drawn[first:end]
    return joined(bands, place.width, fixed(look[0])).convert("RGB")


@lru_cache(maxsize=4)
def _indices(palette: PaletteName, dark: bool) -> bytes:
    """For each level of gray, the index of its color in the palette."""
    levels = Image.new("RGB", (256, 1), dimmed(SAND, dark))
    for (low, color), (high, next_color) in pairwise(_RAMP):
        for level in range(low, high):
            blend = mix(color, next_color, (level - low) / (high - low))
            levels.putpixel((level, 0), dimmed(blend, dark))
    return reduce(levels, palette, dark).tobytes()


def _draw(place: Layout) -> Image.Image:
    """The sea in levels of gray, as an image of mode L."""
    board, r = place.board, place.radius
    ink = Ink(place.width, place.height, origin=(0, 0), fine=2, ground=_OPEN)
    _waves(ink, place)
    land = [place.hex(h) for h, terrain in enumerate(board.terrain) if terrain != SEA]
    for reach, level in zip(REACHES, _SHALLOWS, strict=True):
        _grown(ink, land, r, reach, level)
    _grown(ink, [(x, y + SHADOW * r) for x, y in land], r, BEACH, _SHADE)
    _grown(ink, land, r, BEACH, _SAND)
    return ink.image()


def _grown(ink: Ink, land: list[Point], radius: float, reach: float, level: int) -> None:
    """Fill hexes grown by `reach` hex radii on all sides. Their corners become round: arcs in steps of 15 degrees."""
    outline = [
        (radius * (sin(k * pi / 3) + reach * sin(turn)), -radius * (cos(k * pi / 3) + reach * cos(turn)))
        for k in range(6)
        for turn in (k * pi / 3 + step * pi / 12 for step in range(-2, 3))
    ]
    for x, y in land:
        ink.polygon([(x + dx, y + dy) for dx, dy in outline], level)


def _waves(ink: Ink, place: Layout) -> None:
    """Draw small wave crests in staggered rows."""
    for x, y in waves(place):
        crest(ink, x, y, place.radius, _WAVE)


def waves(place: Layout) -> Iterator[Point]:
    """The middles of the wave crests, in pixels."""
    step = 1.4 * place.radius
    for row in range(int(place.height / step) + 2):
        for column in range(int(place.width / (1.7 * step)) + 2):
            yield (column + (row % 2) / 2) * 1.7 * step, (row + 0.4) * step


def crest(pen: Pen, x: float, y: float, radius: float, fill: Fill) -> None:
    """Draw a wave crest that goes with hexes of a radius."""
    half, thick = 0.12 * radius, 0.017 * radius
    line = [(-2 * half, 0.0), (-half, -half / 2), (0.0, 0.0), (half, -half / 2), (2 * half, 0.0)]
    outline = [(dx, dy - thick) for dx, dy in line] + [(dx, dy + thick) for dx, dy in reversed(line)]
    pen.polygon([(x + dx, y + dy) for dx, dy in outline], fill)
