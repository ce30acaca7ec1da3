"""Several processes under load, and all that can happen to them. Nothing people were told is lost, and all recovers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.wire.chaos import Chaos, chaos

Record = Callable[[str, object], None]
KILLS = 50
STANDSTILLS = (2.0, 8.0, 14.0, 16.0, 20.0, 30.0, 45.0, 16.0, 20.0, 30.0)
"""Seconds for which a process stands still. After 15 others take what it holds."""

DOWN = (0.0, 3.0, 10.0, 25.0)
"""Seconds for which the database is stopped."""
HANGS, CUTS = (1.0, 4.0, 12.0, 30.0), 5
"""Seconds for which the connections to the database hang, and how often they are cut."""


async def restart(table: Chaos, mode: str, down: float) -> None:
    """Stop the database, and start it again after `down` seconds."""
    await asyncio.to_thread(table.server.stop, mode)
    await asyncio.sleep(down)
    await asyncio.to_thread(table.server.start)


async def hang(table: Chaos, seconds: float) -> None:
    """Let the line to the database hang for so many seconds."""
    table.line.freeze()
    await asyncio.sleep(seconds)
    table.line.thaw()


@pytest.mark.soak
async def test_a_database_that_hangs_disconnects_and_restarts_loses_nothing(
    tmp_path: Path, record_property: Record
) -> None:
    async with chaos(tmp_path, processes=2, shards=1, games=3, seed=1) as table:
        async with table.load():
            await asyncio.sleep(1.0)
            await hang(table, 2.0)
            table.line.cut()
            await asyncio.sleep(1.0)
            await restart(table, "immediate", 1.0)
            await table.recovered()
        record_property("failures of the database", 3)
        record_property("actions answered, and found in the store", await table.check())


@pytest.mark.soak
async def test_processes_killed_repeatedly_lose_nothing(tmp_path: Path, record_property: Record) -> None:
    async with chaos(tmp_path, processes=4, shards=4, games=3, seed=2) as table:
        async with table.load():
            for _ in range(KILLS):
                await asyncio.sleep(table.rng.uniform(1.0, 4.0))
                table.kill()
                await asyncio.sleep(table.rng.uniform(0.0, 2.0))
                await table.recovered()
        record_property("kills", KILLS)
        record_property("actions answered, and found in the store", await table.check())


@pytest.mark.soak
async def test_processes_that_stand_still_beyond_their_leases_lose_nothing(
    tmp_path: Path, record_property: Record
) -> None:
    async with chaos(tmp_path, processes=4, shards=4, games=3, seed=5) as table:
        async with table.load():
            for seconds in STANDSTILLS:
                await asyncio.sleep(table.rng.uniform(1.0, 4.0))
                await table.stand_still(seconds)
                await table.recovered()
        table.excuse_old_files()
        record_property("standstills", len(STANDSTILLS))
        record_property("actions answered, and found in the store", await table.check())


@pytest.mark.soak
@pytest.mark.parametrize("mode", ["fast", "immediate"])
async def test_a_database_stopped_and_started_loses_nothing(tmp_path: Path, record_property: Record, mode: str) -> None:
    async with chaos(tmp_path, processes=4, shards=4, games=3, seed=3) as table:
        async with table.load():
            for down in DOWN:
                await asyncio.sleep(table.rng.uniform(2.0, 4.0))
                await restart(table, mode, down)
                await asyncio.sleep(1.0)
                await table.recovered()
        record_property("stops of the database", len(DOWN))
        record_property("actions answered, and found in the store", await table.check())


@pytest.mark.soak
async def test_a_database_connection_that_hangs_breaks_or_is_slow_loses_nothing(
    tmp_path: Path, record_property: Record
) -> None:
    async with chaos(tmp_path, processes=4, shards=4, games=3, seed=4) as table:
        async with table.load():
            for seconds in HANGS:
                await asyncio.sleep(table.rng.uniform(2.0, 4.0))
                await hang(table, seconds)
                await asyncio.sleep(1.0)
                await table.recovered()
            for _ in range(CUTS):
                await asyncio.sleep(table.rng.uniform(1.0, 2.0))
                table.line.cut()
                await asyncio.sleep(0.5)
                await table.recovered()
            table.line.delay = 0.1
            await asyncio.sleep(10.0)
            table.kill()
            await asyncio.sleep(5.0)
            table.line.delay = 0.0
            await table.recovered()
        record_property("failures of the database's connections", len(HANGS) + CUTS)
        record_property("actions answered, and found in the store", await table.check())
