"""The one guild of the wire server and its messages: posting and editing them by Discord's rules."""

from __future__ import annotations

import copy
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.wire.calls import Files, Interaction
from tests.wire.commands import Creates
from tests.wire.direct import Direct
from tests.wire.limits import check_files, check_message
from tests.wire.messages import EPHEMERAL, LOADING, SILENT, V2, Attachment, Message, walk
from tests.wire.model import EVERYTHING, Channel, Ids, Json, Permission, Refused, User, timestamp

CLOSED = "Cannot send messages to this user"
NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi")


@dataclass(frozen=True)
class Ping:
    """A user got a notification for a message."""

    user: User
    message: Message


class World:
    """A guild of eight people and the bot: channels `table`, `tavern`, `dock`, and a thread of it, `pier`."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.ids = Ids(clock)
        self.base = ""  # http://host:port, known when the server listens
        self.guild_id = self.ids()
        self.bot = User(self.ids(), "Referee", bot=True)
        self.application_id = self.bot.id
        self.guilds = [self.guild_id]
        self.shards = 1  # how many Discord recommends
        here = self.guild_id
        self.table, self.tavern, self.dock = (Channel(self.ids(), n, guild=here) for n in ("table", "tavern", "dock"))
        self.pier = Channel(self.ids(), "pier", parent=self.dock, guild=here)
        self.channels = {c.id: c for c in (self.table, self.tavern, self.dock, self.pier)}
        self.users: list[User] = []
        self.messages: dict[int, Message] = {}
        self.interactions: dict[str, Interaction] = {}
        self.commands: dict[int, list[Json]] = {0: []}  # by guild, 0 is global
        self.creates = Creates(clock)
        self.direct = Direct(clock)
        self.pings: list[Ping] = []
        self.nonce_window = 300.0  # seconds for which Discord knows a nonce again: "a few minutes"
        self.nonces: dict[tuple[int, str], Message] = {}  # by channel and nonce

    def user(self, user_id: int) -> User:
        """:raises Refused: when nobody has that id."""
        found = next((u for u in (*self.users, self.bot) if u.id == user_id), None)
        if found is None:
            raise Refused(404, 10013, "Unknown User")
        return found

    def dm(self, user: User) -> Channel:
        """The DM of the bot and a user, opened when there was none."""
        for channel in self.channels.values():
            if channel.recipient is user:
                return channel
        channel = Channel(self.ids(), f"dm-{user.name}", recipient=user)
        self.channels[channel.id] = channel
        return channel

    def open_guild(self, shard: int, shards: int) -> Channel:
        """A channel in one more server, with the same people, whose events arrive at that shard."""
        guild = self.ids() >> 22
        guild = guild + (shard - guild) % shards << 22
        channel = Channel(self.ids(), "table", guild=guild)
        self.guilds.append(guild)
        self.channels[channel.id] = channel
        return channel

    def guild(self, guild_id: int) -> Json:
        """What GUILD_CREATE tells."""
        bits = {"permissions": str(int(EVERYTHING)), "color": 0, "position": 0, "flags": 0}
        off = {"hoist": False, "managed": False, "mentionable": False}
        everyone = {"id": str(guild_id), "name": "@everyone", **bits, **off}
        rooms = [c for c in self.channels.values() if c.guild == guild_id]
        lists = {
            "roles": [everyone],
            "channels": [c.json() for c in rooms if not c.parent],
            "threads": [c.json() for c in rooms if c.parent],
            "members": [u.member() for u in (*self.users, self.bot)],
        }
        empty = ("emojis", "stickers", "features", "voice_states", "presences", "stage_instances")
        zeros = (
            "verification_level",
            "default_message_notifications",
            "explicit_content_filter",
            "mfa_level",
        )
        return {
            "id": str(guild_id),
            "name": "Harbor",
            "owner_id": str(self.users[0].id),
            "member_count": len(self.users) + 1,
            "joined_at": timestamp(guild_id),
            "preferred_locale": "en-US",
            "large": False,
            "unavailable": False,
            "guild_scheduled_events": [],
            **{key: [] for key in empty},
            **dict.fromkeys((*zeros, "nsfw_level", "premium_tier", "system_channel_flags"), 0),
            **lists,
        }

    def post(self, channel: Channel, body: Json, files: Files, only_for: User | None = None) -> Message:
        """A new message of the bot.

        :raises Refused: when a limit is broken.
        """
        flags = body.get("flags") or 0
        flags = flags & (4 | SILENT | V2) | (EPHEMERAL if only_for else 0)
        message = Message(self.ids(), channel, self.bot, flags, only_for=only_for)
        self._fill(message, body, files, [])
        self.messages[message.id] = message
        self._notify(message, body.get("allowed_mentions"))
        return message

    def loading(self, channel: Channel, only_for: User | None) -> Message:
        """What stands there after a deferred answer: "the bot is thinking"."""
        flags = LOADING | (EPHEMERAL if only_for else 0)
        message = Message(self.ids(), channel, self.bot, flags, only_for=only_for)
        self.messages[message.id] = message
        return message

    def edit(self, message: Message, body: Json, files: Files, *, keep_files: bool) -> Message:
        """Change what `body` names. Without `attachments` in it `keep_files` decides over the old ones.

        :raises Refused: when a limit is broken; the message is then as it was.
        """
        before = message.json()
        self._fill(message, body, files, message.attachments if keep_files else [])
        message.history.append(before)
        return message

    def _fill(self, message: Message, body: Json, files: Files, kept: list[Attachment]) -> None:
        check_files(list(files.values()))
        listed = body.get("attachments")
        if listed is not None:
            ids = {str(entry["id"]) for entry in listed}
            kept = [a for a in message.attachments if str(a.id) in ids]
        alt = {str(entry["id"]): entry.get("description") for entry in listed or []}
        attachments = kept + [self._store(n, name, data, alt) for n, (name, data) in sorted(files.items())]

        def now(key: str, old: Any) -> Any:
            return (body[key] or type(old)()) if key in body else old

        content, embeds = now("content", message.content), now("embeds", message.embeds)
        components = copy.deepcopy(now("components", message.components))
        flags = (message.flags | (body.get("flags") or 0) & (4 | V2)) & ~LOADING
        check_message(content, embeds, components, flags, len(attachments))
        _resolve(components, attachments)
        message.content, message.embeds, message.flags = content, embeds, flags
        message.components, message.attachments = components, attachments

    def _store(self, number: int, name: str, data: bytes, alt: dict[str, Any]) -> Attachment:
        aid = self.ids()
        return Attachment(aid, name, data, alt.get(str(number)), f"{self.base}/attachments/{aid}/{name}")

    def _notify(self, message: Message, allowed: Json | None) -> None:
        rule = allowed if allowed is not None else {"parse": ["users", "roles", "everyone"]}
        named = {int(n) for n in re.findall(r"<@!?(\d+)>", message.text)}
        everyone = "users" in rule.get("parse", [])
        chosen = {int(u) for u in rule.get("users", [])}
        message.mentions = [u for u in self.users if u.id in named and (everyone or u.id in chosen)]
        if not message.only_for and not message.flags & SILENT:
            dm = [message.channel.recipient] if message.channel.recipient else message.mentions
            self.pings += [Ping(user, message) for user in dm]

    def may_send(self, channel: Channel, files: bool) -> None:
        """:raises Refused: when the bot may not post here."""
        if channel.recipient:
            if channel.recipient.dm_refusal:
                code = channel.recipient.dm_refusal
                raise Refused(403, code, CLOSED + (" due to having no mutual guilds" if code == 50278 else ""))
            self.direct.may_write(channel.recipient.id)
            return
        self.may_see(channel)
        talk = Permission.SEND_MESSAGES_IN_THREADS if channel.parent else Permission.SEND_MESSAGES
        needed = talk | (Permission.ATTACH_FILES if files else Permission(0))
        if needed & ~channel.permissions:
            raise Refused(403, 50013, "Missing Permissions")
        if channel.archived and channel.locked:
            raise Refused(400, 50083, "Thread is archived")
        channel.archived = False

    def may_see(self, channel: Channel) -> None:
        """:raises Refused: when the bot may not look into this channel."""
        if not channel.recipient and Permission.VIEW_CHANNEL not in channel.permissions:
            raise Refused(403, 50001, "Missing Access")


def _resolve(components: list[Json], attachments: list[Attachment]) -> None:
    """Number the components and turn `attachment://name` into the stored file, as Discord does."""
    by_name = {a.filename: a for a in attachments}
    for number, component in enumerate(walk(components), 1):
        component.setdefault("id", number)
        for item in [component, *component.get("items", [])]:
            for key in ("media", "file"):
                media = item.get(key)
                if not isinstance(media, dict):
                    continue
                scheme, _, name = media.get("url", "").partition("://")
                if scheme == "attachment":
                    if name not in by_name:
                        error = {
                            "code": "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                            "message": f"The referenced attachment was not found: {name}",
                        }
                        raise Refused(400, 50035, "Invalid Form Body", {"components": {"_errors": [error]}})
                    file = by_name[name].json()
                    del file["filename"], file["size"]
                    item[key] = {**file, "attachment_id": file.pop("id"), "loading_state": 2}
                elif scheme not in ("http", "https"):
                    raise Refused(400, 50035, "Invalid Form Body", {"components": {"_errors": [{"code": "URL"}]}})
