"""How a process hands over its shards."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.discord import sharding
from bot.discord.shard import RESUMABLE, HeldShard
from bot.discord.sharding import ShardedClient
from bot.service.sharing import Moves, moves
from bot.store import Conflict, Unavailable
from bot.store.shards import Sharing
from bot.tasks import Shielded
from tests.bot.conftest import OpenShared
from tests.bot.store.shared import SharedStore


class TellingStore(SharedStore):
    """A store that tells another process immediately, and keeps what that process would do then."""

    other: SharedStore
    found: list[Moves]

    async def tell(self, words: str) -> None:
        sharing = await self.other.share(100.0, 115.0, {})
        self.found.append(moves(sharing, range(2), fixed=False))


class Line:
    """A connection to the gateway, with only what a shard needs of it."""

    session_id, sequence, gateway = "s", 1, "wss://gateway.example"

    def __init__(self, shard_id: int, goodbye: asyncio.Barrier | None = None) -> None:
        self.shard_id, self.goodbye = shard_id, goodbye
        self.closed: int | None = None

    async def close(self, code: int) -> None:
        self.closed = code
        if self.goodbye is not None:
            await self.goodbye.wait()

    async def poll_event(self) -> None:
        raise AssertionError("nobody holds this shard")


async def at_once() -> float:
    """Wait for no turn: there are sessions enough."""
    return 0.0


def connected(store: SharedStore, *lines: Line) -> Any:
    """A client that holds the shards of these lines."""
    client: Any = ShardedClient(lambda: 100.0, shards=None, of=2, intents=discord.Intents.none())
    client._connection.shard_count = client.shard_count = 2
    client._reconnect = True  # as `connect` sets it
    client.share_through(store)
    for line in lines:
        ws: Any = line
        client._mine.add(line.shard_id)
        client._connected[line.shard_id] = HeldShard(ws, client, client._event, client._is_held, at_once)
    return client


async def test_a_process_that_hears_of_another_leaving_takes_its_shards_immediately(open_shared: OpenShared) -> None:
    """If the leaving process still counted, its shards would wait for the next look, and lose clicks until then."""
    leaving, other = await open_shared(TellingStore), await open_shared()
    leaving.other = other
    leaving.found = []
    for shard, store in enumerate((leaving, other)):
        await store.share(100.0, 115.0, {})
        assert await store.take_shard(shard, of=2, now=100.0, until=115.0)
    client = connected(leaving)
    client._mine.add(0)
    await client.leave_shards()
    assert leaving.found == [Moves(take=(0,))]


async def test_all_shards_are_left_at_the_same_time(open_shared: OpenShared) -> None:
    """One after the other would take longer than a stopping process has, and other processes would wait for shards."""
    both, store = asyncio.Barrier(2), await open_shared()
    client = connected(store, Line(0, both), Line(1, both))
    for shard in (0, 1):
        assert await store.take_shard(shard, of=2, now=100.0, until=115.0)
    async with asyncio.timeout(1.0):
        await client.leave_shards()
    assert not client._mine


async def test_a_process_that_stops_while_it_takes_a_shard_keeps_none(open_shared: OpenShared) -> None:
    """A statement in progress goes on when its caller is canceled, and the process would seem to hold the shard."""

    class SlowStore(SharedStore):
        reached, released, done = (asyncio.Event() for _ in range(3))

        async def take_shard(self, *given: Any) -> bool:
            return await Shielded().run(self.slowly(*given))

        async def slowly(self, *given: Any) -> bool:
            self.reached.set()
            await self.released.wait()
            taken = await super().take_shard(*given)
            self.done.set()
            return taken

    store, other = await open_shared(SlowStore), await open_shared()
    client = connected(store)
    client._wanted = range(2)
    client._keepers.append(asyncio.create_task(client._keep(store)))
    await store.reached.wait()
    leaving = asyncio.create_task(client.leave_shards())
    await asyncio.wait([leaving], timeout=0.05)
    store.released.set()
    await leaving
    await store.done.wait()
    assert (await other.share(100.0, 115.0, {})).shards == {}


async def test_a_process_that_stops_while_the_store_hangs_keeps_its_sessions(
    open_shared: OpenShared, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closed otherwise, Discord would forget them, and with them all that happens until the next process is there."""
    monkeypatch.setattr(sharding, "LAST_ROUND", 0.05)

    class HangingStore(SharedStore):
        async def share(self, *given: Any) -> Sharing:
            return await asyncio.Future[Sharing]()

    line, store = Line(0), await open_shared(HangingStore)
    client = connected(store, line)
    await store.take_shard(0, of=1, now=100.0, until=115.0)
    client._keepers.append(asyncio.create_task(client._keep(store)))
    await asyncio.sleep(0)
    async with asyncio.timeout(1.0):
        await client.leave_shards()
    assert line.closed == RESUMABLE


async def test_a_shard_that_is_released_while_it_reconnects_stays_released(
    open_shared: OpenShared, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, fresh = connected(await open_shared(), Line(0)), Line(0)
    reached, released = asyncio.Event(), asyncio.Event()

    async def slowly(*given: Any, **details: Any) -> Line:
        reached.set()
        await released.wait()
        return fresh

    monkeypatch.setattr(DiscordWebSocket, "from_client", slowly)
    shard = client._connected[0]
    connecting = asyncio.create_task(shard.reidentify(ReconnectWebSocket(0)))
    await reached.wait()
    await client._disconnect(0)
    released.set()
    await connecting
    assert (fresh.closed, shard._task) == (RESUMABLE, None)
    reached.clear()
    await shard.reidentify(ReconnectWebSocket(0))  # as if it had waited for its turn
    await shard.reconnect()
    assert not reached.is_set()


@pytest.mark.parametrize("error", [Unavailable("it is out of reach"), Conflict("DeadlockDetectedError")])
async def test_shards_are_still_kept_after_a_store_error(
    open_shared: OpenShared, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    class Failing(SharedStore):
        again = asyncio.Event()

        async def share(self, *given: Any) -> Sharing:
            if not failures:
                self.again.set()
                return await super().share(*given)
            raise failures.pop()

    monkeypatch.setattr(sharding, "LOOK", 0.0)
    failures, store = [error], await open_shared(Failing)
    client = connected(store)
    keeping = asyncio.create_task(client._keep(store))
    await asyncio.wait_for(store.again.wait(), 1.0)
    keeping.cancel()
    await asyncio.wait([keeping])


async def test_a_new_session_is_retried_when_the_database_is_out_of_reach(
    open_shared: OpenShared, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A `TimeoutError` is raised: discord.py ends the client on errors that it doesn't know."""
    store = await open_shared()
    client = connected(store)

    async def fail(*given: Any) -> float:
        raise Unavailable("it is out of reach")

    monkeypatch.setattr(store, "reserve_turn", fail)
    with pytest.raises(TimeoutError):
        await client.before_identify_hook(0)
