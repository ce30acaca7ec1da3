"""The clock of one of several processes goes wrong. It hands on its shards and ends, and no one's time changes."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest

from tests.postgres import NewDatabase
from tests.wire.clocks import with_clock
from tests.wire.cluster import cluster
from tests.wire.paced import paced


@pytest.mark.soak
@pytest.mark.parametrize(("off", "steady"), [(300.0, False), (-300.0, False), (300.0, True), (-300.0, True)])
async def test_a_process_whose_clock_is_changed_hands_over_its_shards_and_ends(
    tmp_path: Path, new_database: NewDatabase, off: float, steady: bool
) -> None:
    async with cluster(tmp_path, new_database(), processes=2, shards=2) as table:
        wrong = tmp_path / "clock"
        table.bots[0].argv = list(with_clock(wrong, steady=steady))
        await table.launch()
        before = await paced(*table.parties)
        wrong.write_text(str(off))
        began = time.perf_counter()
        for party in table.parties:  # clicks go on meanwhile
            person, action = await party.choose()
            await party.do_and_forget(person, action)
        assert await table.bots[0].ended(30.0) == 70
        print(f"ended after {time.perf_counter() - began:.1f} s")
        assert await table.whole(30.0) < 30.0
        assert "clock" in table.bots[0].log.read_text()
        await asyncio.sleep(3.0)
        for party, was in zip(table.parties, before, strict=True):
            stored = await party.read()
            assert not [record for record in stored.records[1:] if "decide" in json.dumps(record["do"])]
            [wait] = stored.table.waits
            assert wait.until is not None
            assert wait.until == pytest.approx(was, abs=60.0), "nobody's time was moved"
            await party.panel_current(60.0)
        await table.bots[0].launch()  # it refuses to start with such a clock
        assert await table.bots[0].ended(30.0) == 1
        wrong.write_text("0")
        table.bots[0].log.unlink()
        await table.bots[0].launch()
        await table.bots[0].says("RESUMED")
        for party in table.parties:
            await party.step()
