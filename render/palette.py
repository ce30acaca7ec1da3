"""Colors: of land and sea, of the eight players in two palettes, and the fixed 256 of every picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import dist
from typing import Literal, NamedTuple

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
BLOCKED: Color = (206, 202, 194)
"""The number under the robber."""
CARD_BACK: Color = (128, 84, 150)
"""Development cards."""
PANEL: Color = (246, 240, 226)
PANEL_LINE: Color = (222, 210, 184)
GREY: Color = (122, 116, 112)
WOOD: Color = (150, 108, 66)
PLANK: Color = (206, 164, 112)

MIDNIGHT: Color = (10, 15, 26)
"""Toward this, the dark look darkens land and sea (`dimmed`)."""
NIGHT: Color = (43, 45, 49)
"""The ground in the dark look; its lines, text, and quiet text follow."""
NIGHT_LINE: Color = (72, 75, 82)
MOON: Color = (232, 230, 224)
DIM: Color = (150, 152, 158)
SLATE: Color = (54, 57, 65)
"""Tokens and signs in the dark look; the numbers 6 and 8 on them follow."""
CORAL: Color = (255, 128, 116)

SEAS: tuple[Color, ...] = ((78, 146, 184), (106, 171, 200), (152, 203, 219))
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
"""By terrain code: ground, the drawing's main color, its dark one, and an accent."""

PLAYERS: dict[PaletteName, dict[str, Color]] = {
    "standard": {
        "red": (214, 25, 9),
        "blue": (16, 41, 230),
        "white": (253, 253, 244),
        "orange": (249, 153, 10),
        "green": (2, 166, 89),
        "brown": (102, 53, 36),
        "purple": (170, 58, 206),
        "teal": (11, 225, 255),
    },
    "colorblind": {
        "red": (210, 48, 7),
        "blue": (13, 31, 255),
        "white": (253, 253, 245),
        "orange": (255, 184, 44),
        "green": (45, 136, 121),
        "brown": (92, 41, 28),
        "purple": (133, 62, 194),
        "teal": (12, 213, 255),
    },
}


class Theme(NamedTuple):
    """Colors of the light or the dark look: the ground outside the board, its lines, text, and quiet text; tokens, the
    numbers on them, and the numbers 6 and 8; signs, cards and tags, with the same text."""

    panel: Color
    line: Color
    ink: Color
    grey: Color
    token: Color
    number: Color
    often: Color
    paper: Color


LARGER = 1.22
"""How many times larger figures are in the large look."""
THEMES = {
    False: Theme(PANEL, PANEL_LINE, INK, GREY, CREAM, INK, RED, PAPER),
    True: Theme(NIGHT, NIGHT_LINE, MOON, DIM, SLATE, MOON, CORAL, SLATE),
}
"""By whether they are dark."""


class Look(NamedTuple):
    """How a person wants pictures: the palette of players, light or dark, and larger figures and names or not."""

    palette: PaletteName = "standard"
    dark: bool = False
    large: bool = False

    @property
    def theme(self) -> Theme:
        """The colors of the light or the dark look."""
        return THEMES[self.dark]

    @property
    def board(self) -> BoardLook:
        """What matters for the bands of a board's picture."""
        return self.palette, self.dark

    def scaled(self, pixels: int) -> int:
        """A size in pixels, larger in the large look."""
        return round(pixels * LARGER) if self.large else pixels


USUAL = Look()
BoardLook = tuple[PaletteName, bool]
"""The palette of players, and whether it is dark."""

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
"""The mark on a color's pieces, as a character for texts next to the pictures."""


def mix(a: Color, b: Color, share: float) -> Color:
    """A color between two; `share` is that of `b`."""
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return (red, green, blue)


_DIMMED = 0.5
_DIMMING = [round(v + (to - v) * _DIMMED) for to in MIDNIGHT for v in range(256)]


def dimmed(color: Color, dark: bool = True) -> Color:
    """A color of land or sea in the dark look, if it is `dark`."""
    return mix(color, MIDNIGHT, _DIMMED) if dark else color


def dim(image: Image.Image, dark: bool) -> Image.Image:
    """A drawing (RGBA) in the dark look, if it is `dark`."""
    return image.point([*_DIMMING, *range(256)]) if dark else image


def faced(ground: Color, dark: bool) -> Color:
    """The ground for a drawing on a card or a sign: a tint of the color that goes with the drawing."""
    return mix(pale(ground), MIDNIGHT, 0.66) if dark else pale(ground)


def lightness(color: Color) -> float:
    """How light a color looks, 0 to 255."""
    return 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2]


def on(color: Color) -> Color:
    """Ink or paper, whichever is easy to see on a color."""
    return INK if lightness(color) > 130 else PAPER


def shaded(color: Color) -> Color:
    """The darker side of a piece."""
    return mix(color, INK, 0.28)


def lit(color: Color) -> Color:
    """The lighter side of a piece."""
    return mix(color, PAPER, 0.22)


def pale(color: Color) -> Color:
    """A pale tint, as a ground for what must be legible."""
    return mix(color, PAPER, 0.55)


CLOSE = 32.0
"""Distance in RGB within which an existing color replaces a blend. More blends would only be noise along the edges,
which costs bytes."""


@lru_cache(maxsize=2)
def fixed(name: PaletteName) -> Image.Image:
    """The 256 colors of all pictures with one palette of players, as a P image.

    They are designed rather than measured: every flat color exactly, then the blends along the edges where two of them
    meet; first those of the light look, then those of the dark one. With one palette for all boards, pictures depend on
    the view alone.
    """
    return _image(_colors(name))


def reduce(image: Image.Image, palette: PaletteName, dark: bool = False) -> Image.Image:
    """Reduce an RGB image to those colors of the palette that its look has."""
    return image.quantize(palette=_usable(palette, dark), dither=Image.Dither.NONE)


@lru_cache(maxsize=4)
def _usable(name: PaletteName, dark: bool) -> Image.Image:
    own = set(_of_look(name, dark))
    return _image([color if color in own else INK for color in _colors(name)])


def _colors(name: PaletteName) -> list[Color]:
    return list(dict.fromkeys([*_of_look(name, False), *_of_look(name, True)]))


def _image(colors: Sequence[Color]) -> Image.Image:
    if len(colors) > 256:
        raise ValueError(f"{len(colors)} colors in a palette")
    filled = [*colors, *[INK] * (256 - len(colors))]
    image = Image.new("P", (1, 1))
    image.putpalette(bytes(channel for color in filled for channel in color))
    return image


def _of_look(name: PaletteName, dark: bool) -> list[Color]:
    """The colors of pictures in the light or the dark look."""
    flat: dict[Color, None] = {}
    blends: dict[Color, None] = {}
    theme = THEMES[dark]

    def alone(*group: Color) -> None:
        flat.update(dict.fromkeys(group))

    def blend(*group: Color) -> None:
        alone(*group)
        blends.update(dict.fromkeys(mix(a, b, 0.5) for a, b in combinations(group, 2)))

    alone(INK, PAPER, (255, 255, 255))
    for player in PLAYERS[name].values():
        blend(player, INK)
        blend(player, on(player))
        alone(lit(player), shaded(player))
    blend(theme.token, theme.number)
    blend(theme.token, theme.often)
    blend(theme.panel, theme.ink)
    blend(theme.panel, theme.grey)
    blend(PAPER, INK)
    alone(RIM, theme.line, theme.grey, GREY)
    blend(ROBBER, BLOCKED)
    blend(GOLD, INK)
    blend(GOLD, RED)
    blend(dimmed(PLANK, dark), dimmed(WOOD, dark), INK)
    blend(PLANK, WOOD)
    seas = [dimmed(color, dark) for color in (*SEAS, WAVE, FOAM)]
    alone(*seas)
    blend(seas[0], INK)
    sand = dimmed(SAND, dark)
    blend(sand, seas[len(SEAS) - 1])
    alone(sand, dimmed(SHADE, dark))
    for colors in TERRAIN:
        ground, main, low, accent = (dimmed(color, dark) for color in colors)
        blend(ground, sand)
        blend(ground, INK)
        blend(ground, accent)
        blend(ground, low)
        alone(main)
        face = faced(colors[0], dark)
        blend(face, INK)
        blend(face, theme.ink)
        blend(face, colors[2])
        blend(face, colors[1])
    for plain in (faced(PAPER, dark), theme.paper):
        blend(plain, theme.ink)
        blend(plain, INK)
    alone(SEAS[0])
    blend(CARD_BACK, INK)
    blend(CARD_BACK, theme.paper)
    colors_ = list(flat)
    for color in blends:
        if all(dist(color, other) > CLOSE for other in colors_):
            colors_.append(color)
    return colors_
