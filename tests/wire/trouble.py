"""Trouble around the bot: a locked file, a full disk, an outage of Discord.

async with locked(bot.database, 8):
    ...
with full_disk(bot):
    ...
async with outage(wire, 20, "500"):
    ...
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

import pytest

from bot.discord.context import CLOCKS_APART
from tests.wire.faults import Fault
from tests.wire.process import BotProcess
from tests.wire.server import WireServer

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

needs_limits = pytest.mark.skipif(
    not hasattr(resource, "prlimit"), reason="a full disk is made by prlimit, which is Linux's"
)
"""For tests with a full disk."""


async def until_stored(database: Path, revision: int, within: float = 5.0) -> None:
    """Wait until the first game has this many records. Returns within a millisecond or so, unlike `Party.stored`."""
    end = time.perf_counter() + within
    with closing(sqlite3.connect(database)) as file:
        while file.execute("SELECT count(*) FROM records WHERE game = 1").fetchone()[0] < revision:
            if time.perf_counter() > end:
                raise TimeoutError(f"record {revision} isn't stored")
            await asyncio.sleep(0.001)


@asynccontextmanager
async def locked(database: Path, seconds: float) -> AsyncIterator[None]:
    """Hold SQLite's write lock for so many seconds from the start of the block. The end of the block waits for it."""

    def hold() -> None:
        with closing(sqlite3.connect(database, timeout=5.0, isolation_level=None)) as file:
            file.execute("BEGIN IMMEDIATE")
            loop.call_soon_threadsafe(held.set_result, None)
            time.sleep(seconds)
            file.execute("ROLLBACK")

    loop = asyncio.get_running_loop()
    held: asyncio.Future[None] = loop.create_future()
    holding = asyncio.create_task(asyncio.to_thread(hold))
    await asyncio.wait({held, holding}, return_when=asyncio.FIRST_COMPLETED)
    try:
        yield
    finally:
        await holding


def change(database: Path, *statements: str) -> None:
    """Change a bot's file without telling the bot."""
    with closing(sqlite3.connect(database, timeout=5.0, isolation_level=None)) as file:
        for statement in statements:
            file.execute(statement)


@contextmanager
def full_disk(bot: BotProcess, room: int = 0) -> Iterator[None]:
    """Let the bot write no file beyond `room` bytes: "File too large" for the bot, an I/O error for SQLite.

    At the end of the block it can write again, if it is alive. `BotProcess.launch(room=0)` starts a bot in this state.
    """
    pid, unlimited = bot.pid, resource.prlimit(bot.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (room, unlimited[1]))
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)


def no_first_answers(wire: WireServer) -> Fault:
    """Lose all first answers that say something: what people do is acknowledged, and the rest comes by its token."""
    return wire.fault("/callback$", about=r'"type": (4|7)', cut=True, times=1_000_000)


async def settle_in(wire: WireServer) -> None:
    """Wait until nothing that people do can be from before the bot's start."""
    await asyncio.sleep(CLOCKS_APART + 0.6)
    wire.requests.clear()


HANG = 60.0
"""Seconds without an answer."""


@asynccontextmanager
async def outage(wire: WireServer, seconds: float, kind: str, where: str = "") -> AsyncIterator[Fault]:
    """Spoil all requests (that match the regular expression) for so many seconds. The end of the block waits for that.

    `kind`: a status such as "500"; "reset": the connection is cut; "hang": no answer for `HANG` seconds; "garbled":
    what claims to be JSON is none.
    """
    if kind == "reset":
        fault = wire.fault(where, cut=True, times=1_000_000, seconds=seconds)
    elif kind == "hang":
        fault = wire.fault(where, cut=True, times=1_000_000, seconds=seconds, delay=HANG)
    elif kind == "garbled":
        fault = wire.fault(where, 200, times=1_000_000, seconds=seconds, body="<html>")
    else:
        fault = wire.fault(where, int(kind), times=1_000_000, seconds=seconds)
    end = time.perf_counter() + seconds
    try:
        yield fault
        await asyncio.sleep(max(0.0, end - time.perf_counter()))
    finally:
        wire.faults.remove(fault)


@asynccontextmanager
async def blackout(wire: WireServer, seconds: float, kind: str, *, forgotten: bool = True) -> AsyncIterator[None]:
    """Close the gateway, cut its connections, and spoil all requests for so many seconds (`outage`). `forgotten`: no
    session can be resumed afterward."""
    gateway = wire.gateway
    gateway.open = False
    gateway.cut()
    for session in gateway.sessions if forgotten else ():
        session.over = True
    try:
        async with outage(wire, seconds, kind):
            yield
    finally:
        gateway.open = True
