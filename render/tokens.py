"""Number tokens with pips; 6 and 8 are red and larger."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engine.board import pips
from render.fonts import text
from render.ink import Ink
from render.palette import CREAM, GREY, INK, PAPER, RED, Color

RADIUS = 0.33
"""Radius of a token, in hex radii."""


@lru_cache(maxsize=256)
def token(number: int, radius: float, blocked: bool = False, face: Color = CREAM) -> Image.Image:
    """A token for hexes of that radius (in pixels); gray if the robber has `blocked` it."""
    size = 2 * round(radius * (RADIUS + 0.05))
    ink = Ink(size, size, radius)
    ink.circle(0, 0.025, RADIUS + 0.012, INK)
    ink.circle(0, 0, RADIUS - 0.012, face)
    red = number in (6, 8)
    color = GREY if blocked else RED if red else INK
    dots = pips(number)
    for k in range(dots):
        ink.circle((k - (dots - 1) / 2) * 0.082, 0.2, 0.036 if red else 0.031, color)
    image = ink.image()
    figure = text(str(number), round(radius * (0.4 if red else 0.35)), color)
    image.alpha_composite(figure, ((size - figure.width) // 2, round(size / 2 - 0.045 * radius - figure.height / 2)))
    return image


@lru_cache(maxsize=64)
def ring(radius: float, inner: float, color: tuple[int, int, int]) -> Image.Image:
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
