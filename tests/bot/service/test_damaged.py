"""A game that can't be read holds up nothing in other games of the same people."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.service.orders import ORDER
from bot.service.servers import Asker
from bot.table.acts.lobby import Cancel, Join
from bot.table.options import DAY, REMIND
from bot.table.table import LOBBY, RUNNING, Table
from bot.words.refusals import refusal_sentence
from engine.errors import RefereeError
from tests.bot.playground import ANN, BOB, CEM, EVE, GUILD, Playground
from tests.bot.service.ordering import carried_out
from tests.bot.service.tables import in_step, paced, until, wait_of
from tests.bot.store.behind import ask


@pytest_asyncio.fixture
async def other(ground: Playground) -> AsyncIterator[tuple[Table, int]]:
    """A game of people who are in a damaged one, too, and its player, who must roll."""
    damaged = (await paced(ground, REMIND, int(DAY))).number
    number = (await paced(ground, REMIND, int(DAY), channel=51)).number
    await ask(ground.store, "UPDATE games SET checksum = 1 WHERE number = ?", damaged)
    ground.services.repository.drop_cache()
    table, game = await until(ground, number, in_step("pre_roll"))
    user = table.user_at(game, game.to_act[0])
    assert await ground.store.played_by(user) == [damaged, number]
    yield table, user
    await ask(ground.store, "UPDATE games SET checksum = NULL WHERE number = ?", damaged)


async def test_a_vacation_counts_in_all_games_but_a_damaged_one(ground: Playground, other: tuple[Table, int]) -> None:
    table, user = other
    before = wait_of(table).until or 0.0
    await ground.services.absence.leave(user, ground.clock, ground.clock + 60 * DAY)
    after = await ground.table(table.number)
    assert (wait_of(after).until or 0.0) > before + DAY
    assert [one.number for one in await ground.services.absence.limits(user)] == [table.number]


async def test_an_autopilot_acts_in_all_games_but_a_damaged_one(ground: Playground, other: tuple[Table, int]) -> None:
    table, user = other
    await ground.services.orders.give(table.number, user, roll=True)
    [job] = [job for job in await ground.store.due_jobs(ground.clock + DAY, 9, None) if job.name.startswith(ORDER)]
    await ground.store.drop_job(job)
    before = await ground.revision(table.number)
    await ground.services.orders.reschedule(user)
    await carried_out(ground)
    assert await ground.revision(table.number) > before


async def test_people_read_of_all_their_games_but_a_damaged_one(ground: Playground, other: tuple[Table, int]) -> None:
    table, _ = other
    for user in (ANN, BOB, CEM):
        assert [one.number for one, _ in await ground.services.timekeeper.games_of(user)] == [table.number]
        await ground.services.absence.moved(GUILD, user, joined=False)
    assert (await ground.table(table.number)).gone == (ANN, BOB, CEM)
    await ground.services.absence.moved(GUILD, BOB, joined=True)
    assert (await ground.table(table.number)).gone == (ANN, CEM)


async def test_others_open_tables_next_to_a_damaged_one(ground: Playground, other: tuple[Table, int]) -> None:
    asker = Asker(EVE, GUILD, 99)
    opened = await ground.services.lobby.new_table(GUILD, 99, EVE, Join("Eve"), ground.id(), asker=asker)
    assert opened.status == LOBBY
    assert [one.number for one in await ground.services.repository.games_of(ANN, RUNNING)] == [other[0].number]


async def test_all_is_forgotten_but_what_cannot_be_read(ground: Playground) -> None:
    canceled = [(await ground.lobby(EVE, BOB, channel=channel)).number for channel in (60, 61)]
    for number in canceled:
        await ground.act(number, EVE, Cancel())
    await ask(ground.store, "UPDATE games SET checksum = 1 WHERE number = ?", canceled[0])
    ground.services.repository.drop_cache()
    privacy = ground.services.privacy
    assert {"game": canceled[0], "status": "unreadable"} in (await privacy.data(EVE))["games"]
    with pytest.raises(RefereeError) as refusal:
        await privacy.forget(EVE)
    assert refusal_sentence(refusal.value).startswith(
        f"All else is forgotten, but not what is in games that can't be read: {canceled[0]}."
    )
    assert EVE not in (await ground.table(canceled[1])).users
    await ask(ground.store, "UPDATE games SET checksum = NULL WHERE number = ?", canceled[0])
    await privacy.forget(EVE)
    assert EVE not in (await ground.table(canceled[0])).users
