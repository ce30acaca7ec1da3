"""Which shards of Discord's gateway this process has; they come and go while it runs. And whether Discord's events come
through them: when the last one came, and whether people can see a game and act in it just now.

Processes that share the store divide the shards among themselves. A process that leaves a shard leaves its session,
too, so that Discord sends the next process what happened in between. A connection can answer heartbeats and still bring
no events.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from math import inf
from typing import Any

import discord

from bot.discord import connecting
from bot.discord.connecting import ConnectedClient
from bot.discord.limits import HeldBack
from bot.discord.show import channels
from bot.discord.show.publisher import Publisher
from bot.discord.traffic import Answers, Traffic
from bot.discord.unavailable import UnavailableServers
from bot.metrics import Metrics
from bot.projections import PANEL
from bot.service import Services
from bot.service.reach import FRESH, LONG_OUTAGE, Undecided
from bot.service.shards import LOOK_AT_SHARDS, SHARDS_HELD_FOR, Ownership, shard_moves, shard_of
from bot.settings import NotNow, SettingsError
from bot.store import Store, Unavailable
from bot.store.base import Sharing
from bot.table.table import Table
from bot.tasks import in_own_context

log = logging.getLogger(__name__)

HEARTBEAT = 45.0
"""Seconds after which Discord has answered a heartbeat if all is well."""
LAST_ROUND = 1.0
"""Seconds for which a process that leaves shards waits for what it has begun, in the store and on Discord."""
SHARDS_LEFT = "shards"
"""Message to the other processes that there are shards to take."""


class ShardedClient(ConnectedClient):
    """A client for some of the shards: those that the host chose for it, or its fair share of all."""

    def __init__(
        self,
        now: Callable[[], float],
        metrics: Metrics,
        *,
        shards: Sequence[int] | None,
        of: int | None,
        **options: Any,
    ) -> None:
        """`now` in seconds since the epoch. `shards`: numbers of the shards (None: a fair share). `of`: how many
        shards there are in all (None: as many as Discord says)."""
        super().__init__(now, metrics, shard_count=of, **options)
        self._fixed, self._of = shards, of
        self._ownership: Ownership | None = None
        self._left: Callable[[], Awaitable[None]] = _nothing
        self._until = 0.0
        self._look = asyncio.Event()
        self._round = asyncio.Lock()
        self._keepers: list[asyncio.Task[None]] = []

    def share_games(self, ownership: Ownership, left: Callable[[], Awaitable[None]]) -> None:
        """Set up the sharing of games. To be called before `connect`. `ownership` is told which shards this process
        has; `left` waits until nothing is being done anymore for shards that it no longer has."""
        self._ownership, self._left = ownership, left

    def set_process_count(self, processes: int) -> None:
        """Called regularly with the number of processes that are alive."""

    def may_be_lost(self) -> bool:
        return self._shared_store is not None and self._now() > self._until

    # --- what discord.py calls

    async def launch_shards(self) -> None:
        """Decide which shards this process is there for, and begin to connect them. Raises `SettingsError`."""
        gateway = await self._gateway()
        self._concurrency = max(gateway.concurrency, 1)
        store, sharing = self._shared_store, None
        if store is not None:
            await store.listen(lambda words: self._look.set() if words == SHARDS_LEFT else None)
            sharing = await store.share(self._now(), self._now() + SHARDS_HELD_FOR, {})
        of = self._of or (sharing.of if sharing else 0) or gateway.shards
        self._connection.shard_count = self.shard_count = of
        self._shard_numbers = range(of) if self._fixed is None else self._fixed
        self._connection.shard_ids = list(self._shard_numbers)
        if store is None:
            if len(self._shard_numbers) < of:
                raise SettingsError("A database file serves only one process, which must connect all shards.")
            for shard in self._shard_numbers:
                self._have(shard)
        else:
            if self._fixed is not None:
                await self._take_fixed(store, of)
            self._keepers.append(in_own_context(asyncio.create_task, self._keep(store)))
        self._keepers.append(in_own_context(asyncio.create_task, self._connect()))

    async def _gateway(self) -> connecting.GatewayLimits:
        """What Discord says about its gateway, however often it must be asked."""
        failures = 0
        while True:
            try:
                return await connecting.gateway_limits(self.http)
            except Exception as error:
                failures += 1
                await asyncio.sleep(self.failed(None, error, failures))

    # --- having and leaving shards

    async def leave_shards(self) -> None:
        """Leave all shards to other processes, which resume the sessions immediately."""
        try:
            # What is on its way to the store must not arrive there after the goodbye; the sessions can't wait for long.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LAST_ROUND), self._round:
                    pass
        finally:
            for keeper in self._keepers:
                keeper.cancel()
        if self._keepers:
            await asyncio.wait(self._keepers)
        self._keepers.clear()
        if (store := self._shared_store) is not None:
            await self._leave(store, sorted(self._mine))
            await store.leave()
            await store.tell(SHARDS_LEFT)  # not earlier: the others would still leave this process its fair share

    def _have(self, shard: int) -> None:
        self._mine.add(shard)
        self._own()
        self._to_connect.put_nowait(shard)

    def _own(self) -> None:
        if self._ownership is not None:
            self._ownership.has(self.shard_count or 1, self._mine, self._until)

    async def _take_fixed(self, store: Store, of: int) -> None:
        """Take the shards that the host chose for this process, once the processes that had them have left them or
        are known to be dead. Raises `NotNow` if that takes too long, or if others count other shards (`of`)."""
        end = asyncio.get_running_loop().time() + SHARDS_HELD_FOR + LOOK_AT_SHARDS
        while True:
            now = self._now()
            sharing = await store.share(now, now + SHARDS_HELD_FOR, dict.fromkeys(self._mine))
            self._until = now + SHARDS_HELD_FOR
            self.set_process_count(len(sharing.processes))
            if sharing.of not in (0, of):
                raise NotNow(
                    f"Other processes divide the servers into {sharing.of} shards, but this one was told {of}."
                )
            for shard in shard_moves(sharing, self._shard_numbers, fixed=True).take:
                if await store.take_shard(shard, of, now, now + SHARDS_HELD_FOR):
                    self._have(shard)
            others = [shard for shard in self._shard_numbers if shard not in self._mine]
            if not others:
                return
            if asyncio.get_running_loop().time() > end:
                await self._leave(store, sorted(self._mine))
                await store.tell(SHARDS_LEFT)
                raise NotNow(f"Shard {others[0]} of {of} belongs to another process that is running.")
            await asyncio.sleep(1.0)

    async def _keep(self, store: Store) -> None:
        """Keep the shards that this process has, and move toward fair shares."""
        steady = True  # after an outage each process first gets time to keep what it has
        while True:
            now = self._now()
            self._look.clear()
            try:
                async with self._round:
                    await self._share(store, now, steady)
                steady = True
            except Exception as error:  # any error: others take the shards of a process that stops here
                steady = False
                expected = isinstance(error, Unavailable)
                log.warning("The shards could not be kept: %s", error, exc_info=None if expected else error)
                if self.may_be_lost():
                    await asyncio.gather(*map(self._disconnect, sorted(self._mine)))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AT_SHARDS):
                    await self._look.wait()

    async def _share(self, store: Store, now: float, steady: bool) -> None:
        sessions = {shard: self._session(shard) for shard in self._mine}
        heard = [shard for shard in sessions if shard in self.hearing and (self.silence(shard) or 0.0) < HEARTBEAT]
        sharing = await store.share(now, now + SHARDS_HELD_FOR, sessions, heard)
        self._until = now + SHARDS_HELD_FOR
        self._own()
        self.set_process_count(len(sharing.processes))
        await self._move(store, sharing, steady)

    async def _move(self, store: Store, sharing: Sharing, steady: bool) -> None:
        for shard in sorted(self._mine):
            if sharing.shards.get(shard) != sharing.process:
                log.warning("Shard %d belongs to another process now", shard)
                await self._disconnect(shard)
        step = shard_moves(sharing, self._shard_numbers, self._fixed is not None)
        if step.leave:
            await self._leave(store, step.leave)
            await store.tell(SHARDS_LEFT)
        for shard in step.take if steady else ():
            assert self.shard_count is not None
            if await store.take_shard(shard, self.shard_count, self._now(), self._now() + SHARDS_HELD_FOR):
                self._have(shard)

    async def _leave(self, store: Store, shards: Sequence[int]) -> None:
        if not shards:
            return
        log.info("Leaving shards %s to other processes", ", ".join(map(str, shards)))
        self._mine.difference_update(shards)
        self._own()
        with contextlib.suppress(TimeoutError):  # so that this process's last edit comes before the next one's first
            async with asyncio.timeout(LAST_ROUND):
                await self._left()
        sessions = await asyncio.gather(*map(self._disconnect, shards))  # side by side: there can be little time
        await store.leave_shards(dict(zip(shards, sessions, strict=True)))


async def _nothing() -> None:
    pass


NO_CLICKS_AFTER = 2 * HEARTBEAT
"""Seconds without a word after which a connection counts as bringing no clicks."""


class Connections:
    """Checks a game when a player's time is over, and notes when no clicks could arrive for long."""

    def __init__(
        self,
        client: ShardedClient,
        services: Services,
        publisher: Publisher,
        store: Store,
        traffic: Traffic,
        unavailable: UnavailableServers,
    ) -> None:
        self._client, self._services, self._publisher, self._store = client, services, publisher, store
        self._traffic, self._unavailable = traffic, unavailable
        self._cut: dict[int, float] = {}
        """Since when shards have been silent, by `time.perf_counter`."""
        services.reach.probe_by(self.seen)

    async def seen(self, table: Table) -> bool:
        """Whether a game is shown as it stands, and people can act in it. Raises `Undecided` if that can't be told yet.

        No single error says that it isn't so: an outage has failed at all that was asked for `LONG_OUTAGE`. But one can
        have ended just now, with no more to be noticed of it than an error, since nothing was asked before
        (`Answers.back`). So no one is late until people had `FRESH` to come back. Meanwhile the game is looked at every
        few seconds. So good answers are never far apart, and more errors put nothing off any further.
        """
        if not self._is_heard(shard_of(table.guild, self._client.shard_count or 1)):
            return False
        if (seconds := self._unavailable.seconds(table.guild, self._heard_for(table.guild))) is not None:
            if seconds >= LONG_OUTAGE:
                return False
            raise Undecided("its server is unavailable")
        behind = self._publisher.outage.behind(table.number)
        panel = (await self._services.projections.visible(table.number)).get(PANEL)
        if not behind and panel is not None and panel.pending:  # another process shows it, or has died
            behind = self._services.now() - max(table.updated, *(wait.since for wait in table.waits))
        if behind >= LONG_OUTAGE:
            return False
        try:
            await self._client.http.get_channel(table.channel)
        except channels.FAILED as error:
            if not channels.is_outage(error) or isinstance(error, ValueError):  # an answer that can't be read
                return False
            if not isinstance(error, (HeldBack, discord.RateLimited)):
                self._traffic.note(table.channel, Answers.failed)
            if self._traffic.failing(table.channel) >= LONG_OUTAGE:
                return False
            raise Undecided(f"Discord doesn't answer: {str(error) or type(error).__name__}") from error
        self._traffic.note(table.channel, Answers.answered)
        away, back = self._traffic.outage(table.channel)
        if back < min(FRESH, table.options.pace or FRESH):
            now, known = self._services.now(), await self._services.reach.last(table.number)
            if now - away <= known < now - back:  # it was a long outage
                return False
            if known < now - back:
                raise Undecided(f"Discord might have been away until {back:.0f} s ago")
        return True

    def _heard_for(self, guild: int | None) -> float:
        """Seconds for which this process has heard all that Discord says of a server."""
        ownership = self._services.ownership
        return ownership.held_for(guild) if ownership.shared else inf

    def _is_heard(self, shard: int) -> bool:
        """Whether a shard's connection brings clicks to this process; not if another process has the shard by now."""
        if shard in self._cut and time.perf_counter() - self._cut[shard] >= LONG_OUTAGE:
            return False
        silence = self._client.silence(shard)
        return not self._store.shared if silence is None else silence < NO_CLICKS_AFTER

    def cut(self, shard: int) -> None:
        """Note that a shard's connection has ended."""
        self._client.hearing.discard(shard)
        silence = self._client.silence(shard) or 0.0
        self._cut.setdefault(shard, time.perf_counter() - (silence if silence > HEARTBEAT else 0.0))

    async def back(self, shard: int) -> None:
        """Note that a shard is connected again, or for the first time by this process."""
        if await self._gap(shard) >= LONG_OUTAGE:
            await self._services.reach.lost_all()
        self._client.hearing.add(shard)

    async def close(self) -> None:
        """Note what has been out of reach for long: this process ends, and the next one can't know that."""
        if any([await self._gap(shard) >= LONG_OUTAGE for shard in list(self._cut)]):
            await self._services.reach.lost_all()
        for place in await self._store.places(self._unavailable.long):
            await self._services.reach.lost(place.number)

    async def _gap(self, shard: int) -> float:
        """Seconds for which no clicks have arrived on a shard."""
        if shard in self._client.hearing:
            return 0.0
        if (since := self._cut.pop(shard, None)) is not None:
            return time.perf_counter() - since
        try:  # the previous process has left the shard, or died
            heard = await self._store.heard(shard) if self._store.shared else 0.0
        except Unavailable:  # it might have been long enough
            return LONG_OUTAGE
        return self._services.now() - heard if heard else 0.0
