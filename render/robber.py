"""The robber: a dark figure whose body is the token, or the harbor's sign, on which it stands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from render.ink import Ink, trim
from render.layout import SINK
from render.palette import INK, PAPER, RED, ROBBER, Color
from render.pen import Pen

_HEAD, _AT = 0.2, -0.475 - SINK
"""Radius of the head with its rim, and how far its middle is below the middle of the body, in hex radii."""
_RIM, _EDGE = 0.042, 0.02
"""Width of the pale rim with the dark edge around it, and of that edge, in hex radii."""


FAINT = 0.4
"""Opacity of a translucent robber."""


@lru_cache(maxsize=64)
def robber(radius: float, body: float) -> Image.Image:
    """The robber on a hex of that radius, with a body of that radius in its middle, both in pixels."""
    ink = _ink(radius)
    figure(ink, body / radius)
    return trim(ink.image())


def figure(pen: Pen, body: float) -> None:
    """Draw the robber with a body of that radius in hex radii."""
    _outline(pen, body, ((0, INK), (-_EDGE, PAPER), (-_RIM, ROBBER)))
    for x in (-0.055, 0.055):
        pen.circle(x, _AT - 0.02, 0.03, PAPER)
    pen.line([(-0.1, _AT + 0.15), (0.1, _AT + 0.15)], 0.045, RED)


@lru_cache(maxsize=64)
def ghost(radius: float, body: float, hollow: bool) -> Image.Image:
    """A translucent robber, for the place where it was; `hollow`: without the body, which would cover a token."""
    image = robber(radius, body).copy()
    alpha = image.getchannel("A").point([int(n * FAINT) for n in range(256)])
    if hollow:
        hole = Ink(*image.size, radius)
        hole.circle(0, -SINK, body / radius + 0.01, INK)
        alpha.paste(0, (0, 0), hole.image().getchannel("A"))
    image.putalpha(alpha)
    return image


@lru_cache(maxsize=64)
def glow(radius: float, body: float, fill: Color) -> Image.Image:
    """The glow around a robber that just moved."""
    ink = _ink(radius)
    shine(ink, body / radius, fill)
    return trim(ink.image())


def shine(pen: Pen, body: float, fill: Color) -> None:
    """Draw the glow around a robber with a body of that radius in hex radii."""
    _outline(pen, body, ((0.115, INK), (0.095, fill)))


def _ink(radius: float) -> Ink:
    size = 2 * round(radius * (_HEAD - _AT + 0.15))
    return Ink(size, size, radius)


def _outline(pen: Pen, body: float, layers: Sequence[tuple[float, Color]]) -> None:
    """Draw the robber's outline in layers: (growth in hex radii, color)."""
    for grow, color in layers:
        pen.polygon([(-0.13 - grow, _AT), (0.13 + grow, _AT), (0.2 + grow, 0), (-0.2 - grow, 0)], color)
        pen.circle(0, _AT, _HEAD + grow, color)
        pen.circle(0, 0, body + grow, color)
