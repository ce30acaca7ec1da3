"""No one's time runs out while Discord answers with errors: at the shortest pace, over sockets and in real time."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from tests.wire.paced import decided, paced
from tests.wire.party import party
from tests.wire.trouble import outage

PACE = 120.0


@pytest.mark.soak
@pytest.mark.parametrize(("before", "seconds"), [(30.0, 260.0), (110.0, 40.0)])
async def test_a_player_whose_time_ends_during_an_outage_gets_more_time(
    tmp_path: Path, before: float, seconds: float
) -> None:
    async with party(tmp_path, 5, limits=True) as table:
        await paced(table)
        await asyncio.sleep(before)
        async with outage(table.wire, seconds, "500"):
            pass
        back = time.perf_counter()
        assert await decided(table) == 0
        while await decided(table) == 0:
            assert time.perf_counter() < back + 2 * PACE + 60
            await asyncio.sleep(1.0)
        print(f"decided {time.perf_counter() - back:.0f} s after the outage's end")
        assert time.perf_counter() > back + PACE / 2


@pytest.mark.soak
async def test_a_check_that_succeeds_at_the_second_attempt_detects_an_outage(tmp_path: Path) -> None:
    async with party(tmp_path, 5, limits=True) as table:
        [end] = await paced(table)
        await asyncio.sleep(end - 40 - time.time())
        async with outage(table.wire, 43.0, "500"):  # nothing is due and no one clicks during it
            pass
        await asyncio.sleep(15.0)
        assert await decided(table) == 0


@pytest.mark.soak
async def test_no_players_time_runs_out_while_harbormaster_is_suspended(tmp_path: Path) -> None:
    async with party(tmp_path, 5, limits=True) as table:
        [end] = await paced(table)
        await asyncio.sleep(end - 30 - time.time())
        os.kill(table.bot.pid, signal.SIGSTOP)
        await asyncio.sleep(end + 10 - time.time())
        os.kill(table.bot.pid, signal.SIGCONT)
        await asyncio.sleep(10.0)
        assert await decided(table) == 0
        assert (await table.read()).table.missed == ()
