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
from render.palette import FOAM, SAND, SEAS, SHADE, WAVE, Color
from render.terrain import tile
from render.tokens import token

_BANDS = ((0.62, SEAS[1]), (0.36, SEAS[2]), (0.17, SEAS[3]))
"""Shallows: how far they reach from the coast, in hex radii."""


def put(image: Image.Image, sprite: Image.Image, middle: Point) -> None:
    """Lays a sprite onto a picture, with its middle at a point."""
    at = (round(middle[0] - sprite.width / 2), round(middle[1] - sprite.height / 2))
    image.paste(sprite, at, sprite)


@lru_cache(maxsize=16)
def scene(board: Board, width: int) -> Image.Image:
    """The picture of a board without pieces (RGB). Never draw on it: copy it first."""
    place = layout(board, width)
    image = Image.new("RGB", (place.width, place.height), SEAS[0])
    sea = _sea(place)
    image.paste(sea, (0, 0), sea)
    for h, terrain in enumerate(board.terrain):
        if terrain != SEA:
            put(image, tile(terrain, place.radius), place.hex(h))
    for harbor in board.harbors:
        used = harbor.side is not None
        put(image, sign(harbor.kind, harbor.rate, place.radius, used), place.harbor(harbor))
    for h, number in enumerate(board.tokens):
        if number:
            put(image, token(number, place.radius), place.hex(h))
    return image


def _sea(place: Layout) -> Image.Image:
    """Waves, shallows, beach and piers."""
    board, r = place.board, place.radius
    ink = Ink(place.width, place.height, origin=(0, 0), fine=2)
    _waves(ink, place)
    land = [h for h, terrain in enumerate(board.terrain) if terrain != SEA]
    beside = board.grid.neighbours
    coast = [
        place.side(h, s)
        for h in land
        for s in range(6)
        if beside[h][s] < 0 or board.terrain[beside[h][s]] == SEA
    ]
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
    step, half = 0.62 * place.radius, 0.12 * place.radius
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
            ink.line(crest, 0.03 * place.radius, WAVE)
