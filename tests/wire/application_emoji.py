"""The REST routes of the application's own emoji, which it can use on controls and in texts anywhere."""

from __future__ import annotations

import base64
import binascii
import re

from tests.wire.calls import Request
from tests.wire.limits import Faults
from tests.wire.media import look
from tests.wire.model import Json, Refused
from tests.wire.rest import Handler
from tests.wire.world import World

MAX_EMOJI, MAX_IMAGE = 2000, 256 * 2**10
IMAGE = re.compile(r"data:image/(png|jpeg|gif|webp|avif);base64,(.*)", re.DOTALL)


class ApplicationEmoji:
    """Handlers as in `rest.Rest`. `World.emoji` has the names by id."""

    def __init__(self, world: World) -> None:
        self.world = world

    def routes(self) -> list[tuple[str, str, Handler]]:
        """Method, path below /api/v10, handler."""
        every, one = "/applications/{app}/emojis", "/applications/{app}/emojis/{emoji}"
        return [
            ("GET", every, self.list),
            ("POST", every, self.create),
            ("GET", one, self.get),
            ("PATCH", one, self.rename),
            ("DELETE", one, self.delete),
        ]

    def list(self, call: Request, app: str) -> Json:
        return {"items": [self._json(emoji) for emoji in self.world.emoji]}

    def get(self, call: Request, app: str, emoji: str) -> Json:
        return self._json(emoji)

    def create(self, call: Request, app: str) -> Json:
        self._check_name(call.json["name"])
        match = IMAGE.fullmatch(call.json["image"])
        try:
            data = base64.b64decode(match[2] if match else "", validate=True)
        except binascii.Error:
            data = b""
        if len(data) > MAX_IMAGE:
            raise Refused(400, 0, "File cannot be larger than 256.0 kb.")
        if not look(data, "").is_picture:
            _refuse("image", "IMAGE_INVALID", "Invalid image data")
        if len(self.world.emoji) >= MAX_EMOJI:
            raise Refused(400, 30008, f"Maximum number of emojis reached ({MAX_EMOJI})")
        emoji = str(self.world.ids())
        self.world.emoji[emoji] = call.json["name"]
        return self._json(emoji)

    def rename(self, call: Request, app: str, emoji: str) -> Json:
        self._json(emoji)
        self._check_name(call.json["name"])
        self.world.emoji[emoji] = call.json["name"]
        return self._json(emoji)

    def delete(self, call: Request, app: str, emoji: str) -> None:
        self._json(emoji)
        del self.world.emoji[emoji]

    def _json(self, emoji: str) -> Json:
        if emoji not in self.world.emoji:
            raise Refused(404, 10014, "Unknown Emoji")
        about = {"roles": [], "require_colons": True, "managed": False, "animated": False, "available": True}
        return {"id": emoji, "name": self.world.emoji[emoji], "user": self.world.bot.json(), **about}

    def _check_name(self, name: str) -> None:
        if not re.fullmatch(r"[A-Za-z0-9_]{2,32}", name):
            _refuse("name", "STRING_TYPE_REGEX", "2 to 32 letters, digits and underscores.")
        if name in self.world.emoji.values():
            _refuse("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "An emoji with this name exists.")


def _refuse(path: str, code: str, message: str) -> None:
    faults = Faults()
    faults.add(path, code, message)
    faults.done()
