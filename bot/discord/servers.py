"""What happens to servers, channels, threads and people, as Discord says: read from the gateway's raw events, gathered,
and then looked at.

All of it comes from these events, and from queries by id. discord.py's memory of servers is no help: only a new session
fills it, and this process can resume another one's session.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

import discord

from bot.discord import threads
from bot.discord.context import AppContext
from bot.discord.interaction import Json
from bot.discord.news import ServerNews, Thread, ids_of, listed
from bot.discord.sharding import ShardedClient
from bot.discord.show import channels, presence
from bot.discord.unavailable import UnavailableServers
from bot.projections import CLOSED_THREAD, LEFT, REFUSED, Move, Name, moved
from bot.service.shards import shard_of
from bot.store import Store, Unavailable
from bot.store.base import GameLocation
from engine.errors import RefereeError

log = logging.getLogger(__name__)

READ_EVENTS = ("READY", "RESUMED", "INTERACTION_CREATE")
"""Events that discord.py reads; from all others it would only remember what no one asks it."""
NEWS_AFTER, NEWS_AGAIN_AFTER = 0.5, 5.0
"""Seconds until news is looked at, since much of it comes together; and again, if the store is out of reach."""
ASK_AGAIN_AFTER = 30.0
"""Seconds until Discord is asked again about a channel, after an outage."""


TRIES, TRIES_WITHIN = 2, 60.0
"""How often a game that can't be shown is tried within how many seconds, however often its server changes: when someone
has changed something, and when they have corrected that."""


class Servers:
    """Listens to the gateway as soon as it is made, and stores what it hears of games."""

    def __init__(self, client: ShardedClient, app: AppContext, store: Store) -> None:
        self._client, self._app, self._store = client, app, store
        self._news = ServerNews()
        self.unavailable = UnavailableServers()
        self._tried: dict[int, int] = {}
        """How often unseen games were tried of late."""
        self._again: dict[int, Callable[[], None]] = {}
        """How to try those of them again for which that was too often."""
        self._looked = set[int]()
        """Those of them that the look in progress has tried."""
        self._timer: asyncio.TimerHandle | None = None
        parsers = client._connection.parsers
        self._ready = parsers["READY"]
        for event in [event for event in parsers if event not in READ_EVENTS]:
            del parsers[event]
        heard: dict[str, Callable[[Json], None]] = {
            "GUILD_CREATE": self._there,
            "GUILD_DELETE": self._gone,
            "CHANNEL_UPDATE": lambda data: self._news.change(data),
            "CHANNEL_DELETE": lambda data: self._news.channel_deleted(data),
            "THREAD_CREATE": self._thread_made,
            "THREAD_UPDATE": lambda data: self._news.thread(data),
            "THREAD_DELETE": lambda data: self._news.thread_deleted(data),
            "THREAD_LIST_SYNC": lambda data: self._news.threads_shown(data),
            "THREAD_MEMBERS_UPDATE": self._members,
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
            self._look_in(NEWS_AFTER)

    def _began(self, data: Json) -> None:
        """Note a new session. discord.py gets no more of it than it needs."""
        shard = [0, 1] if self._client.shard_count == 1 else data["shard"]
        user: Any = data["user"] if self._client.user is None else self._client.user._to_minimal_user_json()
        if isinstance(data.get("guilds"), list):  # else each of them is described soon anyway
            guilds = listed(data, "guilds")
            self._note(self._news.session, {"shard": shard, "guilds": guilds})
            away = ids_of(guild for guild in guilds if guild.get("unavailable"))
            self.unavailable.session(away, shard[0], self._client.shard_count or 1)
        self._ready({**data, "shard": shard, "user": user, "guilds": []})

    def _gone(self, data: Json) -> None:
        (self.unavailable.gone if data.get("unavailable") else self.unavailable.removed)(int(data["id"]))
        self._news.removed(data)

    def _there(self, data: Json) -> None:
        if data.get("unavailable"):
            self.unavailable.gone(int(data["id"]))
        elif self.unavailable.there(int(data["id"])):
            self._news.back.add(int(data["id"]))
        self._news.server(data)
        presence.appeared(self._client, self._news.whole.get(int(data["id"]), ()))
        mine = [thread for thread in listed(data, "threads") if thread.get("owner_id") == str(self._me)]
        for empty in ids_of(thread for thread in mine if not thread.get("message_count", 1)):
            threads.drop_later(self._app, empty)

    def _members(self, data: Json) -> None:
        presence.appeared(self._client, [int(data["id"])])
        self._news.members(data, self._me)

    def _thread_made(self, data: Json) -> None:
        """Look at a thread that Harbormaster has made for a table: if Discord's answer was lost, no one knows of it."""
        presence.appeared(self._client, [int(data["id"])])  # Harbormaster can also have been added to it
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
            places = await self._store.places(news.servers)
            for place in places:
                if place.guild in news.back:
                    await self._app.services.reach.lost(place.number)
            for guild in news.back:
                self.unavailable.noted(guild)
            self._looked.clear()
            for place in places:
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
            self._look_in(NEWS_AGAIN_AFTER)

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
        elif guild in news.doubtful or place.channel in news.unasked:
            await self._ask(place)
        elif place.unseen and guild in news.changed:
            self._refresh(place)

    def _refresh(self, place: GameLocation) -> None:
        if self._may_try(place, partial(self._refresh, place)):
            self._app.publisher.refresh(place.number)

    def _may_try(self, place: GameLocation, again: Callable[[], None]) -> bool:
        """Whether a game can be tried now. If it is unseen, and was tried a moment ago, that is done later by `again`:
        anyone can change a server of their own as often as they want to, and Discord counts what it refuses."""
        number, tried = place.number, self._tried.get(place.number, 0)
        if not place.unseen or number in self._looked:
            return True
        if tried >= TRIES:
            self._again[number] = again
            return False
        if not tried:
            asyncio.get_running_loop().call_later(TRIES_WITHIN, self._try_again, number)
        self._tried[number] = tried + 1
        self._looked.add(number)
        return True

    def _try_again(self, number: int) -> None:
        del self._tried[number]
        self._looked.clear()
        if again := self._again.pop(number, None):
            again()

    def _ask_again(self, place: GameLocation) -> None:
        self._news.unasked[place.channel] = place.guild
        self._look_in(NEWS_AFTER)

    async def _ask(self, place: GameLocation) -> None:
        """Ask Discord about a channel that can be gone, out of sight, or an archived thread."""
        if not self._may_try(place, partial(self._ask_again, place)):
            return
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
        log.info("Game %d: its channel could not be looked at just now: %s", place.number, error)
        asyncio.get_running_loop().call_later(ASK_AGAIN_AFTER, self._ask_again, place)

    async def _bar(self, place: GameLocation, why: Name) -> None:
        log.info("Game %d isn't shown anymore: %s", place.number, why)
        await self._app.services.projections.note(place.number, [moved(None, why, Move.COVER, place.version)])

    async def _unbar(self, place: GameLocation, *why: Name) -> None:
        if place.unseen:
            await self._app.services.projections.note(place.number, gone=why)
            self._refresh(place)
