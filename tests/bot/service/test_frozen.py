"""A process that stood still took no clicks, so no one's time is over because of it."""

from __future__ import annotations

import asyncio

import pytest

from bot.service import waiting
from bot.service.reach import LONG_OUTAGE, TICK, Frozen
from bot.store import Unavailable
from bot.table.table import Table
from tests.bot.playground import Playground
from tests.bot.service.tables import HOUR, paced


@pytest.mark.parametrize(("still", "noted"), [(LONG_OUTAGE + 1, True), (LONG_OUTAGE - 1, False)])
@pytest.mark.parametrize("by", ["tick", "check"])
async def test_games_count_as_out_of_reach_after_the_process_stood_still_for_long(
    ground: Playground, still: float, noted: bool, by: str
) -> None:
    table, steady, doing = await paced(ground), [100.0], list[asyncio.Task[None]]()
    frozen = Frozen(ground.services.reach, lambda: steady[0], lambda work: doing.append(asyncio.create_task(work())))
    frozen.start()
    try:
        steady[0] += TICK
        await frozen.check()
        assert await ground.store.unseen(table.number) == 0
        frozen._tick()
        steady[0] += still
        if by == "check":  # before anything that is due is done
            await frozen.check()
        else:
            frozen._tick()
            await asyncio.gather(*doing)
        assert (await ground.store.unseen(table.number) > 0) == noted
    finally:
        frozen.stop()


async def test_no_one_is_late_if_the_process_stood_still_just_when_their_time_was_over(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had asked Discord whether the game can be reached, and goes on with the answer."""
    table = await paced(ground)
    monkeypatch.setattr(waiting, "LONG_OUTAGE", 0.05)

    async def probe(_table: Table) -> bool:
        await asyncio.sleep(0.1)
        return True

    ground.services.reach.probe_by(probe)
    ground.clock += HOUR
    with pytest.raises(Unavailable):
        await ground.services.timekeeper.look(table.number)
    assert not (await ground.table(table.number)).missed
