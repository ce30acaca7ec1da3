"""News about servers, channels, threads and people: read from the gateway's raw events, and gathered.

A reader of news raises `KeyError`, `TypeError`, `ValueError` or `AttributeError` for an event that lacks what it needs.
It has then noted nothing of it, or only a part that is right.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import discord

from bot.discord.interaction import Json
from bot.table.options import DAY

MARGIN = 60.0
"""Seconds by which two times of Discord's can be off."""


@dataclass(frozen=True, slots=True)
class Thread:
    """What is known of a thread. Times are in seconds since the epoch, by Discord's clock."""

    archived: bool
    locked: bool
    since: float
    """Since when it has been archived, or open."""
    written: float
    """When someone last wrote in it."""
    patience: float
    """Seconds without a message after which Discord archives it."""

    @staticmethod
    def read(data: Json) -> Thread:
        """Read Discord's data about a thread."""
        state = data["thread_metadata"]
        return Thread(
            archived=bool(state["archived"]),
            locked=bool(state.get("locked")),
            since=_time(state["archive_timestamp"]),
            written=discord.utils.snowflake_time(int(data.get("last_message_id") or data["id"])).timestamp(),
            patience=60.0 * int(state["auto_archive_duration"]),
        )

    def closed_by_person(self, opened: float) -> bool:
        """Whether it was archived because a person wants that. Harbormaster has last opened it at `opened`; 0: never.

        Discord doesn't say who has archived a thread, and does so early when a server has many. So it is opened again.
        If it is then archived within a day, and sooner than Discord does for lack of messages, a person insists.
        """
        insists = -MARGIN <= self.since - opened < DAY
        return insists and self.since - max(self.written, opened) < self.patience - MARGIN


def _time(text: str) -> float:
    found = discord.utils.parse_time(text)
    if found is None:
        raise ValueError("there is no time")
    return found.timestamp()


@dataclass
class ServerNews:
    """News that was heard and hasn't been looked at."""

    sessions: dict[int, set[int]] = field(default_factory=dict)
    """All servers of each shard whose session is new."""
    whole: dict[int, set[int]] = field(default_factory=dict)
    """All channels and open threads of servers that Discord described as a whole, as far as they could be read."""
    back: set[int] = field(default_factory=set)
    """Servers that were unavailable for long, and are described as a whole again."""
    left: set[int] = field(default_factory=set)
    """Servers that have removed Harbormaster."""
    changed: set[int] = field(default_factory=set)
    """Servers in which something has changed."""
    threads: dict[int, Thread] = field(default_factory=dict)
    """Threads as they are now, by id."""
    gone: set[int] = field(default_factory=set)
    """Channels and threads that were deleted."""
    doubtful: set[int] = field(default_factory=set)
    """Servers about all of whose games Discord must be asked: a channel was deleted, with all threads in it, or
    Harbormaster was removed from a thread."""
    unasked: dict[int, int] = field(default_factory=dict)
    """Channels about which Discord must be asked again, with their servers."""
    people: dict[tuple[int, int], bool] = field(default_factory=dict)
    """Whether people who have come or left are there, by server and user."""

    @property
    def servers(self) -> set[int] | None:
        """Servers whose games are concerned; None: all."""
        return None if self.sessions else self.left | self.changed | self.whole.keys() | set(self.unasked.values())

    def followed_by(self, later: ServerNews) -> ServerNews:
        """This news, and what was heard after it."""
        return ServerNews(
            self.sessions | later.sessions,
            {guild: rooms for guild, rooms in self.whole.items() if guild not in later.left} | later.whole,
            self.back | later.back,
            (self.left - later.whole.keys()) | later.left,
            self.changed | later.changed,
            {number: thread for number, thread in self.threads.items() if number not in later.gone} | later.threads,
            self.gone | later.gone,
            self.doubtful | later.doubtful,
            self.unasked | later.unasked,
            self.people | later.people,
        )

    # --- events

    def session(self, data: Json) -> None:
        """READY: a session begins."""
        self.sessions[int(data["shard"][0])] = ids_of(data["guilds"])

    def server(self, data: Json) -> None:
        """GUILD_CREATE: a server is there, described as a whole."""
        guild = int(data["id"])
        if not data.get("unavailable"):
            self.left.discard(guild)
            self.whole[guild] = ids_of([*listed(data, "channels"), *listed(data, "threads")])

    def removed(self, data: Json) -> None:
        """GUILD_DELETE: a server has removed Harbormaster, unless Discord has an outage."""
        guild = int(data["id"])
        if not data.get("unavailable"):
            self.whole.pop(guild, None)
            self.left.add(guild)

    def change(self, data: Json) -> None:
        """CHANNEL_UPDATE and others: something has changed in a server."""
        self.changed.add(int(data["guild_id"]))

    def channel_deleted(self, data: Json) -> None:
        """CHANNEL_DELETE: a channel is gone, with all threads in it, which Discord doesn't name."""
        self.thread_deleted(data)
        self.doubtful.add(int(data["guild_id"]))

    def thread_deleted(self, data: Json) -> None:
        """THREAD_DELETE."""
        number = int(data["id"])
        self.change(data)
        self.threads.pop(number, None)
        self.gone.add(number)

    def thread(self, data: Json) -> None:
        """THREAD_CREATE, THREAD_UPDATE: how a thread is now."""
        number, thread = int(data["id"]), Thread.read(data)
        self.change(data)
        self.threads[number] = thread

    def threads_shown(self, data: Json) -> None:
        """THREAD_LIST_SYNC: Harbormaster can see a channel now, and these threads in it are open."""
        self.change(data)
        for thread in listed(data, "threads"):
            self.thread({"guild_id": data["guild_id"], **thread})

    def members(self, data: Json, me: int) -> None:
        """THREAD_MEMBERS_UPDATE: Harbormaster (`me`) was added to a thread, or removed from it. About other people it
        comes only if the host wants that."""
        added = ids_of([{"id": member["user_id"]} for member in listed(data, "added_members")])
        if me in added:
            self.change(data)
        if me in map(int, data.get("removed_member_ids") or ()):
            self.change(data)
            self.doubtful.add(int(data["guild_id"]))

    def member(self, data: Json, me: int) -> None:
        """GUILD_MEMBER_UPDATE: Harbormaster (`me`) has other roles. About other people it comes only if the host wants
        that."""
        if int(data["user"]["id"]) == me:
            self.change(data)

    def person(self, data: Json, *, there: bool) -> None:
        """GUILD_MEMBER_ADD, GUILD_MEMBER_REMOVE: a person has come or left."""
        self.people[int(data["guild_id"]), int(data["user"]["id"])] = there


def listed(data: Json, name: str) -> list[Json]:
    """The objects in a list, which can be missing."""
    found = data.get(name)
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def ids_of(objects: Iterable[Json]) -> set[int]:
    """The ids of objects, as far as they have one."""
    return {int(found["id"]) for found in objects if str(found.get("id")).isdecimal()}
