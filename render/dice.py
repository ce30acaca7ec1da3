"""Pictures of dice, and of a roll with its sum and the player's name."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from render.fonts import drop, fitting, text
from render.ink import Ink
from render.palette import INK, RIM, THEMES, PaletteName
from render.pieces import chip

_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@lru_cache(maxsize=64)
def dice(thrown: tuple[int, int], size: int, dark: bool = False) -> Image.Image:
    """Two dice side by side, each `size` pixels wide; a seven is red."""
    gap = size // 6
    image = Image.new("RGBA", (2 * size + gap, size + 4), (0, 0, 0, 0))
    for k, number in enumerate(thrown):
        image.paste(die(number, size, sum(thrown) == 7, dark), (k * (size + gap), 0))
    return image


@lru_cache(maxsize=32)
def die(number: int, size: int, red: bool, dark: bool = False) -> Image.Image:
    """One die, `size` pixels wide and four more high."""
    theme, ink = THEMES[dark], Ink(size, size + 4, origin=(0, 0))
    ink.box(0, 3, size, size, INK, size * 0.2)
    ink.box(0, 0, size, size, INK, size * 0.2)
    ink.box(2, 2, size - 4, size - 4, theme.line if dark else RIM, size * 0.18)
    ink.box(2, 2, size - 4, size - 7, theme.paper, size * 0.18)
    for x, y in _PIPS[number]:
        ink.circle(
            size / 2 + x * size * 0.26, size / 2 + y * size * 0.26, size * 0.095, theme.often if red else theme.number
        )
    return ink.image()


@lru_cache(maxsize=64)
def roll(
    thrown: tuple[int, int], size: int, name: str, color: str, palette: PaletteName, dark: bool = False
) -> Image.Image:
    """Two dice, and below them their sum, and the mark and the name of the player who rolled."""
    pair, theme, gap, letters = dice(thrown, size, dark), THEMES[dark], size // 7, round(size * 0.42)
    total = text(str(sum(thrown)), round(size * 0.6), theme.often if sum(thrown) == 7 else theme.number)
    whose, line = chip(color, palette, round(size * 0.5)), fitting(name, letters, size * 3)
    who = text(line, letters, theme.number)
    wide = total.width + whose.width + who.width + 2 * gap + size // 3
    plate = _plate(-(-wide // 8) * 8, round(size * 0.72), dark).copy()
    left, middle = (plate.width - wide) // 2 + size // 6, plate.height // 2
    plate.alpha_composite(total, (left, middle - total.height // 2))
    left += total.width + gap
    plate.alpha_composite(whose, (left, middle - whose.height // 2))
    top = middle - text("0", letters, theme.number).height // 2 + drop(line, letters)
    plate.alpha_composite(who, (left + whose.width + gap, max(top, 0)))
    image = Image.new("RGBA", (max(pair.width, plate.width), pair.height + plate.height + size // 10), (0, 0, 0, 0))
    image.paste(pair, ((image.width - pair.width) // 2, 0))
    image.paste(plate, ((image.width - plate.width) // 2, pair.height + size // 10))
    return image


@lru_cache(maxsize=64)
def _plate(width: int, height: int, dark: bool) -> Image.Image:
    ink = Ink(width, height, origin=(0, 0))
    ink.box(0, 0, width, height, INK, height * 0.28)
    ink.box(2, 2, width - 4, height - 4, THEMES[dark].paper, height * 0.25)
    return ink.image()
