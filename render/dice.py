"""Pictures of dice, and of a roll with its sum and the player's name."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from render.fonts import fitting, text
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
    """Two dice side by side, each `size` pixels wide; a seven is red."""
    gap = size // 6
    image = Image.new("RGBA", (2 * size + gap, size + 4), (0, 0, 0, 0))
    for k, number in enumerate(thrown):
        image.paste(die(number, size, sum(thrown) == 7), (k * (size + gap), 0))
    return image


@lru_cache(maxsize=32)
def die(number: int, size: int, red: bool) -> Image.Image:
    """One die, `size` pixels wide and four more high."""
    ink = Ink(size, size + 4, origin=(0, 0))
    ink.box(0, 3, size, size, INK, size * 0.2)
    ink.box(0, 0, size, size, INK, size * 0.2)
    ink.box(2, 2, size - 4, size - 4, RIM, size * 0.18)
    ink.box(2, 2, size - 4, size - 7, PAPER, size * 0.18)
    for x, y in _PIPS[number]:
        ink.circle(size / 2 + x * size * 0.26, size / 2 + y * size * 0.26, size * 0.095, RED if red else INK)
    return ink.image()


@lru_cache(maxsize=64)
def roll(thrown: tuple[int, int], size: int, name: str) -> Image.Image:
    """Two dice, and below them their sum and the name of the player who rolled."""
    pair = dice(thrown, size)
    total = text(str(sum(thrown)), round(size * 0.6), RED if sum(thrown) == 7 else INK)
    who = text(label, round(size * 0.42), INK) if (label := fitting(name, round(size * 0.42), size * 3)) else None
    wide = total.width + (who.width + size // 6 if who else 0) + size // 3
    plate = _plate(-(-wide // 8) * 8, round(size * 0.72)).copy()
    left = (plate.width - wide) // 2 + size // 6
    plate.alpha_composite(total, (left, (plate.height - total.height) // 2))
    if who:
        base = (plate.height + total.height) // 2 - who.height + max(who.height - round(size * 0.3), 0) // 2
        plate.alpha_composite(who, (left + size // 6 + total.width, max(base, 0)))
    image = Image.new("RGBA", (max(pair.width, plate.width), pair.height + plate.height + size // 10), (0, 0, 0, 0))
    image.paste(pair, ((image.width - pair.width) // 2, 0))
    image.paste(plate, ((image.width - plate.width) // 2, pair.height + size // 10))
    return image


@lru_cache(maxsize=64)
def _plate(width: int, height: int) -> Image.Image:
    ink = Ink(width, height, origin=(0, 0))
    ink.box(0, 0, width, height, INK, height * 0.28)
    ink.box(2, 2, width - 4, height - 4, PAPER, height * 0.25)
    return ink.image()
