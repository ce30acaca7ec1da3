"""The stand-in's servers and messages. Messages are posted and edited by Discord's rules."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.wire.calls import Files, Interaction
from tests.wire.commands import Creates
from tests.wire.direct import Direct
from tests.wire.limits import MAX_FILE
from tests.wire.media import Cdn
from tests.wire.mentions import INTERACTION, MESSAGE, mentions
from tests.wire.messages import EPHEMERAL, LOADING, SILENT, V2, Message
from tests.wire.model import Ids, Json, Permission, Refused, User
from tests.wire.places import FORUM, Channel, Guild
from tests.wire.words import Rewrite
from tests.wire.writing import SUPPRESS_EMBEDS, fill, replied

CLOSED = "Cannot send messages to this user"
NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi")


def to_nobody(event: str, data: Json) -> None:
    """Drop the event: no server listens yet."""


@dataclass(frozen=True)
class Ping:
    """A notification for a message that a user got."""

    user: User
    message: Message


class World:
    """A server of eight people and the bot, with the channels `table`, `tavern` and `dock`, and `pier`, a thread in
    `dock`.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.ids = Ids(clock)
        self.cdn = Cdn(clock)
        home = self.ids()
        self.bot = User(self.ids(), "Referee", bot=True)
        self.application_id = self.bot.id
        self.home = here = Guild(home, self.bot, clock=clock)
        self.guilds = {here.id: here}
        self.shards = 1  # the number of shards that Discord recommends
        self.table, self.tavern, self.dock = (Channel(self.ids(), n, guild=here) for n in ("table", "tavern", "dock"))
        self.pier = Channel(self.ids(), "pier", parent=self.dock, guild=here)
        self.channels = {c.id: c for c in (self.table, self.tavern, self.dock, self.pier)}
        self.users: list[User] = []
        self.messages: dict[int, Message] = {}
        self.interactions: dict[str, Interaction] = {}
        self.commands: dict[int, list[Json]] = {0: []}  # by guild id; 0 is global
        self.installed_by: set[int] = set()  # ids of people who have installed the bot for themselves
        self.creates = Creates(clock)
        self.direct = Direct(clock)
        self.pings: list[Ping] = []
        self.nonce_window = 300.0  # seconds for which Discord recognizes a nonce: "a few minutes"
        self.nonces: dict[tuple[int, str], Message] = {}  # by channel and nonce
        self.emoji: dict[str, str] = {}  # the application's own emoji: names by id
        self.most_threads = 1000  # open threads in a server
        self.told: Callable[[str, Json], None] = to_nobody  # called with each event: its name and data
        self.file_limit = MAX_FILE  # bytes of one file: `attachment_size_limit`
        self.rewrites: list[Rewrite] = []  # further changes that Discord makes to texts it keeps
        # A switch: requests whose new files get lost, "edit" (PATCH), "update" (callback 7): discord-api-docs #7529.
        self.losing_uploads: frozenset[str] = frozenset()

    @property
    def base(self) -> str:
        """http://host:port, known once the server listens."""
        return self.cdn.base

    def user(self, user_id: int) -> User:
        """The person or the bot with this id. :raises Refused: if there is none."""
        user = next((u for u in (*self.users, self.bot) if u.id == user_id), None)
        if user is None:
            raise Refused(404, 10013, "Unknown User")
        return user

    def dm(self, user: User) -> Channel:
        """The bot's DM with a user, opened if there was none."""
        for channel in self.channels.values():
            if channel.recipient is user:
                return channel
        channel = Channel(self.ids(), f"dm-{user.name}", recipient=user)
        self.channels[channel.id] = channel
        return channel

    @property
    def guild_id(self) -> int:
        """Id of the first server."""
        return self.home.id

    def settle(self, users: Sequence[User]) -> None:
        """Set the people. The first one owns each server."""
        self.users = list(users)
        for guild in self.guilds.values():
            guild.owner = self.users[0]

    def open_guild(self, shard: int = 0, shards: int = 1, *, bot: bool = True) -> Channel:
        """Open another server with the same people. Returns its channel.

        `shard`: the shard at which its events arrive. `bot`: whether the bot is in it.
        """
        number = self.ids() >> 22
        number += (shard - number) % shards
        while number << 22 in self.guilds:
            number += shards
        guild = Guild(number << 22, self.bot, self.users[0] if self.users else None, clock=self.ids.clock)
        guild.bot_in = bot
        channel = Channel(self.ids(), "table", guild=guild)
        self.guilds[guild.id] = guild
        self.channels[channel.id] = channel
        return channel

    def guild(self, guild_id: int) -> Guild:
        """The server with this id. :raises Refused: if there is none, or the bot isn't in it."""
        guild = self.guilds.get(guild_id)
        if guild is None or not guild.bot_in:
            raise Refused(404, 10004, "Unknown Guild")
        return guild

    def created(self, guild: Guild, members: bool = False) -> Json:
        """The data of GUILD_CREATE. Without the intent for members, only the bot is listed."""
        rooms = [channel for channel in self.channels.values() if channel.guild is guild]
        body = guild.json(rooms, (*self.users, self.bot) if members else (self.bot,))
        return {**body, "member_count": len(self.users) - len(guild.left) + 1}

    def commands_for(self, user: User, channel: Channel) -> list[Json]:
        """The commands that a client offers a user in a channel, those of the channel's server first."""
        place = channel.guild
        both = [*(self.commands.get(place.id, []) if place else []), *self.commands[0]]
        here = {0} if place is None or place.commands_in else set()
        ways = here | ({1} if user.id in self.installed_by else set())
        offered = [command for command in both if ways & set(command.get("integration_types") or (0, 1))]
        return [command for command in offered if place is None or place.may_use(user, command, channel)]

    def post(
        self, channel: Channel, body: Json, files: Files, only_for: User | None = None, it: Interaction | None = None
    ) -> Message:
        """Post a message of the bot. `it`: the interaction that it answers.

        :raises Refused: if it breaks a limit.
        """
        flags = (body.get("flags") or 0) & (SUPPRESS_EMBEDS | SILENT | V2) | (EPHEMERAL if only_for else 0)
        message = self._begun(channel, flags, only_for, it)
        message.reference = replied(self, channel, body)
        fill(self, message, body, files, [], INTERACTION if it else MESSAGE)
        self._arrived(message)
        self._notify(message)
        return message

    def _arrived(self, message: Message) -> None:
        self.messages[message.id] = message
        if not message.only_for:
            message.channel.last = message.id
            message.channel.count += 1
            message.channel.written += 1

    def archive(self, thread: Channel, archived: bool, at: int = 0) -> None:
        """Archive or open a thread, and report it to everyone. `at`: an id that holds the time."""
        if thread.archived and not archived:
            self.room_for_a_thread(thread.guild)
        if thread.archived != archived:
            thread.archived, thread.archived_at = archived, at or self.ids()
            self.told("THREAD_UPDATE", thread.json())

    def room_for_a_thread(self, guild: Guild | None) -> None:
        """:raises Refused: if the server already has as many open threads as it can have."""
        there = [c for c in self.channels.values() if c.guild is guild and c.parent and not c.archived]
        if len(there) >= self.most_threads:
            raise Refused(400, 160006, "Maximum number of active threads reached")

    def delete(self, message: Message) -> None:
        """Delete a message."""
        if not message.deleted and not message.only_for:
            message.channel.count -= 1
        message.deleted = True

    def drop(self, channel: Channel) -> None:
        """Delete a channel or thread, with its threads and all messages in them."""
        for room in [c for c in self.channels.values() if channel in (c, c.parent)]:
            del self.channels[room.id]
            for message in (m for m in self.messages.values() if m.channel is room):
                message.deleted = True
        if channel.parent is None:
            self.told("CHANNEL_DELETE", channel.json())
        else:
            about = ("id", "guild_id", "parent_id", "type")
            self.told("THREAD_DELETE", {name: value for name, value in channel.json().items() if name in about})

    def say(self, user: User, text: str, channel: Channel | None = None) -> Message:
        """Post a person's message. Afterwards, clients that look at the channel know the person. In a thread, they
        become a member of it, and it is open."""
        room = channel or self.table
        if room.parent is not None:
            room.members.add(user.id)
            self.archive(room, False)
        message = Message(self.ids(), room, user, content=text)
        message.mentions = mentions([text], None, self.users, MESSAGE).users
        self._arrived(message)
        return message

    def loading(self, channel: Channel, only_for: User | None, it: Interaction | None = None) -> Message:
        """The message after a deferred answer: "the bot is thinking"."""
        message = self._begun(channel, LOADING | (EPHEMERAL if only_for else 0), only_for, it)
        self._arrived(message)
        return message

    def _begun(self, channel: Channel, flags: int, only_for: User | None, it: Interaction | None) -> Message:
        """A message of the bot, still empty."""
        message = Message(self.ids(), channel, self.bot, flags, only_for=only_for)
        if it is not None:
            message.interaction = it.metadata()
            message.used_by = it.shown_user if it.callback is None else None  # follow-ups don't show it
        return message

    def edit(
        self, message: Message, body: Json, files: Files, *, keep_files: bool, it: Interaction | None = None
    ) -> Message:
        """Change what `body` names. If it has no `attachments`, `keep_files` says whether the old files stay.

        :raises Refused: if it breaks a limit; the message then stays as it was.
        """
        before = message.json()
        if message.flags & V2 or (body.get("flags") or 0) & V2:
            files = {} if ("edit" if keep_files else "update") in self.losing_uploads else files
        fill(self, message, body, files, message.attachments if keep_files else [], INTERACTION if it else MESSAGE)
        message.history.append(before)
        return message

    def _notify(self, message: Message) -> None:
        if message.only_for or message.flags & SILENT:
            return
        everybody = self.users if message.mention_everyone else message.mentions
        message.notified = [message.channel.recipient] if message.channel.recipient else list(everybody)
        self.pings += [Ping(user, message) for user in message.notified]

    def may_send(self, channel: Channel, files: bool) -> None:
        """:raises Refused: if the bot can't post here."""
        if channel.recipient:
            if channel.recipient.dm_refusal:
                code = channel.recipient.dm_refusal
                raise Refused(403, code, CLOSED + (" due to having no mutual guilds" if code == 50278 else ""))
            self.direct.may_write(channel.recipient.id)
            return
        self.may_see(channel)
        if channel.kind == FORUM:
            raise Refused(400, 50008, "Cannot send messages in a non-text channel")
        talk = Permission.SEND_MESSAGES_IN_THREADS if channel.parent else Permission.SEND_MESSAGES
        needed = talk | (Permission.ATTACH_FILES if files else Permission(0))
        if needed & ~channel.permissions:
            raise Refused(403, 50013, "Missing Permissions")
        if channel.archived and channel.locked:
            raise Refused(400, 50083, "Thread is archived")
        self.archive(channel, False)
        if channel.private:
            channel.members.add(self.bot.id)

    def sees(self, channel: Channel) -> bool:
        """Whether the bot can see a channel."""
        return channel.seen_by(self.bot)

    def may_see(self, channel: Channel) -> None:
        """:raises Refused: if the bot can't see this channel."""
        if not self.sees(channel):
            raise Refused(403, 50001, "Missing Access")
