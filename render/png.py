"""A palette picture as PNG bytes, from bands that were deflated one by one."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from isal import isal_zlib
from PIL import Image

from render.bands import Band, cut

_MODULUS = 65521
"""Of Adler-32 (RFC 1950)."""


def encode(image: Image.Image) -> bytes:
    """The PNG file of a P image."""
    return assemble(cut(image), image.width, image)


def assemble(bands: Iterable[Band], width: int, palette: Image.Image) -> bytes:
    """The PNG file of a picture `width` pixels wide, from its bands and a P image with its palette: one IDAT."""
    data, adler, size = [b"\x78\x9c"], 1, 0
    for band in bands:
        data.append(band.data)
        adler = _combined(adler, band)
        size += band.size
    data += b"\x03\x00", struct.pack(">I", adler)
    header = struct.pack(">IIBBBBB", width, size // (width + 1), 8, 3, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"PLTE", bytes(palette.getpalette() or ()))
        + _chunk(b"IDAT", b"".join(data))
        + _chunk(b"IEND", b"")
    )


def _combined(adler: int, band: Band) -> int:
    """Adler-32 of rows with that one followed by a band, without reading them: zlib's `adler32_combine`."""
    low, high = adler & 0xFFFF, adler >> 16
    more_low, more_high = band.adler & 0xFFFF, band.adler >> 16
    return (high + more_high + band.size * (low - 1)) % _MODULUS << 16 | (low + more_low - 1) % _MODULUS


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", isal_zlib.crc32(kind + data))
