"""Number tokens with pips; 6 and 8 are red and larger. Here a unit is the height of a token's digits."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engine.board import pips
from render.fonts import em, text
from render.ink import Ink, trim
from render.palette import GOLD, INK, PAPER, THEMES, Color
from render.sizes import TOKEN

_RAISED, _PIPS = -0.13, 0.56
"""How far the middle of the digits, and of the pips, is below the middle of the token."""


@lru_cache(maxsize=256)
def token(number: int, height: float, golden: bool = False, dark: bool = False) -> Image.Image:
    """A token with digits of that height in pixels; `golden` if its hex just gave cards."""
    theme, often = THEMES[dark and not golden], number in (6, 8)
    size = 2 * round(height * (TOKEN + 0.08))
    ink = Ink(size, size, height)
    ink.circle(0, 0.06, TOKEN, INK)
    ink.circle(0, 0, TOKEN - 0.035, GOLD if golden else theme.token)
    image = ink.image()
    image.alpha_composite(figure(number, height, theme.often if often else theme.number, size))
    return trim(image)


@lru_cache(maxsize=256)
def figure(number: int, height: float, color: Color, size: int) -> Image.Image:
    """A number with its pips, in the middle of a transparent square with sides of `size` pixels."""
    often, dots = number in (6, 8), pips(number)
    ink = Ink(size, size, height)
    for k in range(dots):
        ink.circle((k - (dots - 1) / 2) * 0.235, _PIPS, 0.105 if often else 0.095, color)
    image = ink.image()
    digits = text(str(number), em(height * (1.1 if often else 1)), color)
    image.alpha_composite(digits, ((size - digits.width) // 2, round(size / 2 + _RAISED * height - digits.height / 2)))
    return image


@lru_cache(maxsize=64)
def ring(radius: float, inner: float, color: Color) -> Image.Image:
    """A ring that marks a change, edged on both sides; `inner` is its inner radius, in hex radii."""
    size = 2 * round(radius * (inner + 0.12)) + 2
    ink = Ink(size, size, radius)
    for out, fill in ((0.105, INK), (0.085, color), (0.02, PAPER)):
        ink.circle(0, 0, inner + out, fill)
    image = ink.image()
    hole = Ink(size, size, radius)
    hole.circle(0, 0, inner, INK)
    image.paste((0, 0, 0, 0), (0, 0), hole.image().getchannel("A"))
    return image
