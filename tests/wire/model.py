"""The basics of Discord: ids, permissions, users, and the errors that it answers with."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import IntFlag
from typing import Any

Json = dict[str, Any]

DISCORD_EPOCH_MS = 1_420_070_400_000


class Permission(IntFlag):
    """The permissions that our bot could ever ask for. Discord has more."""

    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    CONNECT = 1 << 20
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38


# An administrator bypasses every overwrite, so no one is one unless a test says so.
EVERYTHING = Permission((1 << 50) - 1) & ~Permission.ADMINISTRATOR
MEMBER = EVERYTHING & ~(Permission(1 << 4 | 1 << 5 | 1 << 13 | 1 << 17 | 1 << 34))


class Refused(Exception):
    """Discord's error answer: HTTP status, Discord's code, text, and for 50035 the tree of `errors`."""

    def __init__(self, status: int, code: int, message: str, errors: Json | None = None) -> None:
        super().__init__(f"{status} {code}: {message} {errors or ''}")
        self.status, self.code, self.message, self.errors = status, code, message, errors

    def below(self, path: str) -> Refused:
        """The same error with its `errors` one level deeper."""
        return Refused(self.status, self.code, self.message, {path: self.errors} if self.errors else None)

    def json(self) -> Json:
        """The body of the answer."""
        extra = {"errors": self.errors} if self.errors else {}
        return {"message": self.message, "code": self.code, **extra}


class Ids:
    """Snowflakes: strictly increasing ids that hold the time. Clients tell from it how old something is."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """`clock` in seconds since the epoch."""
        self.clock = clock
        self._last = 0

    def __call__(self) -> int:
        self._last = max(self._last + 1, int(self.clock() * 1000) - DISCORD_EPOCH_MS << 22)
        return self._last

    def age(self, snowflake: int) -> float:
        """Seconds since an id was made."""
        return self.clock() - ((snowflake >> 22) + DISCORD_EPOCH_MS) / 1000


def timestamp(snowflake: int) -> str:
    """The time in an id, as Discord writes times."""
    return datetime.fromtimestamp(((snowflake >> 22) + DISCORD_EPOCH_MS) / 1000, UTC).isoformat()


@dataclass(eq=False)
class User:
    """A person or the bot. `dm_refusal` is the error that answers each DM to them (50007, 50278), or the opening of the
    DM (40003)."""

    id: int
    name: str
    bot: bool = False
    dm_refusal: int = 0
    looked: set[int] = field(default_factory=set)
    """Ids of the channels that their client has looked at since it started."""
    phone: bool = False
    """Whether their client shows a modal with an id seen before as it was the first time (discord-api-docs #7554)."""
    modals: dict[str, list[Json]] = field(default_factory=dict)
    """The components of modals as a phone first showed them, by custom id."""

    def json(self) -> Json:
        """The user object."""
        extra = {"global_name": self.name, "avatar": None, "discriminator": "0", "public_flags": 0}
        return {"id": str(self.id), "username": self.name.lower(), "bot": self.bot, **extra}

    def member(self, permissions: Permission = MEMBER, roles: Sequence[str] = ()) -> Json:
        """The guild member object."""
        extra: Json = {"nick": None, "avatar": None, "deaf": False, "mute": False, "flags": 0}
        joined, bits = timestamp(self.id), str(int(permissions))
        return {"user": self.json(), "joined_at": joined, "permissions": bits, "roles": list(roles), **extra}
