"""What doesn't change in a game, drawn once and kept: sea, coast, land, piers, harbor signs, tokens."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engine.board import Board
from engine.geometry import corners
from engine.resources import SEA
from render.harbors import piers, sign
from render.ink import Ink, Point
from render.layout import Layout, layout
from render.palette import FOAM, SAND, SEAS, SHADE, WAVE, Color, PaletteName, fixed
from render.terrain import tile
from render.tokens import token

_BANDS = ((0.62, SEAS[1]), (0.36, SEAS[2]), (0.17, SEAS[3]))
"""Shallows: how far they reach from the coast, in hex radii."""
_FAINT = 80
"""Alpha up to which a stamp leaves what is below it."""
_MOST_STAMPS = 800
"""Kept a scene: all pieces of all players, and labels."""


class Scene:
    """The picture of a board without pieces, and the stamps that were once put onto it.

    A stamp is a sprite blended with the ground at its place and reduced to the palette; so a picture is a copy of the
    palette picture and one small paste a piece.
    """

    def __init__(self, ground: Image.Image, palette: PaletteName) -> None:
        self._palette = fixed(palette)
        self._flat = reduce(ground, palette)
        self._stamps: dict[tuple[int, int, int], tuple[Image.Image, Image.Image, Image.Image]] = {}

    def picture(self, more: int) -> Image.Image:
        """A P picture to stamp on, with `more` empty rows below."""
        image = Image.new("P", (self._flat.width, self._flat.height + more))
        image.putpalette(self._palette.getpalette() or ())
        image.paste(self._flat, (0, 0))
        return image

    def stamp(self, image: Image.Image, sprite: Image.Image, middle: Point) -> None:
        """Puts a sprite onto a picture of this scene, with its middle at a point."""
        x, y = round(middle[0] - sprite.width / 2), round(middle[1] - sprite.height / 2)
        key = (id(sprite), x, y)  # stays true: the entry keeps the sprite
        entry = self._stamps.get(key)
        if entry is None:
            patch = self._flat.crop((x, y, x + sprite.width, y + sprite.height)).convert("RGB")
            patch.paste(sprite, (0, 0), sprite)
            mask = sprite.getchannel("A").point([255 * (alpha > _FAINT) for alpha in range(256)]).convert("1")
            entry = (sprite, patch.quantize(palette=self._palette, dither=Image.Dither.NONE), mask)
            if len(self._stamps) >= _MOST_STAMPS:
                self._stamps.clear()
            self._stamps[key] = entry
        image.paste(entry[1], (x, y), entry[2])


@lru_cache(maxsize=24)
def scene(board: Board, width: int, palette: PaletteName) -> Scene:
    """The scene of a board."""
    return Scene(_ground(board, width), palette)


def board_lookups() -> tuple[int, int]:
    """How often the scene of a board was wanted, (hits, misses): in memory already, or drawn."""
    found = scene.cache_info()
    return found.hits, found.misses


def reduce(image: Image.Image, palette: PaletteName) -> Image.Image:
    """An RGB picture in the colours of the palette."""
    return image.quantize(palette=fixed(palette), dither=Image.Dither.NONE)


def _put(image: Image.Image, sprite: Image.Image, middle: Point) -> None:
    image.paste(sprite, (round(middle[0] - sprite.width / 2), round(middle[1] - sprite.height / 2)), sprite)


@lru_cache(maxsize=2)
def _ground(board: Board, width: int) -> Image.Image:
    place = layout(board, width)
    image = _sea(place)
    for h, terrain in enumerate(board.terrain):
        if terrain != SEA:
            _put(image, tile(terrain, place.radius), place.hex(h))
    for harbor in board.harbors:
        used = harbor.side is not None
        _put(image, sign(harbor.kind, harbor.rate, place.sign, used), place.harbor(harbor))
    for h, number in enumerate(board.tokens):
        if number:
            _put(image, token(number, place.token), place.hex(h))
    return image


def _sea(place: Layout) -> Image.Image:
    """Waves, shallows, beach and piers (RGB)."""
    board, r = place.board, place.radius
    ink = Ink(place.width, place.height, origin=(0, 0), fine=2, ground=SEAS[0])
    _waves(ink, place)
    land = [h for h, terrain in enumerate(board.terrain) if terrain != SEA]
    beside = board.grid.neighbours
    coast = [place.side(h, s) for h in land for s in range(6) if beside[h][s] < 0 or board.terrain[beside[h][s]] == SEA]
    for reach, color in _BANDS:
        _along(ink, coast, 2 * reach * r, color, 0.0)
    if board.whole:
        for e, hexes in enumerate(board.grid.edge_hexes):
            if all(board.terrain[h] == SEA for h in hexes):
                ink.line(place.ends(e), 0.022 * r, FOAM)
    _along(ink, coast, 0.13 * r, SHADE, 0.05 * r)
    _along(ink, coast, 0.13 * r, SAND, 0.0)
    for h in land:
        ink.polygon([place.at(*corner) for corner in corners(board.grid.hexes[h])], SAND)
    for harbor in board.harbors:
        piers(ink, place, harbor)
    return ink.image()


def _along(ink: Ink, coast: list[tuple[Point, Point]], width: float, color: Color, down: float) -> None:
    for (ax, ay), (bx, by) in coast:
        ink.line([(ax, ay + down), (bx, by + down)], width, color)


def _waves(ink: Ink, place: Layout) -> None:
    """Small crests in rows, staggered."""
    step, half = 0.8 * place.radius, 0.11 * place.radius
    for row in range(int(place.height / step) + 2):
        for column in range(int(place.width / (1.7 * step)) + 2):
            x = (column + (row % 2) / 2) * 1.7 * step
            y = (row + 0.4) * step
            crest = [
                (x - 2 * half, y),
                (x - half, y - half / 2),
                (x, y),
                (x + half, y - half / 2),
                (x + 2 * half, y),
            ]
            ink.line(crest, 0.03 * place.radius, WAVE, caps=False)
