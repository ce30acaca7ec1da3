"""Windows with a deadline in the service (L8): not shortened by absence, told of to all.

`tests/bot/table/test_windows.py` tests their rules.
"""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from bot.export import dump, load, verified
from bot.projections import PANEL, TROUBLE
from bot.service import clock
from bot.table.options import DAY
from bot.table.table import Table
from bot.words.proof import verification_lines
from engine.actions import AgreeToEnd
from tests.bot.noted import noted
from tests.bot.playground import ANN, Playground
from tests.bot.service.tables import time_up, window


async def taken_up(ground: Playground, table: Table) -> Table:
    """Start and stop the service's clock. Returns the table afterward."""
    await ground.services.clock.start()
    await ground.services.clock.close()
    return await ground.table(table.number)


@pytest.mark.on_databases
async def test_a_window_does_not_end_while_the_game_cannot_be_shown(ground: Playground) -> None:
    table, game = await window(ground)
    limit = table.deadline
    assert limit is not None
    await ground.services.projections.note(table.number, [noted(PANEL, table.version, 50, 4)])
    await ground.services.projections.note(table.number, [noted(TROUBLE, table.version, 77, 5)])
    ground.clock = limit.at
    assert await time_up(ground, table.number) is None
    await ground.kill()
    later = (await ground.table(table.number)).deadline
    assert later is not None
    assert later.serial == limit.serial
    assert later.at == pytest.approx(limit.at + 300, abs=10)
    assert await ground.store.next_job(0.0) == later.at
    marks = await ground.services.projections.visible(table.number)
    assert marks[PANEL].pending
    await ground.services.projections.note(table.number, gone=[TROUBLE])
    ground.clock = later.at
    assert await time_up(ground, table.number) is not None
    assert await ground.revision(table.number) == game.revision + 1


@pytest.mark.on_databases
async def test_downtime_extends_the_deadline_of_a_window(ground: Playground) -> None:
    table, _ = await window(ground)
    limit = table.deadline
    assert limit is not None
    ground.clock = table.updated + 100
    await ground.store.alive(ground.now())
    last_alive = ground.clock
    await ground.kill()
    ground.clock = last_alive + 5000
    woken = await taken_up(ground, table)
    assert woken.deadline is not None
    assert woken.deadline.serial == limit.serial
    assert woken.deadline.at == pytest.approx(limit.at + 5001)
    assert woken.version == table.version + 1
    assert table.number in await ground.services.projections.pending()
    assert (await ground.services.projections.visible(table.number))[PANEL].pending


@pytest.mark.on_databases
async def test_downtime_counts_from_the_last_action_if_there_was_no_sign_of_life(ground: Playground) -> None:
    table, _ = await window(ground)
    assert table.deadline is not None
    await ground.kill()
    ground.clock = table.deadline.at + 9000
    woken = await taken_up(ground, table)
    assert woken.deadline is not None
    assert woken.deadline.at - ground.clock == pytest.approx(300, abs=30)


async def test_all_subscribers_are_told_when_the_clock_ends_a_window(ground: Playground) -> None:
    table, game = await window(ground)
    assert table.deadline is not None
    await ground.store.alive(table.deadline.at)
    ground.clock = table.deadline.at
    notices: list[tuple[str, Table]] = []

    def hear(name: str, table: Table) -> None:
        notices.append((name, table))

    for name in ("one", "two"):
        ground.services.repository.subscribe(partial(hear, name))
    await ground.services.clock.start()
    await asyncio.sleep(0.1)
    await ground.services.clock.close()
    table = await ground.table(table.number)
    assert notices == [(name, table) for name in ("one", "two")]
    assert (await ground.game(table.number)).revision == game.revision + 1
    assert table.deadline is None


async def test_subscribers_are_told_of_an_unused_table_that_the_clock_changes(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await ground.lobby(ANN)
    ground.clock += 3 * DAY
    await ground.store.alive(ground.clock)
    monkeypatch.setattr(clock, "PUT_AWAY_EVERY", 0.6)
    numbers = list[int]()
    ground.services.repository.subscribe(lambda table: numbers.append(table.number))
    await ground.services.clock.start()
    await asyncio.sleep(0.1)
    await ground.services.clock.close()
    assert numbers == [table.number]


async def test_a_game_with_an_expired_window_can_be_verified(ground: Playground) -> None:
    table, _ = await window(ground)
    assert table.deadline is not None
    ground.clock = table.deadline.at
    assert await time_up(ground, table.number)
    for user in table.users:
        await ground.play(table.number, user, AgreeToEnd(True))
    exported = load(dump(await ground.services.games.export(table.number)))
    assert "Not verified" not in verification_lines(exported, verified(exported))
