"""A board as a pile of sprites on the sea, drawn band by band. Bands that were drawn recently are reused."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count, groupby
from threading import Lock
from typing import NamedTuple

from PIL import Image

from engine.resources import SEA
from render import sea
from render.bands import BAND, Band, cut, kept, key
from render.harbors import piers, sign
from render.layout import Layout
from render.palette import BoardLook, reduce
from render.pen import Point
from render.terrain import foam, tile
from render.tokens import token


class Sprite(NamedTuple):
    """A drawing at its place: x and y of its upper left corner. Sprites with the same number look alike."""

    number: int
    image: Image.Image
    x: int
    y: int


_numbers = count()


@lru_cache(maxsize=16_384)
def _number(draw: Callable[..., Image.Image], given: tuple[Hashable, ...]) -> int:
    """The number of a sprite. It's kept longer than the drawing, since bands are found again by it."""
    return next(_numbers)


def put(middle: Point, draw: Callable[..., Image.Image], *given: Hashable) -> Sprite:
    """The sprite that a function, which keeps its drawings, makes for its arguments, with its middle at a point."""
    image = draw(*given)
    return Sprite(_number(draw, given), image, round(middle[0] - image.width / 2), round(middle[1] - image.height / 2))


@lru_cache(maxsize=1024)
def _ground(place: Layout, look: BoardLook) -> tuple[bytes, ...]:
    """Names of the bands of a board without pieces, equal for bands that look alike."""
    water, land = sea.name(place, look), _land(place, look[1])
    return tuple(key(water, "ground", k, _names(lying)) for k, lying in enumerate(_lying(place, land)))


@lru_cache(maxsize=64)
def _land(place: Layout, dark: bool) -> list[Sprite]:
    """A board without pieces: edges at sea, piers, land, harbor signs and tokens, from bottom to top."""
    board, r = place.board, place.radius
    pile = []
    if board.whole:
        for e, hexes in enumerate(board.grid.edge_hexes):
            if all(board.terrain[h] == SEA for h in hexes):
                pile.append(put(place.edge(e), foam, place.slant(e), r, dark))
    for harbor in board.harbors:
        if harbor.side is not None:
            pile.append(put(place.harbor(harbor), piers, harbor.side, r, dark))
    for h, terrain in enumerate(board.terrain):
        if terrain != SEA:
            pile.append(put(place.hex(h), tile, terrain, r, place.sizes.token / r, dark))
    for harbor in board.harbors:
        pile.append(
            put(place.harbor(harbor), sign, harbor.kind, harbor.rate, place.sizes.rate, harbor.side is not None, dark)
        )
    for h, number in enumerate(board.tokens):
        if number:
            pile.append(put(place.hex(h), token, number, place.sizes.digits, False, dark))
    return pile


def bands(place: Layout, pile: Sequence[Sprite], look: BoardLook) -> list[Band]:
    """A board with a pile of sprites on it, as the bands of a picture."""
    ground = _ground(place, look)
    keys = [key(name, _names(lying)) for name, lying in zip(ground, _lying(place, pile), strict=True)]
    found = {k: band for k, band_key in enumerate(keys) if (band := kept.get(band_key))}
    for first, end in _runs(k for k in range(len(keys)) if k not in found):
        start = max(0, first - 1)
        image = _rows(place, ground, look, start, end)
        _paste(image, pile, start * BAND)
        if first:
            image = image.crop((0, BAND - 1, *image.size))
        for k, band in enumerate(_cut(reduce(image, *look), first > 0), first):
            kept.put(keys[k], band)
            found[k] = band
    return [found[k] for k in range(len(keys))]


def _lying(place: Layout, pile: Iterable[Sprite]) -> list[list[Sprite]]:
    """The sprites in each band of a board, and in the pixel row above it, to which the band refers."""
    by_band: list[list[Sprite]] = [[] for _ in range(-(-place.height // BAND))]
    for sprite in pile:
        for lying in by_band[max(0, sprite.y // BAND) : max(0, -(-(sprite.y + sprite.image.height + 1) // BAND))]:
            lying.append(sprite)
    return by_band


def _names(lying: Iterable[Sprite]) -> list[tuple[int, int, int]]:
    """What distinguishes the sprites of a band."""
    return [(number, x, y) for number, _, x, y in lying]


def _paste(image: Image.Image, pile: Iterable[Sprite], top: int) -> None:
    """Paste the sprites of a pile on an image of some rows of the board, which begins at the row `top`."""
    for _, picture, x, y in pile:
        if y < top + image.height and y + picture.height > top:
            image.paste(picture, (x, y - top), picture)


class _Grounds:
    """The most recently used bands of boards without pieces, as RGB images. Threads can share it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._bands: OrderedDict[bytes, Image.Image] = OrderedDict()
        self._lock = Lock()

    def get(self, name: bytes) -> Image.Image | None:
        """The band with that name, if it is kept."""
        with self._lock:
            if (band := self._bands.get(name)) is not None:
                self._bands.move_to_end(name)
            return band

    def put(self, name: bytes, band: Image.Image) -> None:
        """Keep a band, and drop those that were used longest ago beyond the limit."""
        with self._lock:
            self._bands[name] = band
            while len(self._bands) > self._limit:
                self._bands.popitem(last=False)


_grounds = _Grounds(160)
"""Room for four boards, which is 20 MiB."""


def _rows(place: Layout, ground: Sequence[bytes], look: BoardLook, first: int, end: int) -> Image.Image:
    """Bands `first` up to (not including) `end` of a board without pieces, as an RGB image to draw on."""
    names = {k: ground[k] for k in range(first, end)}
    found = {k: band for k, name in names.items() if (band := _grounds.get(name))}
    for start, stop in _runs(k for k in names if k not in found):
        image = sea.rows(place, look, start, stop)
        _paste(image, _land(place, look[1]), start * BAND)
        for k in range(start, stop):
            top = (k - start) * BAND
            found[k] = image.crop((0, top, image.width, min(top + BAND, image.height)))
            _grounds.put(names[k], found[k])
        if (start, stop) == (first, end):  # the image already has all bands
            return image
    whole = Image.new("RGB", (place.width, sum(band.height for band in found.values())), None)
    for k, band in found.items():
        whole.paste(band, (0, (k - first) * BAND))
    return whole


def _cut(image: Image.Image, above: bool) -> list[Band]:
    """Cut an image into bands. With `above` it begins with the pixel row above them; the first band has none."""
    if above:
        return cut(image, above=1)
    first, others = image.crop((0, 0, image.width, BAND)), image.crop((0, BAND - 1, *image.size))
    return [*cut(first), *(cut(others, above=1) if image.height > BAND else [])]


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Rising numbers as runs without gaps: the first number of each run, and the first one after it."""
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        first, *more = (number for _, number in run)
        yield first, (more or [first])[-1] + 1
