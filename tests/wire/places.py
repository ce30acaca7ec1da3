"""Places: servers with their roles, channels of all types, threads, and what people can do there.

As in topics/permissions.mdx and resources/channel.mdx of Discord's documentation.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from tests.wire.model import EVERYTHING, MEMBER, Json, Permission, User, timestamp

TEXT, DM, VOICE, ANNOUNCEMENT, STAGE, FORUM = 0, 1, 2, 5, 13, 15
NEWS_THREAD, THREAD, PRIVATE = 10, 11, 12
SPOKEN = (VOICE, STAGE)
NOTHING = Permission(0)
READING = Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY
ALL = EVERYTHING | Permission.ADMINISTRATOR


@dataclass(eq=False)
class Role:
    """A name for what its members can do."""

    id: int
    name: str
    permissions: Permission
    mentionable: bool = False

    def json(self) -> Json:
        """The role object."""
        off = {"hoist": False, "managed": False, "mentionable": self.mentionable}
        bits = {"permissions": str(int(self.permissions)), "color": 0, "position": 0, "flags": 0}
        return {"id": str(self.id), "name": self.name, **bits, **off}


@dataclass(eq=False)
class Guild:
    """A server. All users are in it, except those in `left`."""

    id: int
    bot: User
    owner: User | None = None
    """The user who can do everything."""
    name: str = "Harbor"
    bot_in: bool = True
    """Whether the bot is in it. If not, only its commands can be here (`commands_in`)."""
    commands_in: bool = True
    out: bool = False
    """Whether Discord can't reach it just now."""
    roles: dict[int, Role] = field(default_factory=dict)
    given: dict[int, set[int]] = field(default_factory=dict)
    """Ids of roles, by user id."""
    left: set[int] = field(default_factory=set)
    """Ids of people who have left."""
    timed_out: dict[int, float] = field(default_factory=dict)
    """Until when users can only read, in seconds since the epoch."""
    integrations: dict[str, set[int]] = field(default_factory=dict)
    """Ids of users and roles that are allowed a command under *Integrations*, by its name."""
    clock: Callable[[], float] = time.time

    def __post_init__(self) -> None:
        self.everyone = Role(self.id, "@everyone", MEMBER)
        self.of_bot = Role(self.id + 1, self.bot.name, EVERYTHING)
        self.roles = {role.id: role for role in (self.everyone, self.of_bot)}
        self.given[self.bot.id] = {self.of_bot.id}

    def has(self, user: User) -> bool:
        """Whether a user is here."""
        return self.bot_in if user is self.bot else user.id not in self.left

    def rights(self, user: User, channel: Channel | None = None, *, ever: bool = False) -> Permission:
        """What a user can do here, or in a channel. `ever`: also what they can't do while they are timed out."""
        if user is self.owner:
            return ALL
        roles = self.given.get(user.id, set()) if self.has(user) else set()
        rights = self.everyone.permissions
        for role in roles:
            rights |= self.roles[role].permissions
        if Permission.ADMINISTRATOR in rights:
            return ALL
        if channel is not None:
            overwrites = (channel.parent or channel).overwrites
            for ids in ([self.id], roles, [user.id]):
                allow, deny = together(overwrites[number] for number in ids if number in overwrites)
                rights = rights & ~deny | allow
        return rights & READING if self.timed_out.get(user.id, 0.0) > self.clock() and not ever else rights

    def may_use(self, user: User, command: Json, channel: Channel) -> bool:
        """Whether a user can use a command here: by its own setting under *Integrations*, or else by its default."""
        needed = Permission(int(command.get("default_member_permissions") or 0))
        ids = {user.id, *self.given.get(user.id, ())}
        if ids & self.integrations.get(command["name"], set()):
            return True
        return needed in self.rights(user, channel)

    def member(self, user: User, channel: Channel | None = None) -> Json:
        """The guild member object, with the member's permissions in the channel, if one is given."""
        roles = [str(role) for role in self.given.get(user.id, ())]
        until = self.timed_out.get(user.id)
        when = datetime.fromtimestamp(until, UTC).isoformat() if until else None
        return {**user.member(self.rights(user, channel), roles), "communication_disabled_until": when}

    def json(self, channels: Iterable[Channel], users: Iterable[User]) -> Json:
        """The data of GUILD_CREATE, with these members."""
        rooms = list(channels)
        empty = ("emojis", "stickers", "features", "voice_states", "presences", "stage_instances")
        zeros = ("verification_level", "default_message_notifications", "explicit_content_filter", "mfa_level")
        return {
            "id": str(self.id),
            "name": self.name,
            "owner_id": str(self.owner.id if self.owner else self.id),
            "joined_at": timestamp(self.id),
            "preferred_locale": "en-US",
            "large": False,
            "unavailable": False,
            "guild_scheduled_events": [],
            **{key: [] for key in empty},
            **dict.fromkeys((*zeros, "nsfw_level", "premium_tier", "system_channel_flags"), 0),
            "roles": [role.json() for role in self.roles.values()],
            "channels": [c.json() for c in rooms if not c.parent],
            "threads": [c.json() for c in rooms if c.parent and not c.archived and c.seen_by(self.bot)],
            "members": [self.member(user) for user in users if self.has(user)],
        }


@dataclass(eq=False)
class Channel:
    """A channel of a server, a thread in one (`parent`), or a DM (`recipient`).

    A thread has the permissions of its parent.
    """

    id: int
    name: str
    parent: Channel | None = None
    recipient: User | None = None
    guild: Guild | None = None
    type: int = TEXT
    """Type, unless it is a thread or a DM."""
    overwrites: dict[int, tuple[Permission, Permission]] = field(default_factory=dict)
    """What a role or a user is allowed and denied here, by id of the role or user."""
    nsfw: bool = False
    archived: bool = False
    locked: bool = False
    private: bool = False
    """For threads: only its members, and those who can manage threads, see it."""
    owner: User | None = None
    """The user who made it. None: someone who isn't here."""
    tags: list[Json] = field(default_factory=list)
    """For forums: the tags that posts can have."""
    needs_tag: bool = False
    """For forums: whether each post must have a tag."""
    applied: list[str] = field(default_factory=list)
    """Ids of the post's tags."""
    archives_after: int = 10080
    members: set[int] = field(default_factory=set)
    """Ids of the thread's members."""
    count: int = 0
    """Messages in the thread, without deleted ones."""
    written: int = 0
    """Messages in the thread, including deleted ones."""
    last: int = 0
    """Id of the latest message here, even if it was deleted."""
    archived_at: int = 0
    """An id that holds the time when it was last archived or opened."""

    @property
    def kind(self) -> int:
        """Discord's type number."""
        if self.recipient:
            return DM
        if self.parent is None:
            return self.type
        if self.private:
            return PRIVATE
        return NEWS_THREAD if self.parent.type == ANNOUNCEMENT else THREAD

    @property
    def permissions(self) -> Permission:
        """What the bot can do here."""
        return self.rights(self.guild.bot) if self.guild else EVERYTHING

    @property
    def app_permissions(self) -> Permission:
        """What an interaction says that the bot can do here, even while it is timed out (discord-api-docs #6847)."""
        return self.guild.rights(self.guild.bot, self, ever=True) if self.guild else EVERYTHING

    def rights(self, user: User) -> Permission:
        """What a user can do here."""
        return self.guild.rights(user, self) if self.guild else EVERYTHING

    def seen_by(self, user: User) -> bool:
        """Whether a user can see this channel."""
        if self.guild is None:
            return user is self.recipient or user.bot
        needed = Permission.VIEW_CHANNEL
        if (self.parent or self).type in SPOKEN:
            needed |= Permission.CONNECT
        rights = self.rights(user)
        inside = not self.private or user.id in self.members or Permission.MANAGE_THREADS in rights
        return self.guild.has(user) and needed in rights and inside

    def allow(self, who: User | Role, permissions: Permission) -> None:
        """Allow something to a user or role here."""
        allow, deny = self.overwrites.get(who.id, (NOTHING, NOTHING))
        self.overwrites[who.id] = allow | permissions, deny & ~permissions

    def deny(self, who: User | Role, permissions: Permission) -> None:
        """Deny something to a user or role here."""
        allow, deny = self.overwrites.get(who.id, (NOTHING, NOTHING))
        self.overwrites[who.id] = allow & ~permissions, deny | permissions

    def json(self) -> Json:
        """The channel object."""
        head = {
            "id": str(self.id),
            "type": self.kind,
            "last_message_id": str(self.last) if self.last else None,
            "flags": 0,
        }
        if self.recipient:
            return {**head, "recipients": [self.recipient.json()]}
        assert self.guild is not None
        nsfw = (self.parent or self).nsfw
        head |= {"guild_id": str(self.guild.id), "name": self.name, "rate_limit_per_user": 0, "nsfw": nsfw}
        if self.parent:
            made, when = timestamp(self.id), timestamp(self.archived_at or self.id)
            state = {"archived": self.archived, "locked": self.locked, "auto_archive_duration": self.archives_after}
            meta = {"thread_metadata": {**state, "archive_timestamp": when, "create_timestamp": made}}
            counts = {
                "message_count": self.count,
                "member_count": max(len(self.members), 1),
                "total_message_sent": self.written,
            }
            owner = str(self.owner.id if self.owner else self.guild.id)
            tagged = {"applied_tags": self.applied} if self.parent.type == FORUM else {}
            return {**head, "parent_id": str(self.parent.id), "owner_id": owner, **counts, **meta, **tagged}
        overwrites = [
            {"id": str(who), "type": int(who not in self.guild.roles), "allow": str(int(allow)), "deny": str(int(deny))}
            for who, (allow, deny) in self.overwrites.items()
        ]
        spoken = {"bitrate": 64000, "user_limit": 0, "rtc_region": None} if self.type in SPOKEN else {}
        extra: Json = {"position": 0, "parent_id": None, "topic": None}
        if self.type == FORUM:
            extra |= {"available_tags": self.tags, "flags": int(self.needs_tag) << 4}
        return {**head, **extra, **spoken, "permission_overwrites": overwrites}


def together(overwrites: Iterable[tuple[Permission, Permission]]) -> tuple[Permission, Permission]:
    """What several overwrites of one kind allow and deny together."""
    allow = deny = NOTHING
    for allowed, denied in overwrites:
        allow, deny = allow | allowed, deny | denied
    return allow, deny
