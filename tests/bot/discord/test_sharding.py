"""How a process connects its shards, and hands them over."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import time
import zlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.discord import connecting, sharding
from bot.discord import shard as held
from bot.discord.shard import RESUMABLE, HeldShard
from bot.discord.sharding import ShardedClient
from bot.discord.show.channels import Backoff
from bot.metrics import Metrics
from bot.service.shards import ShardMoves, shard_moves
from bot.store import Conflict, Unavailable
from bot.store.base import Sharing
from bot.tasks import Shielded
from tests.bot.conftest import OpenShared
from tests.bot.store.shared import SharedStore

LIMIT = {"total": 1000, "remaining": 900, "reset_after": 0, "max_concurrency": 1}


class TellingStore(SharedStore):
    """A store that tells another process immediately, and keeps what that process would do then."""

    other: SharedStore
    found: list[ShardMoves]

    async def tell(self, words: str) -> None:
        sharing = await self.other.share(100.0, 115.0, {})
        self.found.append(shard_moves(sharing, range(2), fixed=False))


class Line:
    """A connection to the gateway, with only what a shard needs of it. After one event it ends by `ends`, or never."""

    def __init__(self, shard_id: int, goodbye: asyncio.Barrier | None = None, ends: Exception | None = None) -> None:
        self.shard_id, self.goodbye, self.ends = shard_id, goodbye, ends
        self.session_id: str | None = "s"
        self.sequence, self.gateway, self.open = 1, "wss://gateway.example", True
        self.closed: int | None = None
        self.read = 0

    async def close(self, code: int) -> None:
        self.closed, self.open = code, False
        if self.goodbye is not None:
            await self.goodbye.wait()

    async def poll_event(self) -> None:
        self.read += 1
        if self.read == 1:
            return
        if self.ends is None:
            await asyncio.Future[None]()
        elif not getattr(self.ends, "resume", True):
            self.session_id = None
        assert self.ends is not None
        raise self.ends


def connected(store: SharedStore, *lines: Line) -> Any:
    """A client that holds the shards of these lines."""
    client: Any = ShardedClient(lambda: 100.0, Metrics(), shards=None, of=2, intents=discord.Intents.none())
    client._connection.shard_count = client.shard_count = 2
    client._reconnect = True  # as `connect` sets it
    client.loop, client._AutoShardedClient__queue = asyncio.get_running_loop(), asyncio.Queue()
    client.share_through(store)
    client._until = 115.0
    for line in lines:
        ws: Any = line
        client._mine.add(line.shard_id)
        client._connected[line.shard_id] = HeldShard(ws, client, client, client._event)
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
    assert leaving.found == [ShardMoves(take=(0,))]


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
    client._shard_numbers = range(2)
    client._keepers.append(asyncio.create_task(client._keep(store)))
    await store.reached.wait()
    leaving = asyncio.create_task(client.leave_shards())
    await asyncio.wait([leaving], timeout=0.05)
    store.released.set()
    await leaving
    await store.done.wait()
    assert (await other.share(100.0, 115.0, {})).shards == {}


async def test_a_process_that_stops_as_it_hears_of_shards_to_take_stops(open_shared: OpenShared) -> None:
    """The keeper had just finished a round, and was waiting for what had already come."""

    class SlowStore(SharedStore):
        reached, released = asyncio.Event(), asyncio.Event()

        async def share(self, *given: Any) -> Sharing:
            self.reached.set()
            await self.released.wait()
            return await super().share(*given)

    store = await open_shared(SlowStore)
    client = connected(store)
    client._shard_numbers = range(2)
    client._keepers.append(asyncio.create_task(client._keep(store)))
    await store.reached.wait()
    leaving = asyncio.create_task(client.leave_shards())
    await asyncio.sleep(0)
    client._look.set()
    store.released.set()
    async with asyncio.timeout(1.0):
        await leaving


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
    client, fresh = connected(await open_shared(), Line(0, ends=ReconnectWebSocket(0))), Line(0)
    reached, released = asyncio.Event(), asyncio.Event()

    async def slowly(*given: Any, **details: Any) -> Line:
        reached.set()
        await released.wait()
        return fresh

    monkeypatch.setattr(DiscordWebSocket, "from_client", slowly)
    client._connected[0].launch()
    await reached.wait()
    await client._disconnect(0)
    released.set()
    await settle(lambda: fresh.closed)
    assert fresh.closed == RESUMABLE
    assert client._connected == {}


@pytest.mark.parametrize("left", [True, False])
async def test_a_session_is_not_resumed_if_its_shard_went_while_the_connection_was_opened(
    open_shared: OpenShared, monkeypatch: pytest.MonkeyPatch, left: bool
) -> None:
    """The process has stood still between opening the connection and Discord's first word."""
    client, fresh = connected(await open_shared(), Line(0, ends=ReconnectWebSocket(0))), Line(0)
    reached, released, resumed = asyncio.Event(), asyncio.Event(), list[Line]()

    async def slowly(*given: Any, **details: Any) -> Line:
        reached.set()
        await released.wait()
        await held.Socket._check_needed(fresh)  # type: ignore[arg-type]
        resumed.append(fresh)
        return fresh

    monkeypatch.setattr(DiscordWebSocket, "from_client", slowly)
    client._connected[0].launch()
    await reached.wait()
    if left:
        await client._disconnect(0)
    else:
        client._until = 99.0
    released.set()
    await settle(lambda: fresh.closed)
    assert fresh.closed == RESUMABLE
    assert not resumed


def not_found() -> Exception:
    """What discord.py makes of whatever Discord answers when asked about the gateway."""
    return discord.GatewayNotFound()  # type: ignore[no-untyped-call]


class Attempts:
    """What comes of each attempt to connect: an error, or a connection."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *outcomes: Exception | Line) -> None:
        self.outcomes, self.made = list(outcomes), list[dict[str, Any]]()
        monkeypatch.setattr(DiscordWebSocket, "from_client", self.attempt)
        for module in (held, connecting):
            monkeypatch.setattr(module, "RETRY", Backoff((0.0,)))

    async def attempt(self, client: Any, **details: Any) -> Any:
        """What discord.py does to connect."""
        self.made.append(details)
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


async def settle(condition: Callable[[], object]) -> None:
    """Wait until a condition is true."""
    for _ in range(2000):
        if condition():
            return
        await asyncio.sleep(0.001)
    raise TimeoutError


async def test_a_session_is_resumed_whatever_error_the_attempts_end_with(
    open_shared: OpenShared, monkeypatch: pytest.MonkeyPatch
) -> None:
    line, fresh = Line(0, ends=zlib.error("the stream is broken")), Line(0)
    errors = (
        *(socket.gaierror("no such host"), ConnectionRefusedError(), TimeoutError(), ssl.SSLError(), KeyError("url")),
        *(
            not_found(),
            ReconnectWebSocket(0),
            aiohttp.ClientPayloadError(),
            json.JSONDecodeError("", "", 0),
        ),
    )
    attempts = Attempts(monkeypatch, *errors, fresh)
    client = connected(await open_shared(), line)
    client._connected[0].launch()
    await settle(lambda: client._connected[0].ws is fresh)
    assert all(made["resume"] and made["session"] == "s" for made in attempts.made)
    addresses = [made.get("gateway") for made in attempts.made]  # the session's can be gone for good
    assert addresses == [yarl.URL(line.gateway), None] * 5
    assert line.closed == RESUMABLE


async def test_a_process_that_stood_still_resumes_no_session_that_another_one_might_have(
    open_shared: OpenShared, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That one would hear nothing anymore, although its heartbeats are answered."""
    line, fresh = Line(0, ends=ReconnectWebSocket(0)), Line(0)
    attempts = Attempts(monkeypatch, fresh)
    monkeypatch.setattr(held, "LOOK_AGAIN", 0.001)
    client = connected(await open_shared(), line)
    client._until = 99.0
    client._connected[0].launch()
    await settle(lambda: line.closed)
    await asyncio.sleep(0.02)
    assert not attempts.made
    client._until = 115.0  # it has kept its shards
    await settle(lambda: client._connected[0].ws is fresh)


async def test_a_session_that_discord_has_ended_is_followed_by_a_new_one(
    open_shared: OpenShared, monkeypatch: pytest.MonkeyPatch
) -> None:
    line, fresh, store = Line(0, ends=ReconnectWebSocket(0, resume=False)), Line(0), await open_shared()
    attempts = Attempts(monkeypatch, not_found(), fresh)
    client = connected(store, line)
    answers: list[Any] = [
        not_found(),
        {"shards": 2},
        "<html>",
        *[{"shards": 2, "url": "", "session_start_limit": LIMIT}] * 2,
    ]

    async def asked(route: Any) -> Any:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    client.http.request = asked
    monkeypatch.setattr(connecting, "SESSIONS_APART", 0.0)
    task = asyncio.create_task(client._connect())
    client._connected[0].launch()
    await settle(lambda: client._connected[0].ws is fresh)
    assert ["session" in made for made in attempts.made] == [False, False]
    task.cancel()


async def test_sessions_that_end_before_they_begin_follow_each_other_ever_more_slowly(
    open_shared: OpenShared, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, waits = connected(await open_shared()), list[float]()
    monkeypatch.setattr(client, "_connect_in", lambda seconds, shard: waits.append(seconds))
    for began in (True, False, False, False, False, False, False, True):
        client.renew(0, began)
    assert waits == [0.0, 5.0, 10.0, 20.0, 40.0, 80.0, 80.0, 0.0]


async def test_a_refused_token_is_believed_after_a_minute_of_refusals(
    open_shared: OpenShared, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, now = connected(await open_shared()), [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    answer: Any = SimpleNamespace(status=401, reason="Unauthorized")
    refused = discord.HTTPException(answer, "401: Unauthorized")
    for error in (refused, TimeoutError(), refused):
        assert client.failed(None, error, 1) == 1.0
        now[0] += 59.0
    client.failed(None, refused, 1)
    now[0] += 1.0
    with pytest.raises(discord.LoginFailure):
        client.failed(None, refused, 1)


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

    monkeypatch.setattr(sharding, "LOOK_AT_SHARDS", 0.0)
    failures, store = [error], await open_shared(Failing)
    client = connected(store)
    keeping = asyncio.create_task(client._keep(store))
    await asyncio.wait_for(store.again.wait(), 1.0)
    keeping.cancel()
    await asyncio.wait([keeping])


async def test_an_event_that_cant_be_read_is_counted_and_explained_once(
    open_shared: OpenShared, caplog: pytest.LogCaptureFixture
) -> None:
    client = connected(await open_shared())
    for event in ("THREAD_UPDATE", "THREAD_UPDATE", "SOMETHING_NEW"):
        client.unread(event, KeyError("guild_id"))
    assert [bool(record.exc_info) for record in caplog.records if record.levelname == "ERROR"] == [True, False, True]
    counted = {
        sample.labels["event"]: sample.value
        for family in client.metrics.unreadable.collect()
        for sample in family.samples
        if sample.name.endswith("_total")
    }
    assert counted == {"THREAD_UPDATE": 2.0, "other": 1.0}
