"""The part of the store in memory that knows which process connects which shard."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping

from bot.store.shards import Session, ShardStore, Sharing
from tests.bot.store.memory_contents import Contents, KeptShard


class MemoryShards(ShardStore):
    """Rows of processes and of shards, each good until a time."""

    contents: Contents
    process: str
    _namespace: str

    async def share(
        self, now: float, until: float, sessions: Mapping[int, Session | None], heard: Collection[int] = ()
    ) -> Sharing:
        await asyncio.sleep(0)
        mine = {shard: kept for shard, kept in self._shards().items() if kept.process == self.process}
        for shard in mine.keys() & sessions.keys():
            mine[shard].until, mine[shard].session = until, sessions[shard] or mine[shard].session
            mine[shard].heard = now if shard in heard else mine[shard].heard
        alive = self.contents.processes.setdefault(self._namespace, {})
        alive[self.process] = until
        held = {shard: kept for shard, kept in self._shards().items() if kept.until >= now}
        return Sharing(
            self.process,
            frozenset(process for process, until in alive.items() if until >= now),
            {shard: kept.process for shard, kept in held.items()},
            max((kept.of for kept in held.values()), default=0),
        )

    async def take_shard(self, shard: int, of: int, now: float, until: float) -> bool:
        await asyncio.sleep(0)
        kept = self._shards().get(shard)
        if kept is not None and kept.until >= now:
            return False
        session = kept.session if kept is not None and kept.of == of else None
        self._shards()[shard] = KeptShard(self.process, of, until, session, kept.heard if kept is not None else 0.0)
        return True

    async def session(self, shard: int) -> Session | None:
        await asyncio.sleep(0)
        kept = self._shards().get(shard)
        return kept.session if kept else None

    async def leave_shards(self, sessions: Mapping[int, Session | None]) -> None:
        await asyncio.sleep(0)
        for shard, session in sessions.items():
            kept = self._shards()[shard]
            if kept.process == self.process:
                kept.until, kept.session = 0.0, session or kept.session

    async def leave(self) -> None:
        await self.leave_shards(dict.fromkeys(self._shards()))
        self.contents.processes.get(self._namespace, {}).pop(self.process, None)

    async def turn(self, bucket: int, now: float, apart: float) -> float:
        await asyncio.sleep(0)
        before = self.contents.turns.get((self._namespace, bucket))
        turn = now if before is None else max(before + apart, now)
        self.contents.turns[self._namespace, bucket] = turn
        return turn

    def _shards(self) -> dict[int, KeptShard]:
        return self.contents.shards.setdefault(self._namespace, {})
