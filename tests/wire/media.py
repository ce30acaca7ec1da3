"""What Discord makes of uploaded files: what they are by their bytes, the names they get, links that run out."""

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
"""Pictures that clients show, by Pillow's names."""
MOVING = {"GIF", "WEBP", "AVIF"}
"""Pictures that move on clients: an animated PNG stands still (discord-api-docs #6359)."""


@dataclass(frozen=True)
class Look:
    """What a file is: its size in pixels, or none if it is no picture."""

    content_type: str
    width: int | None = None
    height: int | None = None
    animated: bool = False

    @property
    def is_picture(self) -> bool:
        """Whether a client can show it."""
        return self.width is not None

    def json(self) -> Json:
        """What Discord says of it."""
        return {"content_type": self.content_type, "width": self.width, "height": self.height}


def look(data: bytes, name: str) -> Look:
    """Decode as much of a file as tells whether a client can show it."""
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
    """The name a file gets: in ASCII, with `_` for spaces, without what is no letter, digit, dot, hyphen or `_`, and
    without dots and `_` at its ends (discord-api-docs #7754)."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    joined = "_".join(plain.replace("/", " ").replace("\\", " ").split())
    return re.sub(r"[^A-Za-z0-9_.-]", "", joined).strip("._") or "unknown"


class Cdn:
    """Where files are fetched: links are signed, and run out `life` seconds after they were given."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.base = "http://127.0.0.1"  # with the port, once the server listens
        self.clock = clock
        self.life = 86400.0
        self._secret = b"cdn"
        self._looks: dict[tuple[bytes, str], Look] = {}

    def look(self, data: bytes, name: str) -> Look:
        """What a file is; the same bytes are decoded once."""
        known = hashlib.blake2b(data, digest_size=16).digest(), name
        if known not in self._looks:
            self._looks[known] = look(data, name)
        return self._looks[known]

    def link(self, path: str) -> str:
        """A link to a path, for `life` seconds from now."""
        now = int(self.clock())
        ends = now + int(self.life)
        return f"{self.base}{path}?ex={ends:x}&is={now:x}&hm={self._sign(path, ends, now)}&"

    def is_valid(self, url: str) -> bool:
        """Whether a link is one of these, and hasn't run out."""
        parts = urlsplit(url)
        given = {key: values[0] for key, values in parse_qs(parts.query).items()}
        try:
            ends, since = int(given["ex"], 16), int(given["is"], 16)
        except (KeyError, ValueError):
            return False
        return given.get("hm") == self._sign(parts.path, ends, since) and self.clock() < ends

    def is_worn(self, url: str) -> bool:
        """Whether a link has less than half of its time left: Discord gives new ones with each payload."""
        ends = parse_qs(urlsplit(url).query).get("ex", ["0"])[0]
        return int(ends, 16) - self.clock() < self.life / 2

    def owns(self, url: str) -> bool:
        """Whether a link, signed or not, leads here."""
        return url.startswith(f"{self.base}/attachments/")

    def _sign(self, path: str, ends: int, since: int) -> str:
        return hmac.digest(self._secret, f"{path} {ends} {since}".encode(), "sha256").hex()
