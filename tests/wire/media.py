"""Uploaded files: their types by their bytes, the names they get, and links that expire."""

from __future__ import annotations

import hashlib
import hmac
import io
import mimetypes
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from PIL import Image

from tests.wire.model import Json

SHOWN = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp", "AVIF": "image/avif"}
"""Types of pictures that clients show, by Pillow's names."""
MOVING = {"GIF", "WEBP", "AVIF"}
"""Types of pictures that can move in clients. An animated PNG stands still (discord-api-docs #6359)."""


@dataclass(frozen=True)
class Look:
    """What a file is: its type, and its size in pixels if it is a picture."""

    content_type: str
    width: int | None = None
    height: int | None = None
    animated: bool = False

    @property
    def is_picture(self) -> bool:
        """Whether a client can show it as a picture."""
        return self.width is not None

    def json(self) -> Json:
        """Discord's fields about it."""
        return {"content_type": self.content_type, "width": self.width, "height": self.height}


def look(data: bytes, name: str) -> Look:
    """Decode enough of a file to know whether a client can show it."""
    try:
        with Image.open(io.BytesIO(data)) as picture:
            kind, size = str(picture.format), picture.size
            moves = kind in MOVING and getattr(picture, "is_animated", False)
            picture.verify()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        kind = ""
    if kind in SHOWN:
        return Look(SHOWN[kind], *size, moves)
    return Look(mimetypes.guess_type(name)[0] or "application/octet-stream")


def file_name(name: str) -> str:
    """The name that a file gets: in ASCII, with `_` for spaces, only letters, digits, dots, hyphens and `_`, and
    without dots and `_` at its ends (discord-api-docs #7754)."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    joined = "_".join(plain.replace("/", " ").replace("\\", " ").split())
    return re.sub(r"[^A-Za-z0-9_.-]", "", joined).strip("._") or "unknown"


class Cdn:
    """Where files are fetched. Links are signed, and expire `life` seconds after they were given."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.base = "http://127.0.0.1"  # with the port, once the server listens
        self.clock = clock
        self.life = 86400.0
        self._secret = b"cdn"
        self._looks: dict[tuple[bytes, str], Look] = {}

    def look(self, data: bytes, name: str) -> Look:
        """What a file is. The same bytes are decoded once."""
        key = hashlib.blake2b(data, digest_size=16).digest(), name
        if key not in self._looks:
            self._looks[key] = look(data, name)
        return self._looks[key]

    def link(self, path: str) -> str:
        """A link to a path, valid for `life` seconds from now."""
        now = int(self.clock())
        ends = now + int(self.life)
        return f"{self.base}{path}?ex={ends:x}&is={now:x}&hm={self._sign(path, ends, now)}&"

    def is_valid(self, url: str) -> bool:
        """Whether this is a link of `link` that hasn't expired."""
        parts = urlsplit(url)
        given = {key: values[0] for key, values in parse_qs(parts.query).items()}
        try:
            ends, since = int(given["ex"], 16), int(given["is"], 16)
        except (KeyError, ValueError):
            return False
        return given.get("hm") == self._sign(parts.path, ends, since) and self.clock() < ends

    def is_worn(self, url: str) -> bool:
        """Whether a link has less than half of its time left. Discord then gives new ones with each payload."""
        ends = parse_qs(urlsplit(url).query).get("ex", ["0"])[0]
        return int(ends, 16) - self.clock() < self.life / 2

    def owns(self, url: str) -> bool:
        """Whether a link, signed or not, leads here."""
        return url.startswith(f"{self.base}/attachments/")

    def _sign(self, path: str, ends: int, since: int) -> str:
        return hmac.digest(self._secret, f"{path} {ends} {since}".encode(), "sha256").hex()
