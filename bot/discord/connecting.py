"""Connections to Discord's gateway, one for each shard that this process has."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import discord
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.shard import EventItem, EventType, Shard

from bot.discord import starts
from bot.discord.shard import HeldShard
from bot.discord.show import channels
from bot.store import Store, Unavailable
from bot.store.shards import Session

log = logging.getLogger(__name__)

APART = 5.5
"""Seconds between two new sessions: Discord's five, plus the time that one message can take longer than another."""
RETRY = (1.0, 2.0, 5.0, 10.0, 20.0)
"""Seconds until the next try to connect, growing."""


class ConnectedClient(discord.AutoShardedClient):
    """A client whose shards can be connected and let go of one by one, with their sessions handed on."""

    def __init__(self, now: Callable[[], float], **options: Any) -> None:
        """`now` in seconds since the epoch."""
        super().__init__(**options)
        self._now = now
        self._shared_store: Store | None = None
        self._wanted: Sequence[int] = ()
        self._mine: set[int] = set()
        self.hearing: set[int] = set()
        """Shards whose connections bring people's clicks, as far as Discord has said."""
        self._concurrency = 1
        self._waited: set[int | None] = set()
        self._to_connect: asyncio.Queue[int] = asyncio.Queue()

    def share_through(self, store: Store) -> None:
        """Set the store through which processes share the shards. To be called before `connect`."""
        self._shared_store = store if store.shared else None

    @property
    def online(self) -> bool:
        """Whether every shard of this process is connected; a process can have none for a while."""
        ready = (self._session(shard) is not None and self._connected[shard].ws.open for shard in self._mine)
        return bool(self._wanted) and all(ready)

    @property
    def heard(self) -> float:
        """When the quietest shard last sent something, even an answer to a heartbeat, by `time.perf_counter`. 0 if a
        shard isn't connected; now if this process has none, or 0 before the start."""
        return min(map(self._heard, self._mine), default=time.perf_counter() if self._wanted else 0.0)

    def silence(self, shard: int) -> float | None:
        """Seconds for which a shard has sent nothing, not even an answer to a heartbeat; None: it isn't ours."""
        return time.perf_counter() - self._heard(shard) if shard in self._mine else None

    def _heard(self, shard: int) -> float:
        ws = getattr(self._connected.get(shard), "ws", None)
        last: float = getattr(getattr(ws, "_keep_alive", None), "_last_recv", 0.0)
        return last

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a new session can begin: one at a time among all processes."""
        if self._shared_store is None:
            await super().before_identify_hook(shard_id, initial=initial)
        elif shard_id not in self._waited:
            try:
                await self._turn(shard_id or 0, self._shared_store)
            except Unavailable as error:  # discord.py tries again after errors that it knows
                raise TimeoutError(str(error)) from None
        self._waited.discard(shard_id)

    async def _turn(self, shard: int, store: Store) -> None:
        now = self._now()
        turn = await store.reserve_turn(shard % self._concurrency, now, APART)
        await asyncio.sleep(max(turn - now, 0.0))

    def _own(self) -> None:
        """Called when this process gets or loses shards."""

    # --- by private parts of discord.py

    @property
    def _connected(self) -> dict[int, HeldShard]:
        found: dict[int, HeldShard] = self._AutoShardedClient__shards  # type: ignore[attr-defined]
        return found

    def _is_held(self, connected: Shard) -> bool:
        return self._connected.get(connected.id) is connected

    def _event(self, item: EventItem) -> None:
        self._AutoShardedClient__queue.put_nowait(item)  # type: ignore[attr-defined]

    def _session(self, shard: int) -> Session | None:
        """The session that another process could resume, if there is one."""
        if (connected := self._connected.get(shard)) is None:
            return None
        ws = connected.ws
        return Session(ws.session_id, ws.sequence, str(ws.gateway)) if ws.session_id and ws.sequence else None

    async def _disconnect(self, shard: int) -> Session | None:
        """Let go of a shard. Returns its session, which can be resumed."""
        self._mine.discard(shard)
        self._own()
        self.hearing.discard(shard)
        if (connected := self._connected.get(shard)) is None:
            return None
        connected._cancel_task()
        session = self._session(shard)
        del self._connected[shard]
        await connected.let_go()
        return session

    async def _connect(self) -> None:
        """Connect the shards that this process has, one after the other."""
        failures = 0
        while True:
            shard = await self._to_connect.get()
            if shard not in self._mine or shard in self._connected:
                continue
            try:
                session = await self._left_session(shard)
                if session is None:
                    await starts.wait_for_session(self.http)
                if shard not in self._mine:  # given away while waiting for a turn
                    continue
                ws = await asyncio.wait_for(self._open(shard, session), 60.0)
            except (*channels.FAILED, ReconnectWebSocket, Unavailable) as error:
                wait = RETRY[min(failures, len(RETRY) - 1)]
                failures += 1
                log.warning(
                    "Shard %d can't be connected, next try in %d s: %s", shard, wait, str(error) or type(error).__name__
                )
                self._to_connect.put_nowait(shard)
                await asyncio.sleep(wait)
                continue
            except Exception as error:  # refused for good, such as a wrong token; `connect` raises it
                self._event(EventItem(EventType.terminate, None, error))
                return
            failures = 0
            session_in = partial(starts.session_in, self.http)
            self._connected[shard] = connected = HeldShard(ws, self, self._event, self._is_held, session_in)
            if shard in self._mine:
                connected.launch()
            else:  # the shard was lost meanwhile
                await self._disconnect(shard)

    async def _left_session(self, shard: int) -> Session | None:
        """The session that a shard's previous process has left; None, once it is time for a new one."""
        if self._shared_store is None:
            return None
        session = await self._shared_store.session(shard)
        if session is None:  # wait before there is a connection, whose heartbeats no one would read
            await self._turn(shard, self._shared_store)
            self._waited.add(shard)
        return session

    async def _open(self, shard: int, session: Session | None) -> DiscordWebSocket:
        """A connection for a shard, which resumes this session, or begins a new one."""
        if session is None:
            return await DiscordWebSocket.from_client(self, initial=not self._connected, shard_id=shard)
        return await DiscordWebSocket.from_client(
            self,
            gateway=yarl.URL(session.gateway),
            shard_id=shard,
            session=session.id,
            sequence=session.sequence,
            resume=True,
        )
