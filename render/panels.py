"""What the parts of a stats picture share: boxes, and how to write words and numbers."""

from __future__ import annotations

from typing import Literal, NamedTuple

from PIL import Image

from render.fonts import drop, fitted, least_size, text
from render.palette import INK, Color, Look

TITLE, LABEL, FIGURE = 34, 31, 40
"""Font sizes in pixels. At a third of the width, as on a phone, they are 11, 10 and 13."""


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
    """Write a line of text at (x, y), with its digits centered on y. Returns its width in pixels, at most `width`: a
    long line is smaller."""
    line, size = (content, size) if width is None else fitted(content, size, width, least_size(image.width), bold)
    word = text(line, size, color, bold)
    x = at[0] - {"left": 0, "middle": word.width // 2, "right": word.width}[align]
    image.paste(word, (x, at[1] - text("0", size, color, bold).height // 2 + drop(line, size, bold)), word)
    return word.width


def title(image: Image.Image, box: Box, content: str, look: Look, beside: int = 0) -> int:
    """Write the heading of a part. Returns the height that it takes. `beside`: pixels to leave free to its right."""
    size = look.scaled(TITLE)
    write(image, content, (box.left, box.top + size // 2), size, look.theme.ink, width=box.width - beside)
    return title_height(look)


def title_height(look: Look) -> int:
    """Pixels from the top of a heading to the content below it."""
    return round(look.scaled(TITLE) * 1.5)


def size_for(numbers: list[int], size: int, width: float) -> int:
    """The font size at which no number is wider than `width` pixels, at most `size`."""
    widest = max((text(str(n), size, INK).width for n in numbers), default=1)
    return min(size, int(size * width / widest))
