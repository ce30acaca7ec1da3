"""Colours: of the land and the sea, of the eight players in two palettes, and the fixed 256 of every picture."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Literal

from PIL import Image

Color = tuple[int, int, int]
PaletteName = Literal["standard", "colorblind"]

INK: Color = (38, 36, 42)
"""Outlines and text."""
PAPER: Color = (255, 252, 243)
CREAM: Color = (250, 240, 214)
"""Number tokens."""
RIM: Color = (196, 170, 122)
RED: Color = (200, 30, 36)
"""The numbers 6 and 8."""
GOLD: Color = (255, 214, 64)
"""What has just changed, and who holds an award."""
SAND: Color = (247, 231, 194)
"""Beach, and the paths between the hexes."""
SHADE: Color = (205, 180, 130)
ROBBER: Color = (58, 56, 64)
CARD_BACK: Color = (128, 84, 150)
"""Development cards."""
PANEL: Color = (246, 240, 226)
PANEL_LINE: Color = (222, 210, 184)
GREY: Color = (122, 116, 112)
WOOD: Color = (150, 108, 66)
PLANK: Color = (206, 164, 112)

SEAS: tuple[Color, ...] = ((78, 146, 184), (98, 165, 197), (124, 186, 209), (160, 208, 221))
"""Open sea to shallows."""
WAVE: Color = (112, 174, 204)
FOAM: Color = (226, 242, 243)

TERRAIN: tuple[tuple[Color, Color, Color, Color], ...] = (
    ((213, 137, 97), (176, 84, 52), (140, 62, 38), (233, 178, 140)),
    ((98, 152, 88), (44, 100, 62), (30, 76, 50), (96, 70, 46)),
    ((168, 207, 106), (126, 174, 78), (94, 142, 62), (252, 250, 244)),
    ((243, 207, 98), (222, 164, 44), (176, 120, 24), (255, 240, 170)),
    ((167, 173, 181), (116, 124, 136), (84, 91, 104), (250, 251, 253)),
    ((233, 213, 158), (211, 184, 124), (180, 148, 90), (116, 150, 92)),
)
"""By terrain code: ground, the drawing's main colour, its dark one, and an accent."""

PLAYERS: dict[PaletteName, dict[str, Color]] = {
    "standard": {
        "red": (183, 16, 9),
        "blue": (14, 56, 220),
        "white": (253, 253, 244),
        "orange": (249, 159, 10),
        "green": (63, 135, 90),
        "brown": (58, 37, 29),
        "purple": (145, 36, 146),
        "teal": (40, 195, 205),
    },
    "colorblind": {
        "red": (171, 11, 2),
        "blue": (17, 41, 232),
        "white": (253, 253, 245),
        "orange": (246, 190, 49),
        "green": (29, 140, 103),
        "brown": (36, 16, 3),
        "purple": (121, 72, 147),
        "teal": (12, 215, 252),
    },
}

MARKS = {
    "red": "●",
    "blue": "■",
    "white": "▲",
    "orange": "◆",
    "green": "✚",
    "brown": "★",
    "purple": "○",
    "teal": "＝",
}
"""The mark on a colour's pieces, as a character for texts beside the pictures."""


def mix(a: Color, b: Color, share: float) -> Color:
    """A colour between two, with that share of `b`."""
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return (red, green, blue)


def lightness(color: Color) -> float:
    """How light a colour looks, 0 to 255."""
    return 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2]


def on(color: Color) -> Color:
    """Ink or paper, whichever is plain to see on a colour."""
    return INK if lightness(color) > 130 else PAPER


def shaded(color: Color) -> Color:
    """The darker side of a piece."""
    return mix(color, INK, 0.28)


def lit(color: Color) -> Color:
    """The lighter side of a piece."""
    return mix(color, PAPER, 0.22)


def pale(color: Color) -> Color:
    """A tint, for what is to be read on it."""
    return mix(color, PAPER, 0.55)


@lru_cache(maxsize=2)
def fixed(name: PaletteName) -> Image.Image:
    """The 256 colours of all pictures in one palette, as a P image to quantize to.

    Designed rather than measured: every flat colour exactly, and the blends along the edges where two of them meet.
    One palette for all boards keeps the pictures a function of the view alone.
    """
    colors: dict[Color, None] = dict.fromkeys((INK, PAPER, (255, 255, 255)))

    def blend(*group: Color, steps: tuple[float, ...] = (0.5,)) -> None:
        colors.update(dict.fromkeys(group))
        for a, b in combinations(group, 2):
            colors.update(dict.fromkeys(mix(a, b, step) for step in steps))

    def alone(*group: Color) -> None:
        blend(*group, steps=())

    for player in PLAYERS[name].values():
        blend(player, INK)
        blend(player, on(player))
        alone(lit(player), shaded(player))
    blend(CREAM, INK)
    blend(CREAM, RED)
    blend(PANEL, INK)
    blend(PAPER, INK)
    alone(RIM, PANEL_LINE, GREY, ROBBER)
    blend(GOLD, INK)
    blend(PLANK, WOOD, INK)
    alone(*SEAS, WAVE, FOAM)
    blend(SEAS[0], INK)
    blend(SAND, SEAS[-1])
    alone(SAND, SHADE)
    for ground, main, dark, accent in TERRAIN:
        blend(ground, SAND)
        blend(ground, INK)
        blend(ground, accent)
        blend(ground, dark)
        alone(main)
        blend(pale(ground), INK)
        blend(pale(ground), dark)
    blend(CARD_BACK, INK)
    blend(CARD_BACK, PAPER)
    if len(colors) > 256:
        raise ValueError(f"{len(colors)} colours in the palette {name}")
    image = Image.new("P", (1, 1))
    image.putpalette(bytes(channel for color in colors for channel in color).ljust(768, b"\0"))
    return image


def reduce(image: Image.Image, palette: PaletteName) -> Image.Image:
    """An RGB picture in the colours of the palette."""
    return image.quantize(palette=fixed(palette), dither=Image.Dither.NONE)
