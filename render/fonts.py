"""Text as small cached pictures, in the font that ships in `assets` (Nunito, OFL)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from math import ceil

from PIL import Image, ImageDraw, ImageFont

from render.palette import Color


@lru_cache(maxsize=64)
def font(size: int, bold: bool = True) -> ImageFont.FreeTypeFont:
    """The font at a size in pixels."""
    name = "Nunito-900.ttf" if bold else "Nunito-700.ttf"
    data = (files("render") / "assets" / name).read_bytes()
    return ImageFont.truetype(BytesIO(data), size, layout_engine=ImageFont.Layout.BASIC)


_DIGIT = 0.71
"""Height of the lowest digit, in ems."""


def em(height: float) -> int:
    """The size at which digits have at least a height, both in pixels."""
    return ceil(height / _DIGIT)


@lru_cache(maxsize=512)
def tight(content: str, size: int, color: Color) -> Image.Image:
    """A line of text with little space between the characters, cropped to its ink."""
    glyphs = [text(ch, size, color) for ch in content]
    inked = [glyph.crop((box[0], 0, box[2], glyph.height)) for glyph in glyphs if (box := glyph.getbbox())]
    gap, tall = round(size * 0.045), max(glyph.height for glyph in inked)
    image = Image.new("RGBA", (sum(glyph.width + gap for glyph in inked) - gap, tall), (*color, 0))
    left = 0
    for glyph in inked:
        image.paste(glyph, (left, tall - glyph.height))
        left += glyph.width + gap
    return image


@lru_cache(maxsize=512)
def text(content: str, size: int, color: Color, bold: bool = True) -> Image.Image:
    """A line of text on a transparent ground, cropped to its ink."""
    left, top, right, bottom = font(size, bold).getbbox(content)
    image = Image.new("RGBA", (max(1, int(right - left)), max(1, int(bottom - top))), (*color, 0))
    mask = Image.new("L", image.size)
    ImageDraw.Draw(mask).text((-left, -top), content, font=font(size, bold), fill=255)
    image.putalpha(mask)
    return image


@lru_cache(maxsize=2048)
def fitting(content: str, size: int, width: int, bold: bool = True) -> str:
    """A line in characters that the font has, cut to a width in pixels; "" if the font has none of them."""
    line = "".join(map(_known, content)).strip()
    if font(size, bold).getlength(line) <= width:
        return line
    while line and font(size, bold).getlength(line + "…") > width:
        line = line[:-1].rstrip()
    return line + "…"


def legible(content: str) -> bool:
    """Whether the font can show a text: at least half of its letters and digits, or anything if it has none."""
    letters = [ch for ch in content if unicodedata.category(ch)[0] in "LN"]
    return 2 * sum(bool(_known(ch).strip()) for ch in letters or content) >= max(1, len(letters))


def called(names: Sequence[str], seat: int, color: str) -> str:
    """A player's name, or their color if they have none that the font can show."""
    return names[seat] if names and legible(names[seat]) else color.capitalize()


@lru_cache(maxsize=2048)
def shape(content: str) -> bytes:
    """The ink of a text, as far as the font can show it: equal for texts that look alike, empty if there is none."""
    line = "".join(map(_known, content)).strip()
    return bytes(font(32).getmask(line)) if line else b""


@lru_cache(maxsize=4096)
def _known(ch: str) -> str:
    """The character if the font can show it, else its base letter ("Α" for "Ά"), else ""."""
    for near in (ch, unicodedata.normalize("NFKD", ch)[:1]):
        if near == " " or (near and bytes(font(32).getmask(near)) not in (b"", _missing())):
            return near
    return ""


@lru_cache(maxsize=1)
def _missing() -> bytes:
    return bytes(font(32).getmask("\ue000"))


@lru_cache(maxsize=2048)
def drop(content: str, size: int, bold: bool = True) -> int:
    """Pixels from the top of a digit down to the top of the text's ink. They keep cropped texts on one line."""
    return int(font(size, bold).getbbox(content)[1] - font(size, bold).getbbox("0")[1])
