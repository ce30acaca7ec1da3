"""Palette pictures as PNG bytes, made of bands that were deflated one by one."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from PIL import Image
from zlib_ng import zlib_ng

from render.bands import Band, cut

_MODULUS = 65521
"""Modulus of Adler-32 (RFC 1950)."""


def encode(image: Image.Image) -> bytes:
    """The PNG file of a P image."""
    return assemble(cut(image), image.width, image)


def assemble(bands: Iterable[Band], width: int, palette: Image.Image) -> bytes:
    """The PNG file of a picture `width` pixels wide, with one IDAT, from its bands and a P image with its palette.

    The checksums are combined from those of the bands, without reading the data. Reading it would release the GIL for
    moments that are too short for the event loop to take it. A thread that does so all the time starves the loop.
    """
    data, crc, adler, size = [b"IDAT\x78\x9c"], zlib_ng.crc32(b"IDAT\x78\x9c"), 1, 0
    for band in bands:
        data.append(band.data)
        crc = zlib_ng.crc32_combine(crc, band.crc, len(band.data))
        adler = _combined(adler, band)
        size += band.size
    data.append(b"\x03\x00" + struct.pack(">I", adler))
    crc = zlib_ng.crc32(data[-1], crc)
    header = struct.pack(">IIBBBBB", width, size // (width + 1), 8, 3, 0, 0, 0)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", bytes(palette.getpalette() or ())),
            struct.pack(">I", sum(map(len, data)) - len(b"IDAT")),
            *data,
            struct.pack(">I", crc),
            _chunk(b"IEND", b""),
        )
    )


def _combined(adler: int, band: Band) -> int:
    """Adler-32 of rows (theirs is `adler`) followed by a band, without reading them, as in zlib's `adler32_combine`."""
    low, high = adler & 0xFFFF, adler >> 16
    more_low, more_high = band.adler & 0xFFFF, band.adler >> 16
    return (high + more_high + band.size * (low - 1)) % _MODULUS << 16 | (low + more_low - 1) % _MODULUS


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib_ng.crc32(kind + data))
