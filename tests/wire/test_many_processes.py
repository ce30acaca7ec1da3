"""Several processes on one PostgreSQL: any of them plays any game, and any of them can die."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections import Counter
from pathlib import Path

import pytest

from bot.store import open_store
from bot.table.options import DAY, DECIDE
from engine.actions import DecideFor
from tests.bot.store.behind import hasten
from tests.postgres import NewDatabase
from tests.wire.cluster import Cluster, cluster
from tests.wire.forms import set_options


async def begin(table: Cluster) -> None:
    """Deal a game on each shard, one after another, so that their numbers follow the shards."""
    for party in table.parties:
        await party.begin(target=6)


async def check(table: Cluster) -> None:
    """Check that every panel is right, every record was made once, and no process logged an error."""
    for party in table.parties:
        await party.panel_current(60.0)
        (await party.read()).check_once(party.delivered)
    for bot in table.bots:
        text = bot.log.read_text()
        assert "Traceback" not in text, text[-3000:]


@pytest.mark.soak
async def test_processes_divide_the_shards_and_take_over_those_of_a_dead_process(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    rng = random.Random(1)
    async with cluster(tmp_path, new_database(), processes=3, shards=4) as table:
        await table.launch()
        gaps = [b - a for a, b in itertools.pairwise(table.wire.gateway.identified)]
        assert min(gaps) >= 5.0, gaps
        await begin(table)
        for _ in range(6):
            for party in table.parties:
                await party.step()
        dead = table.bots[rng.randrange(3)]
        await dead.kill()
        assert await table.whole(30.0) < 30.0
        for _ in range(4):
            for party in table.parties:
                await party.step()
        await check(table)


async def test_a_rolling_restart_loses_no_click(tmp_path: Path, new_database: NewDatabase) -> None:
    async with cluster(tmp_path, new_database(), processes=2, shards=2) as table:
        await table.launch()
        await begin(table)
        for bot in table.bots:
            stopping = asyncio.create_task(bot.stop(20.0))
            for party in table.parties:
                for _ in range(3):
                    await party.step()
            assert await stopping == 0
            bot.log.unlink()
            await bot.launch()
            await bot.says("RESUMED")  # it has its share
            for party in table.parties:
                await party.step()
        await check(table)
        late = [it for it in table.wire.world.interactions.values() if it.kind != 4 and not it.callback]
        assert late == []


@pytest.mark.soak
async def test_reminders_and_expiries_happen_once_even_if_a_process_dies(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    """No one acts. Both processes look for what is due, and in the end the remaining one does. People who are awaited
    in games of several servers get one reminder in each."""
    async with cluster(tmp_path, new_database(), processes=2, shards=1, games=3) as table:
        await table.launch()
        store = await open_store(table.bots[0].address)
        for party in table.parties:
            await party.gather()
            host = party.people[0]
            await set_options(party, pace=86_400, expiry=DECIDE)
            await host.click(await party.panel(), label="Start")
            await party.settled(1)

        def reminders() -> Counter[int]:
            return Counter(ping.user.id for ping in table.wire.world.pings if "⏰" in ping.message.text)

        tables = [await party.read() for party in table.parties]
        once = Counter(
            stored.table.user_at(stored.game(), wait.seat) for stored in tables for wait in stored.table.waits
        )
        await hasten(store, DAY / 8 + 60)
        await table.wire.until(lambda: reminders().total() == once.total(), 30.0, what="somebody is not reminded")
        first, left = sorted(table.bots, key=lambda bot: "has connected to Gateway" not in bot.log.read_text())
        await first.kill()
        await left.says("RESUMED", 40.0)  # what ends before that, or soon after, begins again
        await asyncio.sleep(4.0)
        assert reminders() == once
        [wait] = (await table.parties[0].read()).table.waits
        assert wait.until is not None
        await hasten(store, wait.until - time.time() - 40)
        for party in table.parties:
            await party.settled(within=40.0)  # no one's time is over until the new deadline is shown
        for party in table.parties:
            await party.stored(3, 60.0)
            await party.panel_current(60.0)
            game = await party.game()
            late = [record.action.seat for record in game.records[1:] if isinstance(record.action, DecideFor)]
            assert late == [late[0]] * 2, "a settlement and its road"
            assert game.revision == 3
        await store.close()
        text = "".join(bot.log.read_text() for bot in table.bots)
        assert "Traceback" not in text, text[-3000:]
