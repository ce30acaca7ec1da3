"""Whether people can see a game and act in it just now: by what this process hears of Discord, and by asking it."""

from __future__ import annotations

import time

from bot.frontends.discord.publish import channels
from bot.frontends.discord.publish.publisher import Publisher
from bot.frontends.discord.publish.recent import now
from bot.frontends.discord.sharding import ShardedClient
from bot.models import Table
from bot.projections import PANEL
from bot.service import Services
from bot.service.reach import LONG

HEARTBEAT = 45.0
"""Seconds after which Discord has answered a heartbeat where all is well."""
SILENT = 2 * HEARTBEAT
"""Seconds without a word after which a connection brings nobody's clicks."""


class Connections:
    """Looks at a game when a time is over, and notes when no clicks could arrive for long."""

    def __init__(self, client: ShardedClient, services: Services, publisher: Publisher) -> None:
        self._client, self._services, self._publisher = client, services, publisher
        self._cut: dict[int, float] = {}
        """Since when shards have been silent, by `time.perf_counter`."""
        services.reach.probe_by(self.seen)

    async def seen(self, table: Table) -> bool:
        """Whether a game is shown as it stands, and people can act in it."""
        shard = ((table.guild or 0) >> 22) % (self._client.shard_count or 1)
        if (self._client.silence(shard) or 0.0) >= SILENT:
            return False
        known = (await self._services.projections.visible(table.number)).get(PANEL)
        if known is not None and known.pending:
            behind = self._publisher.behind(table.number)
            if (behind or now() - max(table.updated, *(wait.since for wait in table.waits))) >= LONG:
                return False
        return await channels.is_open(self._client, table.guild, table.channel)

    def cut(self, shard: int) -> None:
        """A shard's connection has ended."""
        silence = self._client.silence(shard) or 0.0
        self._cut.setdefault(shard, time.perf_counter() - (silence if silence > HEARTBEAT else 0.0))

    def back(self, shard: int) -> None:
        """It is there again."""
        since = self._cut.pop(shard, None)
        if since is not None and time.perf_counter() - since >= LONG:
            self._services.reach.lost_all()
