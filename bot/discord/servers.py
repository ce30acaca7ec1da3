"""What happens to servers, channels, threads and people, as Discord says: read from the gateway's raw events, gathered,
and then looked at.

All of it comes from these events, and from queries by id. discord.py's memory of servers is no help: only a new session
fills it, and this process can resume another one's session.

A reader of news raises `KeyError`, `TypeError`, `ValueError` or `AttributeError` for an event that lacks what it needs.
It has then noted nothing of it, or only a part that is right.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import discord

from bot.discord import threads
from bot.discord.context import AppContext
from bot.discord.sharding import ShardedClient
from bot.discord.show import channels
from bot.projections import CLOSED_THREAD, LEFT, REFUSED, Move, Name, moved
from bot.service.shards import shard_of
from bot.store import Store, Unavailable
from bot.store.base import GameLocation
from bot.table.options import DAY
from engine.errors import RefereeError

Json = dict[str, Any]

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


log = logging.getLogger(__name__)

READ_EVENTS = ("READY", "RESUMED", "INTERACTION_CREATE")
"""Events that discord.py reads; from all others it would only remember what no one asks it."""
LOOK_AFTER, LOOK_AGAIN_AFTER = 0.5, 5.0
"""Seconds until news is looked at, since much of it comes together; and again, if the store is out of reach."""
ASK_AGAIN_AFTER = 30.0
"""Seconds until Discord is asked again about a channel, after an outage."""


class Servers:
    """Listens to the gateway as soon as it is made, and stores what it hears of games."""

    def __init__(self, client: ShardedClient, app: AppContext, store: Store) -> None:
        self._client, self._app, self._store = client, app, store
        self._news = ServerNews()
        self._timer: asyncio.TimerHandle | None = None
        parsers = client._connection.parsers
        self._ready = parsers["READY"]
        for event in [event for event in parsers if event not in READ_EVENTS]:
            del parsers[event]
        heard: dict[str, Callable[[Json], None]] = {
            "GUILD_CREATE": self._there,
            "GUILD_DELETE": lambda data: self._news.removed(data),
            "CHANNEL_UPDATE": lambda data: self._news.change(data),
            "CHANNEL_DELETE": lambda data: self._news.channel_deleted(data),
            "THREAD_CREATE": self._thread_made,
            "THREAD_UPDATE": lambda data: self._news.thread(data),
            "THREAD_DELETE": lambda data: self._news.thread_deleted(data),
            "THREAD_LIST_SYNC": lambda data: self._news.threads_shown(data),
            "THREAD_MEMBERS_UPDATE": lambda data: self._news.members(data, self._me),
            "GUILD_ROLE_UPDATE": lambda data: self._news.change(data),
            "GUILD_ROLE_DELETE": lambda data: self._news.change(data),
            "GUILD_MEMBER_UPDATE": lambda data: self._news.member(data, self._me),
            "GUILD_MEMBER_ADD": lambda data: self._news.person(data, there=True),
            "GUILD_MEMBER_REMOVE": lambda data: self._news.person(data, there=False),
        }
        parsers["READY"] = self._began
        for event, does in heard.items():
            parsers[event] = partial(self._note, does)

    @property
    def _me(self) -> int:
        return self._client.user.id if self._client.user is not None else 0

    def _note(self, does: Callable[[Json], None], data: Json) -> None:
        try:
            does(data)
        finally:  # a part of it might have been read
            self._look_in(LOOK_AFTER)

    def _began(self, data: Json) -> None:
        """Note a new session. discord.py gets no more of it than it needs."""
        shard = [0, 1] if self._client.shard_count == 1 else data["shard"]
        user: Any = data["user"] if self._client.user is None else self._client.user._to_minimal_user_json()
        if isinstance(data.get("guilds"), list):  # else each of them is described soon anyway
            self._note(self._news.session, {"shard": shard, "guilds": listed(data, "guilds")})
        self._ready({**data, "shard": shard, "user": user, "guilds": []})

    def _there(self, data: Json) -> None:
        self._news.server(data)
        mine = [thread for thread in listed(data, "threads") if thread.get("owner_id") == str(self._me)]
        for empty in ids_of(thread for thread in mine if not thread.get("message_count", 1)):
            threads.drop_later(self._app, empty)

    def _thread_made(self, data: Json) -> None:
        """Look at a thread that Harbormaster has made for a table: if Discord's answer was lost, no one knows of it."""
        self._news.thread(data)
        if data.get("owner_id") == str(self._me) and data.get("type") == discord.ChannelType.public_thread.value:
            threads.drop_later(self._app, int(data["id"]), new=True)

    # --- what follows from them

    def _look_in(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        self._timer = None
        if not self._app.in_flight.closing:  # else the next session brings it
            news, self._news = self._news, ServerNews()
            self._app.in_flight.start(self._work(news))

    async def _work(self, news: ServerNews) -> None:
        try:
            for place in await self._store.places(news.servers):
                try:
                    await self._found(place, news)
                except RefereeError:  # the game can't be read, and the host has been told
                    pass
                except Unavailable:
                    raise
                except Exception:
                    log.exception("Game %d: what has happened to its channel could not be handled", place.number)
            for guild in news.left:
                await self._app.services.subscriptions.forget_server(guild)
            await self._app.overviews.recheck(news.changed | news.whole.keys())
            for (guild, user), there in news.people.items():
                await self._app.services.absence.moved(guild, user, joined=there)
        except Unavailable as error:
            log.warning("News about servers could not be handled: %s", error)
            self._news = news.followed_by(self._news)
            self._look_in(LOOK_AGAIN_AFTER)

    async def _found(self, place: GameLocation, news: ServerNews) -> None:
        """Do in a game what the news requires."""
        number, guild, rooms = place.number, place.guild, news.whole.get(place.guild)
        shard = shard_of(guild, self._client.shard_count or 1)
        if guild in news.left or (rooms is None and guild not in news.sessions.get(shard, {guild})):
            await self._bar(place, LEFT)
            return
        if not place.open:  # it needs no open thread, but what Discord has refused might be possible now
            if rooms is not None or guild in news.changed:
                await self._unbar(place, LEFT, CLOSED_THREAD, REFUSED)
            return
        if rooms is not None:
            await self._unbar(place, LEFT)
        if place.channel in news.gone:
            await self._app.publisher.again(number)
        elif place.channel in news.threads:
            await self._see_thread(place, news.threads[place.channel])
        elif rooms is not None:
            if place.channel not in rooms:
                await self._ask(place)
            elif place.unseen:
                await self._unbar(place, CLOSED_THREAD)
                self._app.publisher.refresh(number)
        elif guild in news.doubtful or place.channel in news.unasked:
            await self._ask(place)
        elif place.unseen and guild in news.changed:
            self._app.publisher.refresh(number)

    async def _ask(self, place: GameLocation) -> None:
        """Ask Discord about a channel that can be gone, out of sight, or an archived thread."""
        try:
            channel: Any = await self._client.http.get_channel(place.channel)
        except channels.FAILED as error:
            await self._failed(place, error)
            return
        if "thread_metadata" in channel:
            await self._see_thread(place, Thread.read(channel))
        elif place.unseen:
            self._app.publisher.refresh(place.number)

    async def _see_thread(self, place: GameLocation, thread: Thread) -> None:
        """Open a thread again that was archived while a game runs in it. If a person wants it closed, the game rests
        until someone opens it, or acts anyway."""
        if not thread.archived:
            await self._unbar(place, CLOSED_THREAD)
        elif thread.locked:
            await self._app.publisher.again(place.number)
        elif thread.closed_by_person(await self._store.opened(place.number)):
            await self._bar(place, CLOSED_THREAD)
            self._app.publisher.rests(place.number)
        else:
            await self._open(place)

    async def _open(self, place: GameLocation) -> None:
        try:
            if await channels.awaken(self._client, place.channel):
                await self._store.note_opened(place.number, self._app.clock())
            else:
                await self._app.publisher.again(place.number)
        except channels.FAILED as error:
            await self._failed(place, error)

    async def _failed(self, place: GameLocation, error: Exception) -> None:
        """Show a game in a channel that Discord refuses, so that people learn why. After an outage, ask again."""
        if not channels.is_outage(error):
            await self._app.publisher.again(place.number)
            return

        def again() -> None:
            self._news.unasked[place.channel] = place.guild
            self._look_in(LOOK_AFTER)

        log.info("Game %d: its channel could not be looked at just now: %s", place.number, error)
        asyncio.get_running_loop().call_later(ASK_AGAIN_AFTER, again)

    async def _bar(self, place: GameLocation, why: Name) -> None:
        log.info("Game %d isn't shown anymore: %s", place.number, why)
        await self._app.services.projections.note(place.number, [moved(None, why, Move.COVER, place.version)])

    async def _unbar(self, place: GameLocation, *why: Name) -> None:
        if place.unseen:
            await self._app.services.projections.note(place.number, gone=why)
            self._app.publisher.refresh(place.number)
