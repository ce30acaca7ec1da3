"""The time for a decision as the services keep it: stored with the decision and over once, even if processes die.

`tests/bot/table/test_pace.py` tests what follows when it is over.
"""

from __future__ import annotations

import asyncio

import pytest

from bot.service import Services
from bot.table.acts.options import SetOptions
from bot.table.options import DECIDE, REMIND
from bot.table.table import OVER
from engine.actions import DecideFor
from engine.game import Game
from engine.record import REFEREE
from tests.bot.playground import ANN, BOB, CEM, Playground
from tests.bot.service.tables import HOUR, look, paced, wait_of


@pytest.mark.on_databases
async def test_a_time_limit_is_stored_with_the_decision_and_survives_a_kill(ground: Playground) -> None:
    table = await paced(ground)
    wait = wait_of(await ground.table(table.number))
    assert wait.until == wait.since + HOUR
    await ground.kill()
    assert wait_of(await ground.table(table.number)) == wait


@pytest.mark.on_databases
async def test_the_referee_decides_for_a_late_player_and_this_is_recorded(ground: Playground) -> None:
    table = await paced(ground)
    before = await ground.game(table.number)
    [seat] = before.to_act
    await look(ground, HOUR - 60)
    assert await ground.revision(table.number) == before.revision
    await look(ground, 70)
    after = await ground.game(table.number)
    assert [(r.actor, r.action) for r in after.records[before.revision :]] == [(REFEREE, DecideFor(seat))] * 2
    assert after.to_act != before.to_act
    table = await ground.table(table.number)
    assert [(m.user, m.times) for m in table.missed] == [(table.user_at(after, seat), 1)]
    assert wait_of(table).until == pytest.approx(ground.clock + HOUR, abs=5)


@pytest.mark.on_databases
async def test_a_game_in_which_all_players_are_late_goes_on_to_its_end(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB, CEM)
    await ground.act(table.number, ANN, SetOptions({"round_limit": 3}))
    await ground.act(table.number, ANN, SetOptions({"pace": 120, "expiry": DECIDE}))
    await ground.services.lobby.start(table.number, ANN, "closing-1", ground.id())
    for n in range(60):
        await look(ground, 130 if n > 6 else 1810)
        if (await ground.table(table.number)).status == OVER:
            break
    assert (await ground.table(table.number)).status == OVER
    game = await ground.game(table.number)
    assert Game.replay(game.config, game.records).hash() == game.hash()


@pytest.mark.on_databases
async def test_time_while_harbormaster_was_down_does_not_count(ground: Playground) -> None:
    table = await paced(ground)
    await ground.store.alive(ground.clock)
    await ground.kill()
    ground.clock += 5 * HOUR
    down = await ground.store.note_downtime(ground.clock)
    assert down == pytest.approx(5 * HOUR, abs=5)
    await look(ground)
    wait = wait_of(await ground.table(table.number))
    assert wait.until == pytest.approx(ground.clock + HOUR, abs=30)
    revision = await ground.revision(table.number)
    await look(ground, HOUR / 2)
    assert await ground.revision(table.number) == revision
    await look(ground, HOUR / 2 + 20)
    assert await ground.revision(table.number) > revision


@pytest.mark.on_databases
async def test_only_one_of_two_processes_decides_and_only_one_reminds(ground: Playground, other: Services) -> None:
    first = await paced(ground, DECIDE)
    second = await paced(ground, REMIND, 86_400, channel=51)
    before = [await ground.revision(table.number) for table in (first, second)]
    versions = []
    for seconds in (HOUR + 5, 2 * HOUR):
        ground.clock += seconds
        await asyncio.gather(ground.services.jobs._look(), other.jobs._look())
        versions.append((await ground.store.table(second.number)).version)  # type: ignore[union-attr]
    ground.services.repository.drop_cache()
    decided = (await ground.game(first.number)).records[before[0] :]
    seats = [record.action.seat for record in decided if isinstance(record.action, DecideFor)]
    assert seats == [seats[0], seats[0], seats[2], seats[2]], "a settlement and a road for each who was late"
    assert seats[0] != seats[2]
    stored = await ground.store.table(second.number)
    assert stored is not None
    assert wait_of(stored).reminded == 1
    assert versions[1] == versions[0] + 1
