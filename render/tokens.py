"""Number tokens with pips; 6 and 8 are red and larger. Here a unit is the height of a token's digits."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engine.board import pips
from render.fonts import em, text
from render.ink import Ink, trim
from render.palette import GOLD, INK, PAPER, THEMES, Color
from render.pen import Pen
from render.sizes import TOKEN

RAISED, _PIPS = -0.13, 0.56
"""How far the middle of the digits, and of the pips, is below the middle of the token."""
OFTEN = (6, 8)
"""The numbers that are rolled most often."""
AROUND = 0.33
"""Inner radius of the ring around a building that is new, in hex radii."""
RING: tuple[tuple[float, Color | None], ...] = ((0.105, INK), (0.085, None), (0.02, PAPER))
"""A ring from the outside in: how far each part reaches beyond its inner radius, in hex radii; None: in its color."""


@lru_cache(maxsize=256)
def token(number: int, height: float, golden: bool = False, dark: bool = False) -> Image.Image:
    """A token with digits of that height in pixels; `golden` if its hex just gave cards."""
    size = 2 * round(height * (TOKEN + 0.08))
    ink = Ink(size, size, height)
    disc(ink, golden, dark)
    image = ink.image()
    image.alpha_composite(figure(number, height, color(number, dark and not golden), size))
    return trim(image)


def disc(pen: Pen, golden: bool = False, dark: bool = False) -> None:
    """Draw a token without its number."""
    pen.circle(0, 0.06, TOKEN, INK)
    pen.circle(0, 0, TOKEN - 0.035, GOLD if golden else THEMES[dark].token)


def color(number: int, dark: bool = False) -> Color:
    """The color of a number on its token."""
    theme = THEMES[dark]
    return theme.often if number in OFTEN else theme.number


def scale(number: int) -> float:
    """How large a number is, as a multiple of the usual height of digits."""
    return 1.1 if number in OFTEN else 1


@lru_cache(maxsize=256)
def figure(number: int, height: float, color: Color, size: int) -> Image.Image:
    """A number with its pips, in the middle of a transparent square with sides of `size` pixels."""
    ink = Ink(size, size, height)
    dots(ink, number, color)
    image = ink.image()
    digits = text(str(number), em(height * scale(number)), color)
    image.alpha_composite(digits, ((size - digits.width) // 2, round(size / 2 + RAISED * height - digits.height / 2)))
    return image


def dots(pen: Pen, number: int, color: Color) -> None:
    """Draw a number's pips."""
    count, radius = pips(number), 0.105 if number in OFTEN else 0.095
    for k in range(count):
        pen.circle((k - (count - 1) / 2) * 0.235, _PIPS, radius, color)


@lru_cache(maxsize=64)
def ring(radius: float, inner: float, color: Color) -> Image.Image:
    """A ring that marks a change, edged on both sides; `inner` is its inner radius, in hex radii."""
    size = 2 * round(radius * (inner + 0.12)) + 2
    ink = Ink(size, size, radius)
    for out, fill in RING:
        ink.circle(0, 0, inner + out, fill or color)
    image = ink.image()
    hole = Ink(size, size, radius)
    hole.circle(0, 0, inner, INK)
    image.paste((0, 0, 0, 0), (0, 0), hole.image().getchannel("A"))
    return image
