"""Tables that are ended from outside, that are put away when no one touches them, and that are resumed."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.export import dump, load, verified
from bot.projections import PANEL, SEED, TROUBLE
from bot.table.acts.lobby import AddComputer, Cancel, Join
from bot.table.acts.options import SetOptions
from bot.table.acts.places import VoidGame
from bot.table.options import DAY, HOUR, REMIND
from bot.table.table import ARCHIVED, CANCELLED, LOBBY, OVER, RUNNING
from bot.words.proof import verification_lines
from engine.actions import AskToBuild
from engine.autoplay import default_action
from engine.errors import RefereeError
from tests.bot.noted import noted
from tests.bot.playground import ANN, BOB, CEM, CHANNEL, DOT, EVE, Playground
from tests.bot.service.tables import look, paced, refused, wait_of


async def test_a_lobby_is_closed_a_day_after_its_warning(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB)
    ground.clock = table.updated + 1.9 * DAY
    assert await ground.services.clock.put_away() == []
    ground.clock = table.updated + 2 * DAY
    [warned] = await ground.services.clock.put_away()
    assert warned.status == LOBBY
    assert warned.warned == pytest.approx(ground.clock)
    assert (await ground.services.projections.visible(table.number))[PANEL].pending
    ground.clock += 0.9 * DAY
    assert await ground.services.clock.put_away() == []
    ground.clock += 0.2 * DAY
    [closed] = await ground.services.clock.put_away()
    assert (closed.status, closed.ended_by) == (CANCELLED, None)
    await ground.lobby(CEM)  # the channel is free


async def test_a_lobby_is_not_closed_right_after_an_outage(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB)
    ground.clock = table.updated + 2 * DAY
    await ground.services.clock.put_away()
    ground.clock += DAY
    await ground.services.reach.lost_all()
    assert await ground.services.clock.put_away() == []
    ground.clock += 3600
    assert [closed.number for closed in await ground.services.clock.put_away()] == [table.number]


@pytest.mark.parametrize("jump", [DAY, -3 * DAY])
async def test_a_lobby_keeps_its_day_whatever_the_clock_does(ground: Playground, jump: float) -> None:
    table = await ground.lobby(ANN, BOB)
    ground.clock = table.updated + 2 * DAY
    await ground.services.clock.put_away()
    ground.clock += jump
    await ground.store.move(jump, ground.clock)
    ground.services.repository.stood_still()
    warned = await ground.services.clock.put_away()
    assert [one.warned for one in warned] == ([] if jump > 0 else [pytest.approx(ground.clock)])
    ground.clock += 0.9 * DAY
    assert await ground.services.clock.put_away() == []
    ground.clock += 0.2 * DAY
    assert [closed.status for closed in await ground.services.clock.put_away()] == [CANCELLED]


async def test_a_table_that_is_opened_after_the_clock_was_set_back_has_no_other_times(ground: Playground) -> None:
    await ground.lobby(ANN, channel=60)
    await ground.store.move(-HOUR, ground.clock)
    table = await paced(ground)
    wait = wait_of(await ground.table(table.number))
    assert abs(wait.since - ground.clock) < 60.0
    await ground.kill()
    assert wait_of(await ground.table(table.number)) == wait


async def test_a_clock_that_was_wrong_by_weeks_has_no_table_put_away_early(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    for jump in (40 * DAY, -40 * DAY):
        ground.clock += jump
        await ground.store.move(jump, ground.clock)
        ground.services.repository.stood_still()
    await ground.services.orders.give(table.number, ANN, roll=True)
    ground.clock += 20 * DAY
    assert await ground.services.clock.put_away() == []
    ground.clock += 7 * DAY
    assert [warned.number for warned in await ground.services.clock.put_away()] == [table.number]


@pytest.mark.parametrize("ahead", [10 * DAY, 60 * DAY])
async def test_tables_are_put_away_in_time_if_the_clock_was_ahead_meanwhile(ground: Playground, ahead: float) -> None:
    ground.clock, ground.store.days = 200.0 * DAY, 40
    await ground.begun(ANN, BOB)
    for set_back, days, status in ((True, 27, RUNNING), (False, 3, ARCHIVED), (True, 33, OVER)):
        if set_back:
            ground.clock -= ahead
            await ground.store.move(-ahead, ground.clock)
            ground.services.repository.stood_still()
        ground.clock += (days - 0.1) * DAY
        assert await ground.services.clock.put_away() == []
        ground.clock += 0.2 * DAY
        assert [table.status for table in await ground.services.clock.put_away()] == [status]


async def test_joining_a_lobby_after_its_warning_restarts_its_time(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB)
    ground.clock = table.updated + 2 * DAY
    await ground.services.clock.put_away()
    table = (await ground.act(table.number, CEM, Join("Cem"))).table
    ground.clock += 1.5 * DAY
    assert await ground.services.clock.put_away() == []
    ground.clock += 0.6 * DAY
    [warned] = await ground.services.clock.put_away()
    assert warned.status == LOBBY


async def test_a_game_is_not_archived_during_a_players_allowed_vacation(ground: Playground) -> None:
    table = await paced(ground, REMIND, int(7 * DAY), leave=60)
    put_away, absence = ground.services.clock.put_away, ground.services.absence
    user, begin = table.user_at(game := await ground.game(table.number), game.to_act[0]), wait_of(table).since
    await absence.leave(user, begin, begin + 22 * DAY)
    for day in (27, 28.5):
        ground.clock = begin + day * DAY
        assert await put_away() == []
    await absence.leave(user, ground.clock, begin + 40 * DAY)
    for day in (31, 40, 41):
        ground.clock = begin + day * DAY
        assert await put_away() == []
    ground.clock = (wait_of(await ground.table(table.number)).until or 0) + 1.1 * DAY
    [warned] = await put_away()
    assert warned.status == RUNNING
    ground.clock += 3 * DAY
    [away] = await put_away()
    assert away.status == ARCHIVED


async def test_a_game_that_cannot_be_shown_is_archived_whatever_its_deadlines(ground: Playground) -> None:
    table = await paced(ground, REMIND, int(14 * DAY))
    await ground.services.projections.note(table.number, [noted(TROUBLE, table.version, 77, 5)])
    for _ in range(31):
        await look(ground, DAY)
        await ground.services.clock.put_away()
    assert (await ground.table(table.number)).status == ARCHIVED


async def test_a_game_of_one_person_is_archived_after_a_week(ground: Playground) -> None:
    """No one else waits for it, and it can be resumed."""
    table = await ground.lobby(ANN)
    await ground.act(table.number, ANN, AddComputer("easy"))
    table = (await ground.services.lobby.start(table.number, ANN, "closing-1", ground.id())).table
    others = await ground.begun(BOB, CEM, channel=CHANNEL + 1)
    put_away, begin = ground.services.clock.put_away, table.updated
    for days, numbers in ((5.9, []), (6.1, [table.number]), (7.2, [table.number])):
        ground.clock = begin + days * DAY
        assert [one.number for one in await put_away()] == numbers
    assert (await ground.table(table.number)).status == ARCHIVED
    assert (await ground.table(others.number)).warned is None


@pytest.mark.on_databases
async def test_a_game_is_warned_before_it_is_archived_even_after_long_downtime(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB)
    ground.clock = table.updated + 400 * DAY
    await ground.kill()
    [warned] = await ground.services.clock.put_away()
    assert warned.status == RUNNING
    assert await ground.services.clock.put_away() == []


async def archived(ground: Playground) -> int:
    """The number of a game that is archived in the middle of a turn."""
    number = (await ground.begun(ANN, BOB)).number
    for _ in range(20):
        await ground.step(number, random.Random(1))
    ground.clock += 27 * DAY
    await ground.services.clock.put_away()
    ground.clock += 3 * DAY
    [table] = await ground.services.clock.put_away()
    assert (table.status, table.deadline) == (ARCHIVED, None)
    return number


@pytest.mark.on_databases
async def test_an_archived_game_can_be_resumed_in_another_channel(ground: Playground) -> None:
    """Anyone who plays in it can do that, if its own channel has another game or is gone."""
    number = await archived(ground)
    before = (await ground.game(number)).hash()
    await ground.lobby(CEM, DOT)
    tables, elsewhere = ground.services.games, CHANNEL + 1
    await refused(tables.move(number, CEM, elsewhere, ground.id()), "not-playing")
    await refused(tables.move(number, BOB, CHANNEL, ground.id()), "channel-busy/lobby")
    assert (await ground.table(number)).status == ARCHIVED
    id = ground.id()
    for _ in range(2):
        table = (await tables.move(number, BOB, elsewhere, id)).table
        assert (table.status, table.channel) == (RUNNING, elsewhere)
    await ground.kill()
    assert await ground.services.repository.in_channel(elsewhere) == await ground.table(number)
    assert (await ground.game(number)).hash() == before
    await ground.step(number, random.Random(2))


@pytest.mark.on_databases
async def test_an_archived_game_frees_its_channel_and_can_be_resumed(ground: Playground) -> None:
    number = await archived(ground)
    before = (await ground.game(number)).hash()
    with pytest.raises(RefereeError) as caught:
        await ground.step(number, random.Random(2))
    assert caught.value.code == "archived"
    lobby = await ground.lobby(CEM, DOT)
    await refused(ground.services.games.resume(number, ANN, ground.id()), "channel-busy", number=lobby.number)
    await ground.act(lobby.number, CEM, Cancel())
    await refused(ground.services.games.resume(number, CEM, ground.id()), "not-playing/resume")
    await ground.kill()
    table = (await ground.services.games.resume(number, BOB, ground.id())).table
    assert table.status == RUNNING
    assert await ground.services.repository.in_channel(CHANNEL) == table
    assert (await ground.game(number)).hash() == before
    await ground.step(number, random.Random(2))
    await refused(ground.services.games.resume(number, BOB, ground.id()), "not-archived")


async def test_resuming_twice_by_one_interaction_changes_the_table_once(ground: Playground) -> None:
    number = await archived(ground)
    interaction_id = ground.id()
    assert (await ground.services.games.resume(number, ANN, interaction_id)).table == (
        await ground.services.games.resume(number, ANN, interaction_id)
    ).table


@pytest.mark.on_databases
async def test_a_game_called_off_by_a_manager_has_no_winner(ground: Playground) -> None:
    """A manager of the channel doesn't need to play in it. The seed is published, and everything can be verified."""
    table = await ground.begun(ANN, BOB)
    for _ in range(30):
        await ground.step(table.number, random.Random(3))
    table = (await ground.act(table.number, DOT, VoidGame("Mod"))).table
    assert (table.status, table.ended_by) == (OVER, DOT)
    game = await ground.game(table.number)
    assert game.outcome is not None
    assert game.outcome.winners == ()
    assert (await ground.services.projections.visible(table.number))[SEED].pending
    export = load(dump(await ground.services.games.export(table.number)))
    assert "called off" not in verification_lines(export, verified(export))
    await refused(ground.act(table.number, DOT, VoidGame("Mod")), "over")
    await ground.kill()
    assert await ground.table(table.number) == replace(table)


async def test_asking_to_build_in_secret_does_not_delay_a_warning(ground: Playground) -> None:
    """Section M: the day of a public warning doesn't reveal that a player has asked to build."""
    table = await ground.lobby(ANN, BOB, CEM, DOT)
    await ground.act(table.number, ANN, SetOptions({"scenario": "extension"}))
    await ground.act(table.number, EVE, Join("Eve"))
    await ground.services.lobby.start(table.number, ANN, "closing-1", ground.id())
    game = await ground.game(table.number)
    while game.view(None).step.kind != "main":
        seat = game.to_act[0]
        user, action = table.user_at(game, seat), default_action(game.state, seat, game.options(seat))
        played = await ground.play(table.number, user, action)
        table, game = played.table, played.game
    table = await ground.table(table.number)
    ground.clock += 20 * DAY
    user = table.user_at(game, (game.state.on_turn + 1) % 5)
    await ground.play(table.number, user, AskToBuild(True))
    assert (await ground.game(table.number)).revision == game.revision + 1
    assert (await ground.table(table.number)).updated == table.updated
    ground.clock = table.updated + 27 * DAY
    [warned] = await ground.services.clock.put_away()
    assert warned.number == table.number
