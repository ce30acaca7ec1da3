"""A palette picture as PNG bytes, deflated in bands that are kept: an action changes but a few of them."""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache

from isal import isal_zlib
from PIL import Image

_BAND = 32
"""Rows of a band."""
_LEVEL = 7


def encode(image: Image.Image) -> bytes:
    """The PNG file of a P image: one IDAT, filter 0 (best for flat colours)."""
    rows = Image.new("L", (image.width + 1, image.height))  # a zero before each row: its filter
    rows.paste(Image.frombuffer("L", image.size, image.tobytes(), "raw", "L", 0, 1), (1, 0))
    raw = rows.tobytes()
    step = _BAND * (image.width + 1)
    bands = [deflated(raw[start : start + step]) for start in range(0, len(raw), step)]
    data = b"".join((b"\x78\x9c", *bands, b"\x03\x00", struct.pack(">I", isal_zlib.adler32(raw))))
    header = struct.pack(">IIBBBBB", *image.size, 8, 3, 0, 0, 0)
    palette = bytes(image.getpalette() or ())
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"PLTE", palette)
        + _chunk(b"IDAT", data)
        + _chunk(b"IEND", b"")
    )


@lru_cache(maxsize=512)
def deflated(band: bytes) -> bytes:
    """A band as deflate blocks that stand for themselves."""
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15)
    return deflate.compress(band) + deflate.flush(zlib.Z_FULL_FLUSH)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", isal_zlib.crc32(kind + data))
