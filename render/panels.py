"""What the parts of a picture of figures have in common: their boxes, and how words and numbers are set."""

from __future__ import annotations

from typing import Literal, NamedTuple

from PIL import Image

from render.fonts import drop, fitting, text
from render.palette import INK, Color, Look

TITLE, LABEL, FIGURE = 34, 31, 40
"""Sizes of the fonts: at a third of the width, as on a phone, 11, 10 and 13 pixels."""


class Box(NamedTuple):
    """A part of a picture, in pixels."""

    left: int
    top: int
    width: int
    height: int


def write(
    image: Image.Image,
    content: str,
    at: tuple[int, int],
    size: int,
    color: Color,
    *,
    bold: bool = True,
    align: Literal["left", "middle", "right"] = "left",
    width: int | None = None,
) -> int:
    """A line of text whose figures are centred on a height; `at`: (x, y). Returns how wide it is, at most `width`."""
    shown = content if width is None else fitting(content, size, width, bold)
    word = text(shown, size, color, bold)
    x = at[0] - {"left": 0, "middle": word.width // 2, "right": word.width}[align]
    image.paste(word, (x, at[1] - text("0", size, color, bold).height // 2 + drop(shown, size, bold)), word)
    return word.width


def title(image: Image.Image, box: Box, content: str, look: Look) -> int:
    """The heading of a part; returns the height that it takes."""
    size = look.scaled(TITLE)
    write(image, content, (box.left, box.top + size // 2), size, look.theme.ink, width=box.width)
    return title_height(look)


def title_height(look: Look) -> int:
    """Pixels from a heading's top to what it heads."""
    return round(look.scaled(TITLE) * 1.5)


def size_for(numbers: list[int], size: int, width: float) -> int:
    """The size at which none of the numbers is wider than that, at most `size`."""
    widest = max((text(str(n), size, INK).width for n in numbers), default=1)
    return min(size, int(size * width / widest))
