"""How a process hands its shards on."""

from __future__ import annotations

from typing import Any

import discord

from bot.frontends.discord.sharding import ShardedClient
from bot.service.sharing import Moves, moves
from tests.bot.store.memory_store import MemoryStore


class SharedStore(MemoryStore):
    """One that tells the other process at once, and keeps what that one would do then."""

    shared = True
    other: MemoryStore
    found: list[Moves]

    async def tell(self, words: str) -> None:
        sharing = await self.other.share(100.0, 115.0, {})
        self.found.append(moves(sharing, range(2), fixed=False))


async def test_who_hears_that_a_process_leaves_takes_its_shards_at_once() -> None:
    """It would wait for its next look, if the other still counted: nobody gets the clicks of those seconds."""
    leaving = SharedStore()
    other = leaving.other = MemoryStore(contents=leaving.contents)
    leaving.found = []
    for shard, store in enumerate((leaving, other)):
        await store.share(100.0, 115.0, {})
        assert await store.take_shard(shard, of=2, now=100.0, until=115.0)
    client: Any = ShardedClient(lambda: 100.0, shards=None, of=2, intents=discord.Intents.none())
    client.share_through(leaving)
    client._mine.add(0)
    await client.leave_shards()
    assert leaving.found == [Moves(take=(0,))]
