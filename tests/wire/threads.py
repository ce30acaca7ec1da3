"""The REST routes of threads: making, joining, leaving and deleting them.

As in topics/threads.mdx and resources/channel.mdx of Discord's documentation.
"""

from __future__ import annotations

from tests.wire.calls import Request
from tests.wire.limits import Faults
from tests.wire.model import Json, Permission, Refused, User
from tests.wire.places import ANNOUNCEMENT, FORUM, NEWS_THREAD, PRIVATE, TEXT, THREAD, Channel
from tests.wire.rest import Handler, Rest, tagged
from tests.wire.world import World

ARCHIVING = (60, 1440, 4320, 10080)
"""Minutes without a message after which a thread is closed by itself."""
NAME = 100
PUBLIC = Permission.CREATE_PUBLIC_THREADS
BELOW = {
    TEXT: {THREAD: PUBLIC, PRIVATE: Permission.CREATE_PRIVATE_THREADS},
    ANNOUNCEMENT: {NEWS_THREAD: PUBLIC},
    FORUM: {THREAD: Permission.SEND_MESSAGES},
}
"""By type of channel: the types of threads that can be made in it, and the permission needed."""


class Threads:
    """Handlers as in `rest.Rest`."""

    def __init__(self, world: World, rest: Rest) -> None:
        self.world, self.rest = world, rest

    def routes(self) -> list[tuple[str, str, Handler]]:
        """Method, path below /api/v10, handler."""
        member = "/channels/{channel}/thread-members/{user}"
        return [
            ("POST", "/channels/{channel}/threads", self.make),
            ("POST", "/channels/{channel}/messages/{message}/threads", self.make_below),
            ("PUT", member, self.add),
            ("DELETE", member, self.remove),
            ("GET", "/channels/{channel}/thread-members", self.members),
            ("GET", member, self.member),
            ("GET", "/guilds/{guild}/threads/active", self.active),
            ("DELETE", "/channels/{channel}", self.delete),
        ]

    def make(self, call: Request, channel: str) -> Json:
        """Make a thread that no message starts. Without a type it is private. In a forum it begins with a message."""
        parent = self.rest.channel(channel)
        if parent.kind != FORUM:
            return self._make(parent, call.json, call.json.get("type", PRIVATE))
        first = call.json.get("message")
        if not first:
            faults = Faults()
            faults.add("message", "BASE_TYPE_REQUIRED", "This field is required")
            faults.done()
        made = self._make(parent, call.json, THREAD)
        try:
            tagged(self.world.channels[int(made["id"])], call.json.get("applied_tags") or [])
            posted = self.world.post(self.world.channels[int(made["id"])], first, call.files)
        except Refused:
            self.world.drop(self.world.channels[int(made["id"])])
            raise
        self.world.channels[int(made["id"])].count = 0  # the first message doesn't count
        return {**self.world.channels[int(made["id"])].json(), "message": posted.json()}

    def make_below(self, call: Request, channel: str, message: str) -> Json:
        """Make a thread below a message. The thread gets the message's id, so a message can have only one."""
        start = self.rest.message(channel, message)
        if start.id in self.world.channels:
            raise Refused(400, 160004, "A thread has already been created for this message")
        kind = NEWS_THREAD if start.channel.kind == ANNOUNCEMENT else THREAD
        return self._make(start.channel, call.json, kind, start.id)

    def _make(self, parent: Channel, body: Json, kind: int, number: int | None = None) -> Json:
        needed = BELOW.get(parent.kind, {}).get(kind)
        if needed is None:
            raise Refused(400, 50024, "Cannot execute action on this channel type")
        self._check(body)
        if needed not in parent.permissions:
            raise Refused(403, 50013, "Missing Permissions")
        self.world.room_for_a_thread(parent.guild)
        thread = Channel(
            number or self.world.ids(),
            body["name"].strip(),
            parent=parent,
            guild=parent.guild,
            private=kind == PRIVATE,
            owner=self.world.bot,
            archives_after=body.get("auto_archive_duration", 4320),
        )
        thread.members.add(self.world.bot.id)
        self.world.channels[thread.id] = thread
        self.world.told("THREAD_CREATE", {**thread.json(), "newly_created": True})
        return thread.json()

    def _check(self, body: Json) -> None:
        faults = Faults()
        if not 1 <= len(body.get("name", "").strip()) <= NAME:
            faults.add("name", "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {NAME} in length.")
        if body.get("auto_archive_duration", 4320) not in ARCHIVING:
            faults.add("auto_archive_duration", "BASE_TYPE_CHOICES", f"Value must be one of {set(ARCHIVING)}.")
        faults.done()

    # -- who is in one

    def _who(self, user: str) -> User:
        return self.world.bot if user == "@me" else self.world.user(int(user))

    def add(self, call: Request, channel: str, user: str) -> None:
        """Join a thread, or add a person."""
        thread, who = self._open_thread(channel), self._who(user)
        if thread.guild is not None and not thread.guild.has(who):
            raise Refused(404, 10007, "Unknown Member")
        thread.members.add(who.id)

    def remove(self, call: Request, channel: str, user: str) -> None:
        """Leave a thread, or remove a person."""
        thread, who = self._open_thread(channel), self._who(user)
        owns = thread.private and thread.owner is self.world.bot
        if who is not self.world.bot and not owns and Permission.MANAGE_THREADS not in thread.permissions:
            raise Refused(403, 50013, "Missing Permissions")
        thread.members.discard(who.id)

    def members(self, call: Request, channel: str) -> list[Json]:
        """The members of a thread."""
        return [{"id": channel, "user_id": str(user), "flags": 0} for user in self._thread(channel).members]

    def member(self, call: Request, channel: str, user: str) -> Json:
        """One of them."""
        found = next((one for one in self.members(call, channel) if one["user_id"] == user), None)
        if found is None:
            raise Refused(404, 10007, "Unknown Member")
        return found

    def active(self, call: Request, guild: str) -> Json:
        """The open threads that the bot can see."""
        here = self.world.guild(int(guild))
        rooms = (c for c in self.world.channels.values() if c.parent and c.guild is here and not c.archived)
        return {"threads": [c.json() for c in rooms if self.world.sees(c)], "members": []}

    # -- ends

    def delete(self, call: Request, channel: str) -> Json:
        """Delete a thread or channel for good. This needs the permission to manage threads or channels."""
        room = self.rest.channel(channel)
        needed = Permission.MANAGE_THREADS if room.parent else Permission.MANAGE_CHANNELS
        if needed not in room.permissions:
            raise Refused(403, 50013, "Missing Permissions")
        body = room.json()
        self.world.drop(room)
        return body

    def _thread(self, channel: str) -> Channel:
        thread = self.rest.channel(channel)
        if thread.parent is None:
            raise Refused(400, 50024, "Cannot execute action on this channel type")
        return thread

    def _open_thread(self, channel: str) -> Channel:
        thread = self._thread(channel)
        if thread.archived:
            raise Refused(400, 50083, "Thread is archived")
        return thread
