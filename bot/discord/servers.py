"""What happens to servers, channels and threads, as Discord says: removed, closed, allowed again.

All of it comes from the gateway's raw events, and from queries by id. discord.py's memory of servers is no help: only a
new session fills it, and this process can resume another one's session.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bot.discord import threads
from bot.discord.context import AppContext
from bot.discord.sharding import ShardedClient
from bot.discord.show import channels
from bot.projections import CLOSED_THREAD, LEFT
from bot.service.ownership import shard_of
from bot.store import Store, Unavailable
from bot.store.reach import GameLocation
from engine.errors import RefereeError

log = logging.getLogger(__name__)

Json = dict[str, Any]
READ = ("READY", "RESUMED", "INTERACTION_CREATE")
"""Events that discord.py reads; from all others it would only remember what no one asks it."""
SOON, LATER = 0.5, 5.0
"""Seconds until news is looked at, since much of it comes together; and again, if the store is out of reach."""


@dataclass
class _News:
    """News that was heard and hasn't been looked at."""

    sessions: dict[int, set[int]] = field(default_factory=dict)
    """All servers of each shard whose session is new."""
    whole: dict[int, set[int]] = field(default_factory=dict)
    """All channels and open threads of servers that Discord described as a whole."""
    left: set[int] = field(default_factory=set)
    """Servers that have removed Harbormaster."""
    changed: set[int] = field(default_factory=set)
    """Servers in which something has changed."""
    threads: dict[int, Json] = field(default_factory=dict)
    """Threads as they are now, by id."""
    gone: set[int] = field(default_factory=set)
    """Channels and threads that were deleted."""
    people: dict[tuple[int, int], bool] = field(default_factory=dict)
    """Whether people who have come or left are there, by server and user."""

    @property
    def servers(self) -> set[int] | None:
        """Servers whose games are concerned; None: all."""
        return None if self.sessions else self.left | self.changed | self.whole.keys()


class Servers:
    """Listens to the gateway as soon as it is made, and stores what it hears of games."""

    def __init__(self, client: ShardedClient, app: AppContext, store: Store) -> None:
        self._client, self._app, self._store = client, app, store
        self._news = _News()
        self._timer: asyncio.TimerHandle | None = None
        parsers = client._connection.parsers
        ready = parsers["READY"]
        for event in [event for event in parsers if event not in READ]:
            del parsers[event]

        def began(data: Any) -> None:
            self._began(data)
            ready({**data, "guilds": []})

        parsers["READY"] = began
        heard: dict[str, Callable[[Any], None]] = {
            "GUILD_CREATE": self._there,
            "GUILD_DELETE": self._left,
            "CHANNEL_UPDATE": self._changed,
            "CHANNEL_DELETE": self._deleted,
            "THREAD_UPDATE": self._thread,
            "THREAD_DELETE": self._deleted,
            "GUILD_ROLE_UPDATE": self._changed,
            "GUILD_MEMBER_UPDATE": self._member,
            "GUILD_MEMBER_ADD": partial(self._person, there=True),
            "GUILD_MEMBER_REMOVE": partial(self._person, there=False),
        }
        for event, does in heard.items():
            parsers[event] = self._noting(does)

    def _noting(self, does: Callable[[Json], None]) -> Callable[[Any], None]:
        def note(data: Any) -> None:
            does(data)
            self._look_in(SOON)

        return note

    # --- events that are heard

    def _began(self, data: Json) -> None:
        shard = (data.get("shard") or (0, 1))[0]
        self._news.sessions[shard] = {int(guild["id"]) for guild in data["guilds"]}
        self._look_in(SOON)

    def _there(self, data: Json) -> None:
        if data.get("unavailable"):
            return
        guild, open_threads = int(data["id"]), data.get("threads", ())
        self._news.left.discard(guild)
        self._news.whole[guild] = {int(room["id"]) for room in (*data["channels"], *open_threads)}
        mine = str(self._client.user.id if self._client.user else 0)
        for thread in open_threads:
            if thread.get("owner_id") == mine and not thread.get("message_count"):
                threads.drop_later(self._app, int(thread["id"]))

    def _left(self, data: Json) -> None:
        if not data.get("unavailable"):  # else Discord has an outage
            self._news.whole.pop(int(data["id"]), None)
            self._news.left.add(int(data["id"]))

    def _changed(self, data: Json) -> None:
        self._news.changed.add(int(data["guild_id"]))

    def _member(self, data: Json) -> None:
        """Note that Harbormaster has other roles. Events about other people come only if the host wants them."""
        if self._client.user is not None and data["user"]["id"] == str(self._client.user.id):
            self._changed(data)

    def _deleted(self, data: Json) -> None:
        self._changed(data)
        self._news.threads.pop(int(data["id"]), None)
        self._news.gone.add(int(data["id"]))

    def _thread(self, data: Json) -> None:
        self._changed(data)
        self._news.threads[int(data["id"])] = data

    def _person(self, data: Json, there: bool) -> None:
        self._news.people[int(data["guild_id"]), int(data["user"]["id"])] = there

    # --- what follows from them

    def _look_in(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        self._timer = None
        if not self._app.in_flight.closing:  # else the next session brings it
            news, self._news = self._news, _News()
            self._app.in_flight.start(self._work(news))

    async def _work(self, news: _News) -> None:
        try:
            for place in await self._store.places(news.servers):
                with suppress(RefereeError):  # the game can't be read, and the host has been told
                    await self._found(place, news)
            await self._app.overviews.recheck(news.changed | news.whole.keys())
            for (guild, user), there in news.people.items():
                await self._app.services.absence.moved(guild, user, joined=there)
        except Unavailable as error:
            log.warning("News about servers could not be handled: %s", error)
            self._put_back(news)
            self._look_in(LATER)

    def _put_back(self, news: _News) -> None:
        later = self._news
        self._news = _News(
            news.sessions | later.sessions,
            {guild: rooms for guild, rooms in news.whole.items() if guild not in later.left} | later.whole,
            (news.left - later.whole.keys()) | later.left,
            news.changed | later.changed,
            {number: thread for number, thread in news.threads.items() if number not in later.gone} | later.threads,
            news.gone | later.gone,
            news.people | later.people,
        )

    async def _found(self, place: GameLocation, news: _News) -> None:
        """Do in a game what the news requires."""
        number, guild, rooms = place.number, place.guild, news.whole.get(place.guild)
        shard = shard_of(guild, self._client.shard_count or 1)
        if guild in news.left or (rooms is None and guild not in news.sessions.get(shard, {guild})):
            await self._bar(place, LEFT)
        elif place.channel in news.gone:
            await self._app.publisher.again(number)
        elif place.channel in news.threads:
            await self._see_thread(place, news.threads[place.channel])
        elif rooms is not None:
            await self._unbar(place, LEFT)
            if place.channel not in rooms:
                await self._ask(place)
            elif place.unseen:
                await self._unbar(place, CLOSED_THREAD)
                self._app.publisher.refresh(number)
        elif place.unseen and guild in news.changed:
            self._app.publisher.refresh(number)

    async def _ask(self, place: GameLocation) -> None:
        """Ask Discord about a channel that isn't among those of its server: it is gone, or an archived thread."""
        try:
            channel: Any = await self._client.http.get_channel(place.channel)
        except channels.FAILED as error:
            if not channels.is_outage(error):
                await self._app.publisher.again(place.number)
            return
        if "thread_metadata" in channel:
            await self._see_thread(place, channel)

    async def _see_thread(self, place: GameLocation, thread: Json) -> None:
        """Open a thread again that Discord has archived while a game runs in it. If a person has closed it, the game
        rests until someone opens it again, or acts anyway."""
        state = thread.get("thread_metadata", {})
        if not state.get("archived"):
            await self._unbar(place, CLOSED_THREAD)
            if place.unseen:
                self._app.publisher.refresh(place.number)
        elif state.get("locked"):
            await self._app.publisher.again(place.number)
        elif channels.fell_asleep(thread):
            try:
                if not await channels.awaken(self._client, place.channel):
                    await self._app.publisher.again(place.number)
            except channels.FAILED as error:
                log.info("Game %d: its thread could not be opened just now: %s", place.number, error)
                if not channels.is_outage(error):
                    await self._app.publisher.again(place.number)
        else:
            await self._bar(place, CLOSED_THREAD)

    async def _bar(self, place: GameLocation, why: str) -> None:
        log.info("Game %d isn't shown anymore: %s", place.number, why)
        await self._app.services.projections.shown(place.number, why, place.version)

    async def _unbar(self, place: GameLocation, why: str) -> None:
        if place.unseen:
            await self._app.services.projections.gone(place.number, why)
            self._app.publisher.refresh(place.number)
