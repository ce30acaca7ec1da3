"""What one process has seen of an outage is stored, so every other process knows it, even one that starts later."""

from __future__ import annotations

import pytest

from bot.service import Services
from bot.store import Unavailable
from tests.bot.playground import Playground, do_due
from tests.bot.service.tables import HOUR, paced


@pytest.mark.on_databases
@pytest.mark.parametrize("everywhere", [False, True])
async def test_a_process_takes_into_account_an_outage_seen_by_another(
    ground: Playground, other: Services, everywhere: bool
) -> None:
    table = await paced(ground)
    ground.clock += HOUR - 30
    await ground.services.reach.lost(None if everywhere else table.number)
    before = await ground.revision(table.number)
    ground.clock += 60
    await do_due(other)
    assert await ground.revision(table.number) == before
    ground.clock += HOUR + 60
    await do_due(other)
    assert await ground.revision(table.number) > before, "it was over the second time"


async def test_an_outage_that_could_not_be_stored_is_stored_before_time_runs_out(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await paced(ground)

    async def away(*_: object) -> None:
        raise Unavailable("it is locked")

    with monkeypatch.context() as patch:
        patch.setattr(ground.store, "lost", away)
        await ground.services.reach.lost_all()
        with pytest.raises(Unavailable):
            await ground.services.reach.last(table.number)
        ground.clock -= HOUR
    assert 0 < await ground.services.reach.last(table.number) <= ground.clock, "the clock was set back"


@pytest.mark.on_databases
async def test_stored_outages_move_when_the_clock_is_set(ground: Playground) -> None:
    table = await paced(ground)
    for number in (table.number, None):
        await ground.services.reach.lost(number)
    before = await ground.store.unseen(table.number)
    await ground.store.move(500.0, ground.clock)
    assert await ground.store.unseen(table.number) == before + 500.0
