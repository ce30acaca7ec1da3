"""A board as a pile of sprites on the sea, drawn band by band: only those bands that nobody has drawn lately."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count, groupby
from typing import NamedTuple

from PIL import Image

from engine.resources import SEA
from render import sea
from render.bands import BAND, Band, cut, kept, key
from render.harbors import piers, sign
from render.ink import Point
from render.layout import Layout
from render.palette import PaletteName, reduce
from render.terrain import foam, tile
from render.tokens import token


class Sprite(NamedTuple):
    """A drawing at its place: x and y of its upper left corner; what has one number looks alike."""

    number: int
    image: Image.Image
    x: int
    y: int


_numbers = count()


@lru_cache(maxsize=2048)
def _drawn(draw: Callable[..., Image.Image], given: tuple[Hashable, ...]) -> tuple[int, Image.Image]:
    return next(_numbers), draw(*given)


def put(middle: Point, draw: Callable[..., Image.Image], *given: Hashable) -> Sprite:
    """What a function draws of its arguments, with its middle at a point."""
    number, image = _drawn(draw, given)
    return Sprite(number, image, round(middle[0] - image.width / 2), round(middle[1] - image.height / 2))


def ground(place: Layout) -> Iterator[Sprite]:
    """Edges at sea, piers, land, harbor signs and tokens, from below to the top."""
    board = place.board
    if board.whole:
        for e, hexes in enumerate(board.grid.edge_hexes):
            if all(board.terrain[h] == SEA for h in hexes):
                yield put(place.edge(e), foam, place.slant(e), place.radius)
    for harbor in board.harbors:
        if harbor.side is not None:
            yield put(place.harbor(harbor), piers, harbor.side, board.whole, place.radius)
    for h, terrain in enumerate(board.terrain):
        if terrain != SEA:
            yield put(place.hex(h), tile, terrain, place.radius)
    for harbor in board.harbors:
        yield put(place.harbor(harbor), sign, harbor.kind, harbor.rate, place.sign, harbor.side is not None)
    for h, number in enumerate(board.tokens):
        if number:
            yield put(place.hex(h), token, number, place.token)


def bands(place: Layout, pile: Sequence[Sprite], palette: PaletteName) -> list[Band]:
    """A board's sea with a pile of sprites on it, from below to the top, as the bands of a picture."""
    there: list[list[Sprite]] = [[] for _ in range(-(-place.height // BAND))]
    for sprite in pile:
        for lying in there[max(0, sprite.y // BAND) : max(0, -(-(sprite.y + sprite.image.height) // BAND))]:
            lying.append(sprite)
    water = sea.name(place, palette)
    keys = [key(water, k, [(number, x, y) for number, _, x, y in lying]) for k, lying in enumerate(there)]
    found = {k: band for k, one in enumerate(keys) if (band := kept.get(one))}
    for first, end in _runs(k for k in range(len(keys)) if k not in found):
        image = sea.rows(place, palette, water, first, end)
        top = first * BAND
        for _, picture, x, y in pile:
            if y < top + image.height and y + picture.height > top:
                image.paste(picture, (x, y - top), picture)
        for k, band in enumerate(cut(reduce(image, palette)), first):
            kept.put(keys[k], band)
            found[k] = band
    return [found[k] for k in range(len(keys))]


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Rising numbers as runs without a gap: the first of each, and the first after it."""
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        first, *more = (number for _, number in run)
        yield first, (more or [first])[-1] + 1
