"""Which shards of Discord's gateway this process has; they come and go while it runs.

Processes that share the store divide the shards among themselves. A process that leaves a shard leaves its session,
too, so that Discord sends the next process what happened in between.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from bot.discord import starts
from bot.discord.connecting import ConnectedClient
from bot.metrics import Metrics
from bot.service.shards import LOOK_AT_SHARDS, SHARDS_HELD_FOR, Ownership, shard_moves
from bot.settings import NotNow, SettingsError
from bot.store import Store, Unavailable
from bot.store.base import Sharing
from bot.tasks import in_own_context

log = logging.getLogger(__name__)

HEARTBEAT = 45.0
"""Seconds after which Discord has answered a heartbeat if all is well."""
LAST_ROUND = 1.0
"""Seconds for which a process that leaves shards waits for what it has begun, in the store and on Discord."""
LEFT = "shards"
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

    # --- what discord.py calls

    async def launch_shards(self) -> None:
        """Decide which shards this process is there for, and begin to connect them. Raises `SettingsError`."""
        gateway = await self._gateway()
        self._concurrency = max(gateway.concurrency, 1)
        store, sharing = self._shared_store, None
        if store is not None:
            await store.listen(lambda words: self._look.set() if words == LEFT else None)
            sharing = await store.share(self._now(), self._now() + SHARDS_HELD_FOR, {})
        of = self._of or (sharing.of if sharing else 0) or gateway.shards
        self._connection.shard_count = self.shard_count = of
        self._wanted = range(of) if self._fixed is None else self._fixed
        self._connection.shard_ids = list(self._wanted)
        if store is None:
            if len(self._wanted) < of:
                raise SettingsError("A database file serves only one process, which must connect all shards.")
            for shard in self._wanted:
                self._have(shard)
        else:
            if self._fixed is not None:
                await self._take_fixed(store, of)
            self._keepers.append(in_own_context(asyncio.create_task, self._keep(store)))
        self._keepers.append(in_own_context(asyncio.create_task, self._connect()))

    async def _gateway(self) -> starts.Gateway:
        """What Discord says about its gateway, however often it must be asked."""
        failures = 0
        while True:
            try:
                return await starts.ask(self.http)
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
            await store.tell(LEFT)  # not earlier: the others would still leave this process its fair share

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
            for shard in shard_moves(sharing, self._wanted, fixed=True).take:
                if await store.take_shard(shard, of, now, now + SHARDS_HELD_FOR):
                    self._have(shard)
            others = [shard for shard in self._wanted if shard not in self._mine]
            if not others:
                return
            if asyncio.get_running_loop().time() > end:
                await self._leave(store, sorted(self._mine))
                await store.tell(LEFT)
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
                if self._now() > self._until:  # others might have them by now
                    await asyncio.gather(*map(self._disconnect, sorted(self._mine)))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._look.wait(), LOOK_AT_SHARDS)

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
        step = shard_moves(sharing, self._wanted, self._fixed is not None)
        if step.leave:
            await self._leave(store, step.leave)
            await store.tell(LEFT)
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
