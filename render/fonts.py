"""Text as small cached pictures: in the fonts that ship in `assets` (OFL), and in the host's own where those lack a
character. Latin and Cyrillic are in Nunito; kana, and what else Japanese words in pictures need, in M PLUS Rounded 1c.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from itertools import groupby
from math import ceil
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from render.palette import Color

_LATIN, _JAPANESE, _OWN = range(3)
"""The fonts, in the order in which a character is looked up; the last one is the host's."""
JAPANESE = "MPLUSRounded1c-800.woff"
"""The file of the Japanese font in `assets`: a subset, made by `tools/fonts.py`. It has only one weight."""
_HALVES = re.compile("[ｦ-ﾟ]+")
"""Kana of half a width, with their marks as characters of their own."""
_own: list[Path] = []
"""The file of the host's font, if there is one in this process."""


def write_names_in(path: Path | None) -> None:
    """Use a host's own font in this process for characters that no shipped font has; None: use none. Call it before the
    first picture is drawn, since parts of pictures are kept."""
    _own[:] = [path] if path else []
    for cached in (font, text, fitting, fitted, shape, drop, _box, _runs, _placed, _missing):
        cached.cache_clear()


def is_font(path: Path) -> bool:
    """Whether a file can be read as a font of any size."""
    try:
        ImageFont.truetype(path, 32)
    except OSError:
        return False
    return True


@lru_cache(maxsize=128)
def font(size: int, bold: bool = True, which: int = _LATIN) -> ImageFont.FreeTypeFont:
    """A font at a size in pixels."""
    if which == _OWN:
        return ImageFont.truetype(_own[0], size, layout_engine=ImageFont.Layout.BASIC)
    name = JAPANESE if which == _JAPANESE else "Nunito-900.ttf" if bold else "Nunito-700.ttf"
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
    """A line of text on a transparent ground, cropped to its ink. What no font has is left out."""
    image = Image.new("RGBA", (mask := _mask(content, size, bold)).size, (*color, 0))
    image.putalpha(mask)
    return image


def _mask(content: str, size: int, bold: bool) -> Image.Image:
    """Where a line of text has ink."""
    left, top, right, bottom = _box(content, size, bold)
    mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    draw = ImageDraw.Draw(mask)
    for run, x, typeface in _line(content, size, bold):
        draw.text((x - left, -top), run, font=typeface, fill=255, anchor="ls")
    return mask


def _line(content: str, size: int, bold: bool) -> Iterator[tuple[str, int, ImageFont.FreeTypeFont]]:
    """The runs of a text, each with its place in pixels and its font. All stand on one baseline."""
    x, runs = 0.0, _runs(_visual(content))
    for at, (which, run) in enumerate(runs, 1):
        typeface = font(size, bold, which)
        yield run, round(x), typeface
        if at < len(runs):  # measuring takes as long as a tenth of drawing
            x += typeface.getlength(run)


@lru_cache(maxsize=2048)
def _box(content: str, size: int, bold: bool) -> tuple[int, int, int, int]:
    """The box around a text's ink, in pixels from the start of its baseline: left, top, right, bottom."""
    boxes = [(x, *typeface.getbbox(run, anchor="ls")) for run, x, typeface in _line(content, size, bold)]
    if not boxes:
        return 0, 0, 0, 0
    return (
        int(min(x + left for x, left, _top, _right, _bottom in boxes)),
        int(min(top for _x, _left, top, _right, _bottom in boxes)),
        int(max(x + right for x, _left, _top, right, _bottom in boxes)),
        int(max(bottom for _x, _left, _top, _right, bottom in boxes)),
    )


def length(content: str, size: int, bold: bool = True) -> float:
    """Pixels from the start of a line of text to its end."""
    return sum(font(size, bold, which).getlength(run) for which, run in _runs(content))


@lru_cache(maxsize=2048)
def fitting(content: str, size: int, width: int, bold: bool = True) -> str:
    """A line in characters that the fonts have, cut to a width in pixels; "" if they have none of them."""
    line = _shown(content)
    if length(line, size, bold) <= width:
        return line
    while line and length(line + "…", size, bold) > width:
        line = line[:-1].rstrip()
    return line + "…"


@lru_cache(maxsize=2048)
def fitted(content: str, size: int, width: int, least: int, bold: bool = True) -> tuple[str, int]:
    """A line, and the largest font size up to `size` at which it fits a width; at `least` it is cut. All in pixels."""
    for smaller in range(size, least, -1):
        if length(content, smaller, bold) <= width:
            return _shown(content), smaller
    return fitting(content, least, width, bold), least


def least_size(width: int) -> int:
    """The least font size of words in a picture of a width: on a phone, which shows it 390 pixels wide, they have 8
    pixels."""
    return round(width / 390 * 8)


def legible(content: str) -> bool:
    """Whether the fonts can show a text: at least half of its letters and digits, or anything if it has none."""
    content = _composed(content)
    shown = [bool(near.strip()) for _which, near in _all_placed(content)]
    letters = [known for known, ch in zip(shown, content, strict=True) if unicodedata.category(ch)[0] in "LN"]
    return 2 * sum(letters or shown) >= max(1, len(letters))


def called(names: Sequence[str], seat: int, color: str) -> str:
    """A player's name, or their color if they have none that the fonts can show."""
    return names[seat] if names and legible(names[seat]) else color.capitalize()


@lru_cache(maxsize=2048)
def shape(content: str) -> bytes:
    """The ink of a text, as far as the fonts can show it: equal for texts that look alike, empty if there is none."""
    line = _shown(content)
    return _mask(line, 32, True).tobytes() if line else b""


def _shown(content: str) -> str:
    """The characters of a text that the fonts have, without blanks around them."""
    return "".join(run for _which, run in _runs(content)).strip()


@lru_cache(maxsize=2048)
def _runs(content: str) -> tuple[tuple[int, str], ...]:
    """A text in pieces that are each written in one font, without what no font has."""
    placed = filter(lambda found: found[1], _all_placed(_composed(content)))
    return tuple(
        (which, "".join(near for _which, near in found)) for which, found in groupby(placed, lambda found: found[0])
    )


_TO_THE_LEFT, _TO_THE_RIGHT = ("R", "AL"), ("L", "EN", "AN")
"""Unicode's classes of characters that are written from right to left, and from left to right."""
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def _visual(content: str) -> str:
    """A text in the order in which it stands from left to right. What is written from right to left is turned around,
    and so is the order of its parts if it begins like that; what is between two parts goes with the text."""
    ways = [unicodedata.bidirectional(ch) for ch in content]
    if not any(way in _TO_THE_LEFT for way in ways):
        return content
    strong = [way in _TO_THE_LEFT if way in (*_TO_THE_LEFT, *_TO_THE_RIGHT) else None for way in ways]
    whole = next(left for left in strong if left is not None)
    lefts: list[bool] = []
    for at, left in enumerate(strong):
        before = lefts[-1] if lefts else whole
        after = next((other for other in strong[at:] if other is not None), whole)
        lefts.append(before if ways[at] == "NSM" or before == after else whole if left is None else left)
    parts = []
    for left, run in groupby(range(len(content)), lefts.__getitem__):
        letters: list[str] = []
        for at in run:
            if ways[at] == "NSM" and letters:  # a mark stays behind its letter, on which it is drawn
                letters[-1] += content[at]
            else:
                letters.append(content[at].translate(_MIRRORED) if left else content[at])
        parts.append("".join(reversed(letters) if left else letters))
    return "".join(reversed(parts) if whole else parts)


def _composed(content: str) -> str:
    """A text in which letters and their marks are one character wherever there is one: "é" rather than "e" and an
    accent, "パ" rather than its two halves."""
    return unicodedata.normalize("NFC", _HALVES.sub(lambda found: unicodedata.normalize("NFKC", found[0]), content))


def _all_placed(content: str) -> list[tuple[int, str]]:
    """The font for each character of a text, and how it is shown (`_placed`). Kanji are shown all or none: the shipped
    font has a few, and a name with every other one would be another name."""
    placed = list(map(_placed, content))
    kanji = {at for at, ch in enumerate(content) if unicodedata.name(ch, "").startswith("CJK")}
    if all(placed[at][1] for at in kanji):
        return placed
    return [(_LATIN, "") if at in kanji else found for at, found in enumerate(placed)]


@lru_cache(maxsize=4096)
def _placed(ch: str) -> tuple[int, str]:
    """The font for a character, and the character, or what it stands for ("fi" for "ﬁ"), or its base letter ("Α" for
    "Ά"), or "" if no font has one. Without a letter, a mark would stand next to the one before it."""
    apart = unicodedata.normalize("NFKD", ch)
    for near in (ch, "".join(part for part in apart if not unicodedata.combining(part)), apart[:1]):
        for which in range(_OWN + len(_own)):
            if near and all(_has(which, part) for part in near):
                return which, near
    return _LATIN, ""


def _has(which: int, ch: str) -> bool:
    """Whether a font shows a character where it stands."""
    if which < _OWN and unicodedata.category(ch) in ("Mn", "Me", "Cf"):
        return False
    return ch == " " or bytes(font(32, True, which).getmask(ch)) not in (b"", _missing(which))


@lru_cache(maxsize=3)
def _missing(which: int) -> bytes:
    """What a font shows for characters that it lacks; no font has this one."""
    return bytes(font(32, True, which).getmask("\uffff"))


@lru_cache(maxsize=2048)
def drop(content: str, size: int, bold: bool = True) -> int:
    """Pixels from the top of a digit down to the top of the text's ink. They keep cropped texts on one line."""
    return _box(content, size, bold)[1] - _box("0", size, bold)[1]
