"""Harbor signs with rate and resource, and the two piers to the intersections that they serve."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engine.board import Harbor
from engine.resources import GENERIC
from render.fonts import text
from render.icons import RESOURCE
from render.ink import Ink, Point, shorten, toward
from render.layout import Layout
from render.palette import GREY, INK, PAPER, PLANK, SEAS, TERRAIN, WOOD, pale

SIGN = 0.37
"""Radius of a sign, in hex radii."""


@lru_cache(maxsize=64)
def sign(kind: int, rate: int, radius: float, used: bool = True) -> Image.Image:
    """A round sign; without use (no coast to serve) it is grey."""
    size = 2 * round(radius * (SIGN + 0.05))
    ink = Ink(size, size, radius)
    ink.circle(0, 0.025, SIGN + 0.015, INK)
    ink.circle(0, 0, SIGN, PLANK if used else GREY)
    ink.circle(0, 0, SIGN - 0.045, PAPER if kind == GENERIC else pale(TERRAIN[kind][0]))
    words = f"{rate}:1"
    if kind == GENERIC:
        _boat(ink)
    else:
        RESOURCE[kind](ink, 0.0, -0.1, 0.34)
    image = ink.image()
    figure = text(words, round(radius * 0.27), INK if used else GREY)
    image.alpha_composite(figure, ((size - figure.width) // 2, round(size / 2 + 0.18 * radius - figure.height / 2)))
    return image


def _boat(ink: Ink) -> None:
    ink.polygon([(-0.2, -0.02), (0.2, -0.02), (0.12, 0.07), (-0.12, 0.07)], WOOD)
    ink.polygon([(0.0, -0.3), (0.0, -0.06), (-0.17, -0.06)], SEAS[0])
    ink.polygon([(0.03, -0.24), (0.03, -0.06), (0.17, -0.06)], SEAS[1])


def piers(ink: Ink, layout: Layout, harbor: Harbor) -> None:
    """Two jetties from the sign to the ends of the edge; `ink` works in pixels of the picture."""
    if harbor.side is None:
        return
    sign_at = layout.harbor(harbor)
    r = layout.radius
    for end in layout.side(harbor.hex, harbor.side):
        near, _ = shorten(end, sign_at, 0.07 * r)
        for width, color in ((0.15, INK), (0.1, PLANK)):
            ink.line([near, sign_at], width * r, color)
        _planks(ink, near, sign_at, r)


def _planks(ink: Ink, near: Point, far: Point, r: float) -> None:
    dx, dy = far[0] - near[0], far[1] - near[1]
    length = (dx * dx + dy * dy) ** 0.5
    across = (-dy / length * 0.05 * r, dx / length * 0.05 * r)
    for k in range(1, int((length - SIGN * r) / (0.13 * r)) + 1):
        x, y = toward(near, far, k * 0.13 * r / length)
        ink.line([(x - across[0], y - across[1]), (x + across[0], y + across[1])], 0.03 * r, WOOD, caps=False)
