"""Reminders as the service gives them: each once, at a time that can move, and one for all games that wait.

`tests/bot/table/test_reminders.py` tests which reminders come, when and where.
"""

from __future__ import annotations

import random
from unittest import mock

import pytest

from bot.projections import CLOSED_THREAD, PANEL, TROUBLE, Kind, Name, is_barred
from bot.store import Unavailable
from bot.table.options import DAY, DECIDE, REMIND
from bot.table.preferences import CHANNEL, DM
from tests.bot import playground
from tests.bot.noted import noted
from tests.bot.playground import ANN, BOB, CEM, Playground
from tests.bot.service.tables import HOUR, look, paced, wait_of


@pytest.mark.on_databases
async def test_each_reminder_is_given_once_despite_restarts(ground: Playground) -> None:
    number = (await paced(ground, REMIND, 86_400)).number
    for hours, reminded in ((2.9, 0), (0.2, 1), (0.1, 1), (5.7, 1), (0.2, 2)):
        await ground.kill()
        await look(ground, hours * HOUR)
        assert wait_of(await ground.table(number)).reminded == reminded


@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize(("pace", "days"), [(0, 2), (int(DAY), 2)])
async def test_a_player_back_early_from_a_vacation_is_reminded(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, pace: int, days: int, killed: bool
) -> None:
    """Also if the process is killed as soon as that is stored (seed 348 of the simulation)."""
    table = await paced(ground, REMIND, pace, leave=0)
    table, game = await ground.table(table.number), await ground.game(table.number)
    user = table.user_at(game, game.to_act[0])
    await ground.services.absence.leave(user, ground.clock, ground.clock + 20 * DAY)
    await look(ground, days * DAY)
    await look(ground, 60)
    assert wait_of(await ground.table(table.number)).reminded == 0
    if killed:
        with monkeypatch.context() as dying:
            dying.setattr(ground.services.games, "act", mock.AsyncMock(side_effect=Unavailable))
            with pytest.raises(Unavailable):
                await ground.services.absence.back(user)
        await ground.kill()
    else:
        await ground.services.absence.back(user)
    await look(ground, 60)
    assert wait_of(await ground.table(table.number)).reminded


@pytest.mark.parametrize(("pace", "due"), [(0, 3.0), (7 * int(DAY), 7 * 3 / 8)])
async def test_a_vacation_that_is_canceled_puts_no_reminder_off(ground: Playground, pace: int, due: float) -> None:
    """Also one that has not begun when the next reminder is set."""
    table = await paced(ground, REMIND, pace, leave=0)
    table, game = await ground.table(table.number), await ground.game(table.number)
    user = table.user_at(game, game.to_act[0])
    await ground.services.absence.leave(user, ground.clock + 2 * DAY, ground.clock + 20 * DAY)
    await look(ground, DAY + 60)
    assert wait_of(await ground.table(table.number)).reminded == 1
    await ground.services.absence.back(user)
    await look(ground, (due - 1) * DAY)
    assert wait_of(await ground.table(table.number)).reminded == 2


async def test_a_player_who_ends_their_quiet_hours_early_is_reminded(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    game, people = await ground.game(table.number), ground.services.people
    user = table.user_at(game, game.to_act[0])
    await people.change_settings(user, choices={"zone": "UTC", "quiet": (0, 1439)})
    await look(ground, DAY)
    await look(ground, 60)
    assert wait_of(await ground.table(table.number)).reminded == 0
    await people.change_settings(user, choices={"quiet": (0, 60)})
    await look(ground)
    assert wait_of(await ground.table(table.number)).reminded


async def test_quiet_hours_put_off_no_ones_reminder_but_ones_own(ground: Playground) -> None:
    """Seed 188 of the simulation."""
    number, rng = (await ground.begun(ANN, BOB, CEM)).number, random.Random(3)
    game, people = await ground.game(number), ground.services.people
    user = (await ground.table(number)).user_at(game, game.to_act[0])
    begin = int(ground.clock % DAY // 60)
    quiet = ((begin - 30) % 1440, (begin + 300) % 1440)
    await people.change_settings(user, choices={"zone": "UTC", "quiet": quiet})
    await look(ground)
    while (await ground.table(number)).user_at(game := await ground.game(number), game.to_act[0]) == user:
        await ground.step(number, rng)
    await look(ground, DAY + 60)
    assert wait_of(await ground.table(number)).reminded


async def waiting_for_bob(ground: Playground, channel: int = 50) -> int:
    """The number of a game in this channel that waits for Bob."""
    number, rng = (await paced(ground, REMIND, 86_400, channel=channel)).number, random.Random(3)
    while (await ground.table(number)).user_at(game := await ground.game(number), game.to_act[0]) != BOB:
        await ground.step(number, rng)
    return number


@pytest.mark.on_databases
async def test_one_reminder_mentions_all_waiting_games(ground: Playground) -> None:
    numbers = [await waiting_for_bob(ground, channel) for channel in (50, 51, 52)]
    await look(ground, 3 * HOUR + 60)
    await look(ground, 70)
    waits = [wait_of(await ground.table(number)) for number in numbers]
    assert 1 in [wait.reminded for wait in waits]
    assert sum(wait.pinged > 0 for wait in waits) == 1
    assert max(wait.more for wait in waits) == 2


async def test_a_reminder_of_a_game_that_cannot_be_shown_mentions_no_other_game(ground: Playground) -> None:
    closed_game, open_game = [await waiting_for_bob(ground, channel) for channel in (50, 51)]
    await ground.store.note(closed_game, [noted(TROUBLE, 1, 77, 5)])
    await look(ground, 3 * HOUR + 60)
    await look(ground, 70)
    assert wait_of(await ground.table(open_game)).pinged
    assert not wait_of(await ground.table(closed_game)).more


@pytest.mark.parametrize("pace", [0, int(DAY)])
async def test_a_game_that_rests_stays_so_when_a_reminder_or_downtime_is_over(ground: Playground, pace: int) -> None:
    table = await paced(ground, REMIND, pace)
    await ground.store.note(table.number, [noted(CLOSED_THREAD, table.version)])
    await ground.store.note_downtime(ground.clock)
    ground.clock += 30
    await ground.store.note_downtime(ground.clock)
    ground.services.repository.stood_still()
    for days in (0, 1, 3):
        await look(ground, days * DAY + 60)
    after = await ground.table(table.number)
    assert after.version > table.version
    assert is_barred(await ground.store.visible(table.number), after.version)
    assert not await ground.store.pending()


async def test_a_game_that_rests_keeps_back_no_reminder_of_another_game(ground: Playground) -> None:
    await ground.services.people.change_settings(BOB, choices={"reminders": DM, "direct": 7})
    closed_game, open_game = [await waiting_for_bob(ground, channel) for channel in (50, 51)]
    await ground.store.note(closed_game, [noted(CLOSED_THREAD, (await ground.table(closed_game)).version)])
    await look(ground, 3 * HOUR + 60)
    assert wait_of(await ground.table(open_game)).written == pytest.approx(ground.clock, abs=5)


async def test_time_that_ran_out_while_the_game_could_not_be_seen_starts_again(ground: Playground) -> None:
    number = (await paced(ground, DECIDE, 86_400)).number
    old, game = wait_of(table := await ground.table(number)), await ground.game(number)
    await ground.services.absence.leave(table.user_at(game, old.seat), ground.clock, ground.clock + 3 * DAY)
    await ground.store.note(number, [noted(PANEL, table.version, 50, 4)])
    await ground.store.note(number, [noted(TROUBLE, 1, 77, 5)])
    await look(ground, 4 * DAY - HOUR)
    assert wait_of(await ground.table(number)).pinged
    await look(ground, HOUR + 60)
    wait = wait_of(table := await ground.table(number))
    assert wait.until == pytest.approx(ground.clock + DAY, abs=5)
    assert wait.since == old.since
    assert (wait.serial, wait.reminded, wait.pinged, wait.vacation) == (old.serial, 0, 0.0, 0.0)
    assert [days for _, days in table.on_leave] == [pytest.approx(3 * DAY, abs=5)]
    assert (await ground.store.visible(number))[PANEL].pending
    assert await ground.store.next_job(0.0) == (wait.until or 0) - DAY + 3 * HOUR


async def test_a_game_sends_its_own_reminder_if_another_game_mentioned_it_in_vain(ground: Playground) -> None:
    """Only after the reminder is it noticed that the other game's channel is closed."""
    closed_game, open_game = [await waiting_for_bob(ground, channel) for channel in (50, 51)]
    await look(ground, 3 * HOUR + 60)
    assert [wait_of(await ground.table(number)).pinged > 0 for number in (closed_game, open_game)] == [True, False]
    await ground.store.note(closed_game, [noted(TROUBLE, 1, 77, 5)])
    await look(ground, 70)
    wait = wait_of(await ground.table(open_game))
    assert wait.reminded == 1
    assert wait.pinged == pytest.approx(ground.clock, abs=5)


@pytest.mark.parametrize("reminders", [CHANNEL, DM])
async def test_a_reminder_mentions_no_game_of_another_server(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, reminders: str
) -> None:
    numbers = []
    for guild in (1, 2):
        monkeypatch.setattr(playground, "GUILD", guild)
        numbers.append(await waiting_for_bob(ground, channel=50 + guild))
    await ground.services.people.change_settings(BOB, choices={"reminders": reminders, "direct": 7})
    await look(ground, 3 * HOUR + 60)
    await look(ground, 70)
    tables = [await ground.table(number) for number in numbers]
    assert [wait_of(table).reminded for table in tables] == [1, 1]
    assert [wait_of(table).more for table in tables] == [0, 0]
    pinged = [wait_of(table).pinged > 0 for table in tables]
    reminded = [Name(Kind.REMINDER, user=BOB) in await ground.store.visible(number) for number in numbers]
    assert (pinged, sum(reminded)) == (([True, True], 0) if reminders == CHANNEL else ([False, False], 1))
