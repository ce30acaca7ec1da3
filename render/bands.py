"""Bands, the deflated rows of a picture. They are kept by what is drawn in them, since an action changes only a few."""

from __future__ import annotations

from collections import OrderedDict
from hashlib import blake2b
from threading import Lock
from typing import NamedTuple

from PIL import Image
from zlib_ng import zlib_ng

BAND = 32
"""Pixel rows of a band."""
_LEVEL, _QUICK = 5, 1
"""Compression levels of zlib-ng. Level 6 takes a third longer and saves two bytes in a hundred."""
_ENTRY = 400
"""Bytes that an entry of the cache takes in addition to its deflated rows."""


class Band(NamedTuple):
    """Rows of a palette picture as deflate blocks that are complete in themselves, or refer to the row above them. Each
    row begins with its filter, 0."""

    data: bytes
    crc: int
    """CRC-32 of the data."""
    adler: int
    """Adler-32 of the rows."""
    size: int
    """Bytes of the rows before deflating."""


def cut(image: Image.Image, rows: int = BAND, quick: bool = False, above: int = 0) -> list[Band]:
    """Cut a P image into bands, from the top down. `quick` takes a third of the time, and 1.5 times as many bytes.

    With `above` the image begins with that many rows of the band before it. Then each band refers to that many rows
    above it, where most of its first row can be found, and must follow them in the picture.
    """
    filtered = Image.new("L", (image.width + 1, image.height))  # filter 0: best for flat colors
    filtered.paste(Image.frombuffer("L", image.size, image.tobytes(), "raw", "L", 0, 1), (1, 0))
    raw = filtered.tobytes()
    step, context = rows * (image.width + 1), above * (image.width + 1)
    starts = range(context, len(raw), step)
    return [_deflated(raw[start : start + step], quick, raw[start - context : start]) for start in starts]


def _deflated(raw: bytes, quick: bool, known: bytes) -> Band:
    level = _QUICK if quick else _LEVEL
    deflate = zlib_ng.compressobj(level, wbits=-15, zdict=known) if known else zlib_ng.compressobj(level, wbits=-15)
    data = deflate.compress(raw) + deflate.flush(zlib_ng.Z_FULL_FLUSH)
    return Band(data, zlib_ng.crc32(data), zlib_ng.adler32(raw), len(raw))


def joined(bands: list[Band], width: int, palette: Image.Image) -> Image.Image:
    """The P image, of that width and palette, that was cut into these bands."""
    raw = b"".join(zlib_ng.decompressobj(-15).decompress(band.data) for band in bands)
    filtered = Image.frombytes("P", (width + 1, len(raw) // (width + 1)), raw)
    filtered.putpalette(palette.getpalette() or ())
    return filtered.crop((1, 0, *filtered.size))


def key(*parts: object) -> bytes:
    """A short name for what is drawn in a band, made from values whose `repr` tells them apart."""
    return blake2b(repr(parts).encode(), digest_size=16).digest()


class CacheInfo(NamedTuple):
    """What a cache of bands has done, and what it holds."""

    hits: int
    misses: int
    bytes: int
    limit: int
    """Most `bytes` that it can hold."""
    bands: int


class BandCache:
    """Bands by key, up to `limit` bytes; those used longest ago are dropped first. Threads can share it."""

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
        """Keep a band, and drop those that were used longest ago beyond the limit."""
        with self._lock:
            if key not in self._bands:  # another thread may have drawn the same one
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
"""The bands of all boards, about 100 KiB per board."""


def board_lookups() -> tuple[int, int]:
    """How often bands were looked up: (hits, which were in memory; misses, which had to be drawn)."""
    info = kept.cache_info()
    return info.hits, info.misses
