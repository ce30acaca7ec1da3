"""The part of the store in memory that knows until when games were out of reach."""

from __future__ import annotations

import asyncio

from bot.store.reach import ReachStore
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

    async def heard(self, shard: int) -> float:
        await asyncio.sleep(0)
        kept = self.contents.shards.get(self._namespace, {}).get(shard)
        return kept.heard if kept else 0.0
