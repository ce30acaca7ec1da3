"""Whether people can see a game and act in it just now: from what this process hears of Discord, and by asking it."""

from __future__ import annotations

import time

from bot.discord.limits import Traffic
from bot.discord.sharding import HEARTBEAT, ShardedClient
from bot.discord.show import permissions
from bot.discord.show.publisher import Publisher
from bot.projections import PANEL
from bot.service import Services
from bot.service.reach import LONG_OUTAGE
from bot.service.shards import shard_of
from bot.store import Store, Unavailable
from bot.table.table import Table

SILENT = 2 * HEARTBEAT
"""Seconds without a word after which a connection counts as bringing no clicks."""


class Connections:
    """Checks a game when a player's time is over, and notes when no clicks could arrive for long."""

    def __init__(
        self, client: ShardedClient, services: Services, publisher: Publisher, store: Store, traffic: Traffic
    ) -> None:
        self._client, self._services, self._publisher, self._store = client, services, publisher, store
        self._traffic = traffic
        self._cut: dict[int, float] = {}
        """Since when shards have been silent, by `time.perf_counter`."""
        services.reach.probe_by(self.seen)

    async def seen(self, table: Table) -> bool:
        """Whether a game is shown as it stands, and people can act in it."""
        if not self._is_heard(shard_of(table.guild, self._client.shard_count or 1)):
            return False
        behind = self._publisher.outage.behind(table.number)
        panel = (await self._services.projections.visible(table.number)).get(PANEL)
        if not behind and panel is not None and panel.pending:  # another process shows it, or has died
            behind = self._services.now() - max(table.updated, *(wait.since for wait in table.waits))
        if behind >= LONG_OUTAGE:
            return False
        exists = await permissions.is_open(self._client, table.channel)
        return exists and self._traffic.calm >= LONG_OUTAGE  # if a request took a second try, not all is well yet

    def _is_heard(self, shard: int) -> bool:
        """Whether a shard's connection brings clicks to this process; not if another process has the shard by now."""
        silence = self._client.silence(shard)
        return not self._store.shared if silence is None else silence < SILENT

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
        """Note if no clicks have arrived for long: this process ends, and the next one can't know that."""
        if any([await self._gap(shard) >= LONG_OUTAGE for shard in list(self._cut)]):
            await self._services.reach.lost_all()

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
