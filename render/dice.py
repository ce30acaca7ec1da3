"""Two dice."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from render.ink import Ink
from render.palette import INK, PAPER, RED, RIM

_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@lru_cache(maxsize=64)
def dice(thrown: tuple[int, int], size: int) -> Image.Image:
    """Two dice side by side, each `size` pixels high; a seven is red."""
    gap = size // 6
    ink = Ink(2 * size + gap, size + 4, origin=(0, 0))
    for k, number in enumerate(thrown):
        left = k * (size + gap)
        ink.box(left, 3, size, size, INK, size * 0.2)
        ink.box(left, 0, size, size, INK, size * 0.2)
        ink.box(left + 2, 2, size - 4, size - 4, RIM, size * 0.18)
        ink.box(left + 2, 2, size - 4, size - 7, PAPER, size * 0.18)
        for x, y in _PIPS[number]:
            fill = RED if sum(thrown) == 7 else INK
            ink.circle(left + size / 2 + x * size * 0.26, size / 2 + y * size * 0.26, size * 0.095, fill)
    return ink.image()
