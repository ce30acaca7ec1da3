"""Text as small cached pictures, in the font that ships in `assets` (Nunito, OFL)."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from importlib.resources import files
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from render.palette import Color


@lru_cache(maxsize=64)
def font(size: int, bold: bool = True) -> ImageFont.FreeTypeFont:
    """The font at a size in pixels."""
    name = "Nunito-900.ttf" if bold else "Nunito-700.ttf"
    data = (files("render") / "assets" / name).read_bytes()
    return ImageFont.truetype(BytesIO(data), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=512)
def text(content: str, size: int, color: Color, bold: bool = True) -> Image.Image:
    """A line of text on nothing, cropped to its ink."""
    left, top, right, bottom = font(size, bold).getbbox(content)
    image = Image.new("RGBA", (max(1, int(right - left)), max(1, int(bottom - top))), (*color, 0))
    mask = Image.new("L", image.size)
    ImageDraw.Draw(mask).text((-left, -top), content, font=font(size, bold), fill=255)
    image.putalpha(mask)
    return image


@lru_cache(maxsize=2048)
def fitting(content: str, size: int, width: int, bold: bool = True) -> str:
    """A line cut to a width in pixels, in characters that the font has got; "" where there is none."""
    known = "".join(map(_known, content)).strip()
    if font(size, bold).getlength(known) <= width:
        return known
    while known and font(size, bold).getlength(known + "…") > width:
        known = known[:-1].rstrip()
    return known + "…"


def legible(content: str) -> bool:
    """Whether the font can show any of it."""
    return any(_known(ch).strip() for ch in content)


@lru_cache(maxsize=4096)
def _known(ch: str) -> str:
    """A character that the font has a picture of, or the letter behind it: "Ά" as "Α"; "" for what it can't show."""
    for near in (ch, unicodedata.normalize("NFKD", ch)[:1]):
        if near == " " or (near and bytes(font(32).getmask(near)) not in (b"", _missing())):
            return near
    return ""


@lru_cache(maxsize=1)
def _missing() -> bytes:
    return bytes(font(32).getmask("\ue000"))


@lru_cache(maxsize=2048)
def drop(content: str, size: int, bold: bool = True) -> int:
    """How far the ink of a line begins below the top of a figure: what keeps cropped texts on one line."""
    return int(font(size, bold).getbbox(content)[1] - font(size, bold).getbbox("0")[1])
