"""How large the things on a board are, in pixels: on a phone, which shows a picture 340 pixels wide, digits stay
legible, and nothing covers anything else."""

from __future__ import annotations

from typing import NamedTuple

PICTURE = 1200
"""Width in pixels of the pictures that the sizes in pixels are for; in others they are in proportion."""
SMALL, WIDE = 92, 100
"""Hex radii in pixels: below `SMALL` a hex has few drawings, from `WIDE` on it shows everything."""
TOKEN, SIGN = 1.0, 1.35
"""Radius of a token, and of a harbor sign, in heights of their digits."""
ROOM = 0.565
"""Largest radius of what stands in the middle of a hex, in hex radii, if there are cities on all its corners."""
SIGN_ROOM = 0.55
"""Largest radius of a harbor sign, in hex radii. It says how far a board's picture reaches."""


class Digits(NamedTuple):
    """A height of digits: a share of the hex's radius, but within limits in pixels."""

    share: float
    least: float
    most: float

    def height(self, radius: float, scale: float, room: float) -> float:
        """The height in pixels in a picture `scale` times as wide as `PICTURE`; `room`: the most that it can be."""
        return min(max(self.share * radius, self.least * scale), self.most * scale, room)


TOKENS = {False: Digits(0.41, 32.8, 38.0), True: Digits(0.49, 36.8, 46.0)}
RATES = {False: Digits(0.325, 25.8, 31.0), True: Digits(0.39, 30.0, 37.0)}
"""Heights on tokens and on harbor signs, in the usual and in the large look."""


class Sizes(NamedTuple):
    """Sizes in pixels."""

    radius: float
    """Of a hex."""
    digits: float
    """Height of a token's digits."""
    rate: float
    """Height of a harbor sign's digits."""

    @property
    def token(self) -> float:
        """Radius of a token."""
        return TOKEN * self.digits

    @property
    def sign(self) -> float:
        """Radius of a harbor sign."""
        return SIGN * self.rate


def sizes(radius: float, width: int, large: bool) -> Sizes:
    """The sizes on hexes of a radius in a picture of a width, both in pixels."""
    scale = width / PICTURE
    return Sizes(
        radius,
        TOKENS[large].height(radius, scale, ROOM * radius / TOKEN),
        RATES[large].height(radius, scale, SIGN_ROOM * radius / SIGN),
    )
