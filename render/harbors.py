"""Harbor signs with rate and resource, and the two piers to the intersections that they serve. On a sign a unit is the
height of its digits."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engine.resources import GENERIC
from render.fonts import em, tight
from render.icons import RESOURCE
from render.ink import Ink, trim
from render.palette import GREY, INK, PAPER, PLANK, SEAS, TERRAIN, THEMES, WOOD, Color, dim, dimmed, faced
from render.pen import HEXAGON, Pen, Point, shorten, toward
from render.sizes import SIGN, WIDE

LOWERED = 0.3
"""How far the middle of the rate is below the middle of the sign."""


@lru_cache(maxsize=64)
def sign(kind: int, rate: int, height: float, used: bool = True, dark: bool = False) -> Image.Image:
    """A round sign with digits of that height in pixels; gray if it can't be used, such as without a coast to serve."""
    size = 2 * round(height * (SIGN + 0.08))
    ink = Ink(size, size, height)
    board(ink, kind, used, dark)
    image = ink.image()
    image.alpha_composite(figure(kind, rate, height, color(used, dark), size))
    return trim(image)


def board(pen: Pen, kind: int, used: bool = True, dark: bool = False) -> None:
    """Draw a sign without what is on it."""
    face = faced(PAPER if kind == GENERIC else TERRAIN[kind][0], dark)
    pen.circle(0, 0.06, SIGN, INK)
    pen.circle(0, 0, SIGN - 0.04, dimmed(PLANK, dark) if used else GREY)
    pen.circle(0, 0, SIGN - 0.14, face if used else THEMES[dark].line)


def color(used: bool = True, dark: bool = False) -> Color:
    """The color of the rate on a sign."""
    return THEMES[dark].ink if used else THEMES[dark].grey


@lru_cache(maxsize=64)
def figure(kind: int, rate: int, height: float, color: Color, size: int) -> Image.Image:
    """What is on a sign, in the middle of a transparent square with sides of `size` pixels."""
    ink = Ink(size, size, height)
    icon(ink, kind)
    image = ink.image()
    words = tight(f"{rate}:1", em(height), color)
    image.alpha_composite(words, ((size - words.width) // 2, round(size / 2 + LOWERED * height - words.height / 2)))
    return image


def icon(pen: Pen, kind: int) -> None:
    """Draw what a sign shows above its rate: a resource, or a boat."""
    if kind != GENERIC:
        RESOURCE[kind](pen, 0.0, -0.62, 0.98)
        return
    pen.polygon([(-0.55, -0.42), (0.55, -0.42), (0.33, -0.22), (-0.33, -0.22)], WOOD)
    pen.polygon([(-0.04, -1.1), (-0.04, -0.5), (-0.46, -0.5)], SEAS[0])
    pen.polygon([(0.06, -0.95), (0.06, -0.5), (0.46, -0.5)], SEAS[1])


@lru_cache(maxsize=64)
def piers(side: int, radius: float, dark: bool = False) -> Image.Image:
    """Two piers from the sign, which is in the middle of the picture, to the ends of a hex's side."""
    size = 2 * round(1.1 * radius)
    ink = Ink(size, size, radius, fine=3)
    pier(ink, side, planks=radius >= WIDE)
    return dim(trim(ink.image()), dark)


def pier(pen: Pen, side: int, planks: bool) -> None:
    """Draw the two piers to the ends of a hex's side."""
    ends, middle = (HEXAGON[side], HEXAGON[(side + 1) % len(HEXAGON)]), (0.0, 0.0)
    for end in ends:
        near, _ = shorten(end, middle, 0.07)
        for width, color in ((0.15, INK), (0.1, PLANK)):
            pen.line([near, middle], width, color)
        if planks:
            _planks(pen, near, middle)


def _planks(pen: Pen, near: Point, far: Point) -> None:
    dx, dy = far[0] - near[0], far[1] - near[1]
    length = (dx * dx + dy * dy) ** 0.5
    across = (-dy / length * 0.05, dx / length * 0.05)
    for k in range(1, int((length - 0.4) / 0.13) + 1):
        x, y = toward(near, far, k * 0.13 / length)
        pen.line([(x - across[0], y - across[1]), (x + across[0], y + across[1])], 0.03, WOOD, caps=False)
