"""The part of the store in memory that knows until when games were out of reach."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from bot.projections import is_unseen
from bot.store.reach import Place, ReachStore
from tests.bot.store.memory_contents import Contents


class MemoryReach(ReachStore):
    """By namespace and game in `Contents.unseen`, and in each shard."""

    contents: Contents
    _namespace: str

    async def lost(self, number: int | None, at: float) -> None:
        await asyncio.sleep(0)
        which = self._namespace, number
        self.contents.unseen[which] = max(at, self.contents.unseen.get(which, 0.0))

    async def unseen(self, number: int) -> float:
        await asyncio.sleep(0)
        return max(self.contents.unseen.get((self._namespace, which), 0.0) for which in (number, None))

    async def stopped(self) -> float:
        await asyncio.sleep(0)
        return self.contents.stopped.get(self._namespace, 0.0)

    async def stop(self, until: float) -> None:
        await asyncio.sleep(0)
        self.contents.stopped[self._namespace] = max(until, self.contents.stopped.get(self._namespace, 0.0))

    async def places(self, guilds: Collection[int] | None = None) -> list[Place]:
        await asyncio.sleep(0)
        mine = [k for k in self.contents.tables.values() if k.namespace == self._namespace and k.table.guild]
        there = [k for k in mine if guilds is None or k.table.guild in guilds]
        tables = [(k.table, is_unseen(k.marks)) for k in there if k.table.open or k.pending]
        return sorted(
            (Place(table.number, table.guild or 0, table.channel, table.version, unseen) for table, unseen in tables),
            key=lambda place: place.number,
        )

    async def heard(self, shard: int) -> float:
        await asyncio.sleep(0)
        kept = self.contents.shards.get(self._namespace, {}).get(shard)
        return kept.heard if kept else 0.0
