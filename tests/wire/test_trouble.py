"""The tools of `trouble`, nonces and lost events, tested without the bot or with a small one."""

from __future__ import annotations

import sqlite3
import sys
import time
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio

from tests.wire.calls import Request
from tests.wire.messages import Message
from tests.wire.model import Refused
from tests.wire.places import Channel
from tests.wire.process import BotProcess
from tests.wire.rest import Rest
from tests.wire.server import WireServer
from tests.wire.trouble import change, full_disk, locked, needs_limits, outage

WRITER = """
import sys, time
while True:
    try:
        with open(sys.argv[1], "ab", buffering=0) as file:
            file.write(b"x")
        print("written", flush=True)
    except OSError as error:
        print(error.strerror, flush=True)
    time.sleep(0.01)
"""


@pytest_asyncio.fixture
async def wire() -> AsyncIterator[WireServer]:
    async with WireServer() as server:
        yield server


async def test_a_lock_prevents_writes_for_the_given_time(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    change(path, "PRAGMA journal_mode = WAL", "CREATE TABLE x (y)")
    began = time.perf_counter()
    async with locked(path, 0.3):
        with closing(sqlite3.connect(path, timeout=0.0)) as file, pytest.raises(sqlite3.OperationalError):
            file.execute("INSERT INTO x VALUES (1)")
    assert 0.3 <= time.perf_counter() - began < 1.0
    change(path, "INSERT INTO x VALUES (1)")


@needs_limits
async def test_a_simulated_full_disk_affects_the_bot_but_not_its_log(wire: WireServer, tmp_path: Path) -> None:
    target = tmp_path / "target"
    bot = BotProcess(wire, [sys.executable, "-c", WRITER, str(target)], tmp_path / "x")

    await bot.launch(room=0)
    await bot.says("File too large")
    assert target.stat().st_size == 0
    await bot.kill()
    bot.log.unlink()
    await bot.launch()
    await bot.says("written")
    with full_disk(bot):
        await bot.says("File too large")
    bot.log.write_text("")
    await bot.says("written")
    await bot.kill()


def post(wire: WireServer, nonce: str | None, channel: Channel | None = None) -> Message:
    """Post a message as the bot. Returns the message that the bot gets."""
    where = channel or wire.world.table
    extra = {} if nonce is None else {"nonce": nonce, "enforce_nonce": True}
    call = Request("POST", "", 0.0, json={"content": "x", **extra})
    return wire.world.messages[int(Rest(wire.world, str).post_message(call, str(where.id))["id"])]


async def test_the_same_nonce_returns_the_same_message_for_some_minutes() -> None:
    now = [1_800_000_000.0]
    wire = WireServer(clock=lambda: now[0])
    dm = wire.world.dm(wire.users[0])
    first, private = post(wire, "a"), post(wire, "a", dm)
    assert post(wire, None) is not post(wire, None)
    assert first is post(wire, "a") is not private
    assert post(wire, "a", dm) is private
    assert post(wire, "b") is not first
    now[0] += 301
    second = post(wire, "a")
    assert second is not first
    second.deleted = True  # what was sent already isn't sent again, even if it was deleted
    with pytest.raises(Refused, match="10008"):
        post(wire, "a")
    now[0] += 301
    assert not post(wire, "a").deleted
    with pytest.raises(Refused, match="50035"):
        post(wire, "n" * 26)


async def test_an_outage_ends_by_itself(wire: WireServer) -> None:
    async with aiohttp.ClientSession() as session:

        async def ask(wait: float = 5.0) -> int:
            timeout = aiohttp.ClientTimeout(total=wait)
            async with session.post(f"{wire.rest_base}/users/@me/channels", timeout=timeout) as answer:
                return answer.status

        async with outage(wire, 0.2, "503"):
            assert await ask() == 503
            assert await ask() == 503
        assert await ask() == 401
        async with outage(wire, 0.2, "reset", "^POST"):
            with pytest.raises(aiohttp.ClientError):
                await ask()
        async with outage(wire, 0.2, "hang"):
            with pytest.raises(TimeoutError):
                await ask(0.1)
        await wire.settled(within=2.0)  # no one waits for that request anymore
        assert await ask() == 401


async def test_a_fault_can_target_a_certain_request(wire: WireServer) -> None:
    fault = wire.fault("POST", 500, about='"b"', skip=1)
    calls = [Request("POST", "/x", 0.0, json=text) for text in ("a", "b", "c", "b", "b")]
    assert [fault.takes(call) for call in calls] == [False, False, False, True, False]
    known = wire.fault("PATCH", code=50027)
    assert (known.status, known.message) == (401, "Invalid Webhook Token")


async def test_an_event_can_be_lost(tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "tests.wire.sample_bot"]
    async with WireServer() as wire, BotProcess(wire, argv, tmp_path / "x") as bot:
        await bot.start()
        wire.gateway.losing = 1
        lost = await wire.users[0].slash("build road", {"place": "c4"}, wait=False)
        it = await wire.users[0].slash("build road", {"place": "c4"})
        assert (lost.callback, it.text) == (None, "1 road at c4")
