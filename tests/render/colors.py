"""How colors look to different eyes (color blindness by Machado 2009, severity 1; CIE Lab), and the colors of a
picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from io import BytesIO
from itertools import combinations
from math import dist

from PIL import Image

from render.palette import PLAYERS, Color

EYES = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def pixels(image: Image.Image) -> list[tuple[int, ...]]:
    """The pixels of a picture in color, row by row."""
    found = [pixel for pixel in image.get_flattened_data() if isinstance(pixel, tuple)]
    assert len(found) == image.width * image.height, "a grey picture has numbers"
    return found


def share(image: Image.Image, color: Color, near: int = 4) -> float:
    """The share of a picture that has a color, or one as near to it as a palette keeps it (`near`, for each
    channel)."""
    colors = image.getcolors(image.width * image.height) or []
    counts = [n for n, pixel in colors if isinstance(pixel, tuple) and all(map(partial(_near, near), pixel, color))]
    return sum(counts) / (image.width * image.height)


def _near(most: int, channel: int, other: int) -> bool:
    return abs(channel - other) <= most


def lab(color: Color, eyes: str) -> tuple[float, float, float]:
    """CIE Lab (`D65`) of a color as these eyes see it."""
    seen = [min(1.0, max(0.0, sum(a * _linear(c) for a, c in zip(row, color, strict=True)))) for row in EYES[eyes]]
    r, g, b = seen
    x, y, z = (
        _curve(value)
        for value in (
            (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
            0.2126 * r + 0.7152 * g + 0.0722 * b,
            (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _linear(channel: int) -> float:
    value = channel / 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _curve(value: float) -> float:
    return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116


def closest(colors: dict[str, Color], eyes: str) -> tuple[float, Sequence[str]]:
    """The smallest distance between two of the colors, and which two."""
    seen = {name: lab(color, eyes) for name, color in colors.items()}
    return min((dist(seen[a], seen[b]), (a, b)) for a, b in combinations(colors, 2))


def main() -> None:
    for palette, colors in PLAYERS.items():
        for eyes in EYES:
            distance, pair = closest(colors, eyes)
            print(f"{palette:11} {eyes:13} {distance:5.1f}  {' and '.join(pair)}")


if __name__ == "__main__":
    main()


def decoded(data: bytes) -> Image.Image:
    """A picture from the bytes that are sent."""
    return Image.open(BytesIO(data)).convert("RGB")


def near(image: Image.Image, at: tuple[float, float], color: Color, reach: int = 6) -> bool:
    """Whether a color (as the palette keeps it) can be seen close to a point."""
    x, y = round(at[0]), round(at[1])
    patch = image.crop((x - reach, y - reach, x + reach + 1, y + reach + 1))
    return any(max(abs(a - b) for a, b in zip(pixel, color, strict=True)) <= 5 for pixel in pixels(patch))
