"""Nobody's time runs out while Discord gives errors: at the shortest pace, over sockets and in real time."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest

from tests.wire.party import Party, party
from tests.wire.trouble import outage

PACE = 120.0


async def decided(table: Party) -> int:
    """How often something was decided for somebody."""
    return sum("decide" in json.dumps(record["do"]) for record in (await table.read()).records[1:])


@pytest.mark.soak
@pytest.mark.parametrize(("before", "seconds"), [(30.0, 260.0), (110.0, 40.0)])
async def test_whose_time_ends_in_an_outage_has_it_anew(tmp_path: Path, before: float, seconds: float) -> None:
    async with party(tmp_path, 5) as table:
        table.suggested = frozenset()
        await table.gather()
        await table.people[0].slash(table.channel, "game pace", time="2 minutes", over="decide")
        await table.people[0].click(await table.panel(), label="Start")
        await table.quiet(1)
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
