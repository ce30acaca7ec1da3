"""Small square signs for texts: the resources, the players' colors with their marks, and the faces of a die."""

from __future__ import annotations

import io

from PIL import Image

from engine.resources import RESOURCES
from render.dice import die
from render.icons import RESOURCE
from render.ink import Ink
from render.palette import INK, MARKS, PAPER, PLAYERS, TERRAIN, on, pale
from render.pieces import mark

SIZE = 128
"""Pixels of a side. Signs are shown smaller, at the size of the text around them."""
FACES = ("one", "two", "three", "four", "five", "six")


def signs() -> dict[str, bytes]:
    """All signs by their names ("brick", "red", "die_one"), as PNG with a transparent ground."""
    drawn = {
        **{name: _resource(kind) for kind, name in enumerate(RESOURCES)},
        **{color: _color(color) for color in MARKS},
        **{f"die_{name}": _die(pips) for pips, name in enumerate(FACES, 1)},
    }
    return {name: _png(image) for name, image in drawn.items()}


def _png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _resource(kind: int) -> Image.Image:
    ground = TERRAIN[kind][0]
    ink = Ink(SIZE, SIZE, origin=(0, 0))
    ink.box(0, 0, SIZE, SIZE, INK, 30)
    ink.box(4, 4, SIZE - 8, SIZE - 8, PAPER, 27)
    ink.box(10, 10, SIZE - 20, SIZE - 20, pale(ground), 22)
    RESOURCE[kind](ink, SIZE / 2, SIZE / 2, 0.78 * SIZE)
    return ink.image()


def _color(color: str) -> Image.Image:
    fill, middle = PLAYERS["standard"][color], SIZE / 2
    ink = Ink(SIZE, SIZE, origin=(0, 0))
    ink.circle(middle, middle, middle, PAPER)
    ink.circle(middle, middle, middle - 5, INK)
    ink.circle(middle, middle, middle - 11, fill)
    mark(ink, color, middle, middle, 0.46 * SIZE, on(fill))
    return ink.image()


def _die(pips: int) -> Image.Image:
    sign = Image.new("RGBA", (SIZE, SIZE), (0, 0, 0, 0))
    sign.paste(die(pips, SIZE - 4, False), (2, 0))
    return sign
