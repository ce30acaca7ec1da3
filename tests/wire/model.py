"""What stands in a Discord server: ids, permissions, users, channels, and the refusals it answers with."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import IntFlag
from typing import Any

Json = dict[str, Any]

DISCORD_EPOCH_MS = 1_420_070_400_000


class Permission(IntFlag):
    """The bits a bot of ours may ever ask for; Discord has more."""

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
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38


# An administrator bypasses every overwrite, so nobody is one unless a test says so.
EVERYTHING = Permission((1 << 50) - 1) & ~Permission.ADMINISTRATOR
MEMBER = EVERYTHING & ~(Permission(1 << 4 | 1 << 5 | 1 << 13 | 1 << 17 | 1 << 34))


class Refused(Exception):
    """Discord's error answer: HTTP status, Discord's code, text, and for 50035 the tree of `errors`."""

    def __init__(self, status: int, code: int, message: str, errors: Json | None = None) -> None:
        super().__init__(f"{status} {code}: {message} {errors or ''}")
        self.status, self.code, self.message, self.errors = status, code, message, errors

    def below(self, path: str) -> Refused:
        """The same with its `errors` one level deeper."""
        return Refused(self.status, self.code, self.message, {path: self.errors} if self.errors else None)

    def json(self) -> Json:
        """The body of the answer."""
        extra = {"errors": self.errors} if self.errors else {}
        return {"message": self.message, "code": self.code, **extra}


class Ids:
    """Snowflakes: strictly increasing, with the time in them, from which clients tell how old something is."""

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
    """A person or the bot. `dm_refusal` (50007, 50278) answers each DM to them, 40003 the opening of it."""

    id: int
    name: str
    bot: bool = False
    permissions: Permission = MEMBER
    dm_refusal: int = 0
    looked: set[int] = field(default_factory=set)
    """Ids of the channels that their client has looked at since it was started."""

    def json(self) -> Json:
        """The user object."""
        extra = {"global_name": self.name, "avatar": None, "discriminator": "0", "public_flags": 0}
        return {"id": str(self.id), "username": self.name.lower(), "bot": self.bot, **extra}

    def member(self) -> Json:
        """The guild member object."""
        extra: Json = {"nick": None, "avatar": None, "roles": [], "deaf": False, "mute": False, "flags": 0}
        joined = timestamp(self.id)
        return {"user": self.json(), "joined_at": joined, "permissions": str(int(self.permissions)), **extra}


TEXT, DM, THREAD, PRIVATE = 0, 1, 11, 12


@dataclass(eq=False)
class Channel:
    """A guild text channel, a thread of one (`parent`), or a DM (`recipient`).

    `allowed` is what the bot may do here; a thread has its parent's, as on Discord.
    """

    id: int
    name: str
    parent: Channel | None = None
    recipient: User | None = None
    allowed: Permission = EVERYTHING
    archived: bool = False
    locked: bool = False
    guild: int = 0
    """Its server."""
    private: bool = False
    """Of a thread: only who was brought in, or may manage threads, sees it."""
    owner: User | None = None
    """Who made it; None: somebody who isn't here."""
    archives_after: int = 10080
    members: set[int] = field(default_factory=set)
    """Ids of who is in the thread."""
    count: int = 0
    """Messages in the thread that weren't deleted."""
    written: int = 0
    """Messages that were ever written in the thread."""

    @property
    def kind(self) -> int:
        """Discord's type number."""
        if self.recipient:
            return DM
        return TEXT if self.parent is None else PRIVATE if self.private else THREAD

    @property
    def permissions(self) -> Permission:
        """What the bot may do here: `app_permissions` of an interaction."""
        return self.parent.allowed if self.parent else self.allowed

    def json(self) -> Json:
        """The channel object; the permissions stand in an overwrite of @everyone."""
        guild_id = self.guild
        head = {"id": str(self.id), "type": self.kind, "last_message_id": None, "flags": 0}
        if self.recipient:
            return {**head, "recipients": [self.recipient.json()]}
        head |= {"guild_id": str(guild_id), "name": self.name, "rate_limit_per_user": 0, "nsfw": False}
        if self.parent:
            when = timestamp(self.id)
            state = {"archived": self.archived, "locked": self.locked, "auto_archive_duration": self.archives_after}
            meta = {"thread_metadata": {**state, "archive_timestamp": when, "create_timestamp": when}}
            counts = {
                "message_count": self.count,
                "member_count": max(len(self.members), 1),
                "total_message_sent": self.written,
            }
            owner = str(self.owner.id if self.owner else guild_id)
            return {**head, "parent_id": str(self.parent.id), "owner_id": owner, **counts, **meta}
        bits = {"allow": str(int(self.allowed)), "deny": str(int(EVERYTHING & ~self.allowed))}
        overwrite = {"id": str(guild_id), "type": 0, **bits}
        extra = {"position": 0, "parent_id": None, "topic": None}
        return {**head, **extra, "permission_overwrites": [overwrite]}
