"""Harbor signs with rate and resource, and the two piers to the intersections that they serve."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engine.resources import GENERIC
from render.fonts import text
from render.icons import RESOURCE
from render.ink import HEXAGON, Ink, Point, shorten, toward, trim
from render.layout import OFFSHORE, WIDE
from render.palette import GREY, INK, PANEL_LINE, PAPER, PLANK, SEAS, TERRAIN, WOOD, Color, pale

SIGN = 0.37
"""Radius of a sign, in hex radii."""


@lru_cache(maxsize=64)
def sign(kind: int, rate: int, radius: float, used: bool = True) -> Image.Image:
    """A round sign; gray if it can't be used, such as without a coast to serve."""
    size = 2 * round(radius * (SIGN + 0.05))
    ink = Ink(size, size, radius)
    ink.circle(0, 0.025, SIGN + 0.015, INK)
    ink.circle(0, 0, SIGN, PLANK if used else GREY)
    ink.circle(0, 0, SIGN - 0.045, _face(kind) if used else PANEL_LINE)
    words = f"{rate}:1"
    if kind == GENERIC:
        _boat(ink)
    else:
        RESOURCE[kind](ink, 0.0, -0.1, 0.34)
    image = ink.image()
    figure = text(words, round(radius * 0.27), INK if used else GREY)
    image.alpha_composite(figure, ((size - figure.width) // 2, round(size / 2 + 0.18 * radius - figure.height / 2)))
    return image


def _face(kind: int) -> Color:
    return PAPER if kind == GENERIC else pale(TERRAIN[kind][0])


def _boat(ink: Ink) -> None:
    ink.polygon([(-0.2, -0.02), (0.2, -0.02), (0.12, 0.07), (-0.12, 0.07)], WOOD)
    ink.polygon([(0.0, -0.3), (0.0, -0.06), (-0.17, -0.06)], SEAS[0])
    ink.polygon([(0.03, -0.24), (0.03, -0.06), (0.17, -0.06)], SEAS[1])


@lru_cache(maxsize=64)
def piers(side: int, whole: bool, radius: float) -> Image.Image:
    """Two piers from the sign, which is in the middle of the picture, to the ends of a hex's side."""
    size = 2 * round(1.1 * radius)
    ends = (HEXAGON[side], HEXAGON[(side + 1) % len(HEXAGON)])
    middle = (0.0, 0.0) if whole else toward(toward(*ends, 0.5), (0.0, 0.0), OFFSHORE)
    ink = Ink(size, size, radius, (size / 2 - middle[0] * radius, size / 2 - middle[1] * radius), fine=3)
    for end in ends:
        near, _ = shorten(end, middle, 0.07)
        for width, color in ((0.15, INK), (0.1, PLANK)):
            ink.line([near, middle], width, color)
        if radius >= WIDE:
            _planks(ink, near, middle)
    return trim(ink.image())


def _planks(ink: Ink, near: Point, far: Point) -> None:
    dx, dy = far[0] - near[0], far[1] - near[1]
    length = (dx * dx + dy * dy) ** 0.5
    across = (-dy / length * 0.05, dx / length * 0.05)
    for k in range(1, int((length - SIGN) / 0.13) + 1):
        x, y = toward(near, far, k * 0.13 / length)
        ink.line([(x - across[0], y - across[1]), (x + across[0], y + across[1])], 0.03, WOOD, caps=False)
