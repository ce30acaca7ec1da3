"""Bands, the deflated rows of a picture; they are kept by what is drawn in them, as an action changes but a few."""

from __future__ import annotations

from collections import OrderedDict
from hashlib import blake2b
from threading import Lock
from typing import NamedTuple

from PIL import Image
from zlib_ng import zlib_ng

BAND = 32
"""Rows of a band."""
_LEVEL, _QUICK = 5, 1
"""Of zlib-ng. Level 6 takes a third longer and saves two bytes in a hundred."""
_ENTRY = 400
"""Bytes that an entry takes beside its deflated rows."""


class Band(NamedTuple):
    """Rows of a palette picture as deflate blocks that stand for themselves, or refer to the row above them; each row
    begins with its filter, 0."""

    data: bytes
    crc: int
    """CRC-32 of the data."""
    adler: int
    """Adler-32 of the rows."""
    size: int
    """Of the rows, in bytes."""


def cut(image: Image.Image, rows: int = BAND, quick: bool = False, above: int = 0) -> list[Band]:
    """The bands of a P image, from the top down; `quick` ones take a third of the time and half as many bytes again.

    With `above` the image begins with so many rows of the band before, and each band refers to that many above it,
    which it must follow in the picture then: most of its first row is found there.
    """
    filtered = Image.new("L", (image.width + 1, image.height))  # filter 0: best for flat colours
    filtered.paste(Image.frombuffer("L", image.size, image.tobytes(), "raw", "L", 0, 1), (1, 0))
    raw = filtered.tobytes()
    step, known = rows * (image.width + 1), above * (image.width + 1)
    starts = range(known, len(raw), step)
    return [_deflated(raw[start : start + step], quick, raw[start - known : start]) for start in starts]


def _deflated(raw: bytes, quick: bool, known: bytes) -> Band:
    level = _QUICK if quick else _LEVEL
    deflate = zlib_ng.compressobj(level, wbits=-15, zdict=known) if known else zlib_ng.compressobj(level, wbits=-15)
    data = deflate.compress(raw) + deflate.flush(zlib_ng.Z_FULL_FLUSH)
    return Band(data, zlib_ng.crc32(data), zlib_ng.adler32(raw), len(raw))


def joined(bands: list[Band], width: int, palette: Image.Image) -> Image.Image:
    """The P image of that width and palette which was cut into these bands."""
    raw = b"".join(zlib_ng.decompressobj(-15).decompress(band.data) for band in bands)
    filtered = Image.frombytes("P", (width + 1, len(raw) // (width + 1)), raw)
    filtered.putpalette(palette.getpalette() or ())
    return filtered.crop((1, 0, *filtered.size))


def key(*parts: object) -> bytes:
    """A short name of what is drawn in a band, made of values whose `repr` tells them apart."""
    return blake2b(repr(parts).encode(), digest_size=16).digest()


class CacheInfo(NamedTuple):
    """What a cache of bands has done and holds."""

    hits: int
    misses: int
    bytes: int
    limit: int
    """Most of `bytes`."""
    bands: int


class BandCache:
    """Bands by key, up to `limit` bytes; those that were used longest ago go first. Threads may share it."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._bands: OrderedDict[bytes, Band] = OrderedDict()
        self._bytes = self._hits = self._misses = 0
        self._lock = Lock()

    def get(self, key: bytes) -> Band | None:
        """A band, if it is kept."""
        with self._lock:
            band = self._bands.get(key)
            if band is None:
                self._misses += 1
            else:
                self._hits += 1
                self._bands.move_to_end(key)
            return band

    def put(self, key: bytes, band: Band) -> None:
        """Keep a band, at the cost of those that were used longest ago."""
        with self._lock:
            if key not in self._bands:  # another thread may have drawn the same
                self._bands[key] = band
                self._bytes += len(band.data) + _ENTRY
            while self._bytes > self.limit:
                _, old = self._bands.popitem(last=False)
                self._bytes -= len(old.data) + _ENTRY

    def cache_info(self) -> CacheInfo:
        """Figures since the start, and what is held now."""
        with self._lock:
            return CacheInfo(self._hits, self._misses, self._bytes, self.limit, len(self._bands))

    def cache_clear(self) -> None:
        """Forget all bands and figures."""
        with self._lock:
            self._bands.clear()
            self._bytes = self._hits = self._misses = 0


kept = BandCache(96 << 20)
"""The bands of all boards: about 100 KiB a board."""


def board_lookups() -> tuple[int, int]:
    """How often the rows of a board were wanted, (hits, misses): in memory already, or drawn."""
    found = kept.cache_info()
    return found.hits, found.misses
