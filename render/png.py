"""A palette picture as PNG bytes, deflated by ISA-L: some ten times as fast as Pillow's writer."""

from __future__ import annotations

import struct
import zlib

from isal import isal_zlib
from PIL import Image

_LEVEL = 2


def encode(image: Image.Image) -> bytes:
    """The PNG file of a P image: one IDAT, filter 0 (best for flat colours)."""
    rows = Image.new("L", (image.width + 1, image.height))  # a zero before each row: its filter
    rows.paste(Image.frombuffer("L", image.size, image.tobytes(), "raw", "L", 0, 1), (1, 0))
    header = struct.pack(">IIBBBBB", *image.size, 8, 3, 0, 0, 0)
    palette = bytes(image.getpalette() or ())
    data = isal_zlib.compress(rows.tobytes(), _LEVEL)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"PLTE", palette)
        + _chunk(b"IDAT", data)
        + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
