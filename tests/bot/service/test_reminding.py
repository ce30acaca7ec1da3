"""Reminders as the service gives them: each once, where somebody wants them, one for all games that wait."""

from __future__ import annotations

import random

import pytest

from bot.projections import PANEL, TROUBLE, reminder_name
from bot.table.acts.lobby import AddComputer
from bot.table.acts.options import SetOptions
from bot.table.preferences import CHANNEL, DM, NEVER
from bot.table.reminders import moments
from bot.table.table import DECIDE, REMIND, VOTE
from bot.table.waiting import DAY, decisions, put_off
from tests.bot import playground
from tests.bot.playground import ANN, BOB, CEM, Playground, do_due
from tests.bot.service.tables import HOUR, look, paced, wait_of


@pytest.mark.on_databases
async def test_reminders_come_each_once_at_growing_distances(ground: Playground) -> None:
    table = await paced(ground, REMIND, 86_400)
    since = wait_of(await ground.table(table.number)).since
    counts = []
    for hour in range(1, 50):
        ground.clock = since + hour * HOUR + 30
        await look(ground)
        wait = wait_of(await ground.table(table.number))
        counts.append(wait.reminded)
        if wait.reminded and counts[-1] != (counts[-2] if len(counts) > 1 else 0):
            assert wait.pinged == pytest.approx(ground.clock, abs=10)
    changes = [hour for hour, (a, b) in enumerate(zip([0, *counts], counts, strict=False), 1) if a != b]
    assert changes == [3, 9, 21, 48]


MINUTE, WEEK = 60, int(7 * DAY)
IN_TIME = {
    2 * MINUTE: [],
    5 * MINUTE: [],
    10 * MINUTE: [9],
    30 * MINUTE: [12, 27],
    HOUR: [8, 23, 53],
    3 * HOUR: [23, 68, 158],
    int(DAY): [3 * 60, 9 * 60, 21 * 60],
    WEEK: [21 * 60, 63 * 60, 147 * 60],
}
"""The minutes of a pace, in seconds, at which reminders come before its time is over."""
AFTERWARDS = {
    2 * MINUTE: [2, 7, 17, 37],
    5 * MINUTE: [5, 10, 20, 40],
    10 * MINUTE: [20, 40, 80],
    30 * MINUTE: [60, 120, 240],
    HOUR: [120, 240, 480],
    3 * HOUR: [6 * 60, 12 * 60, 24 * 60],
    int(DAY): [2 * 24 * 60, 4 * 24 * 60],
    WEEK: [14 * 24 * 60],
}


@pytest.mark.parametrize("expiry", [REMIND, VOTE, DECIDE])
@pytest.mark.parametrize("pace", IN_TIME)
async def test_reminders_follow_the_pace(ground: Playground, pace: int, expiry: str) -> None:
    """Where the simplest move is made for whoever is late there is nothing to remind them of afterwards."""
    table = await paced(ground, expiry, pace)
    while (await ground.game(table.number)).turn < 1:  # setup gives more time
        await ground.step(table.number, random.Random(1))
    since, revision = wait_of(await ground.table(table.number)).since, await ground.revision(table.number)
    due = [*IN_TIME[pace], *([] if expiry == DECIDE else AFTERWARDS[pace])]
    tick = max(pace // 180 // MINUTE, 1)
    found, given, minute = list[int](), 0, 0
    while minute <= max([*due, pace // MINUTE]):
        minute += tick
        ground.clock = since + minute * MINUTE + 10
        await look(ground)
        if await ground.revision(table.number) > revision:
            break
        if (reminded := wait_of(await ground.table(table.number)).reminded) > given:
            found, given = [*found, minute], reminded
    else:
        assert expiry != DECIDE
    assert [min((n for n in due if abs(n - at) <= tick), default=at) for at in found] == due


@pytest.mark.parametrize(("begin", "days", "hours"), [(0, 2, [51, 57, 69]), (4, 1, [3, 33, 45])])
async def test_time_that_stands_still_on_vacation_does_so_for_reminders(
    ground: Playground, begin: int, days: int, hours: list[int]
) -> None:
    table = await paced(ground, REMIND, 86_400)
    since, game = wait_of(await ground.table(table.number)).since, await ground.game(table.number)
    away = (since + begin * HOUR, since + begin * HOUR + days * DAY)
    await ground.services.absence.leave(table.user_at(game, game.to_act[0]), *away)
    given = [0]
    for hour in range(1, max(hours) + 3):
        ground.clock = since + hour * HOUR + 30
        await look(ground)
        given.append(wait_of(await ground.table(table.number)).reminded)
    assert [hour for hour in range(1, len(given)) if given[hour] != given[hour - 1]] == hours


async def test_a_game_without_a_limit_reminds_too(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await look(ground, DAY + 10)
    assert wait_of(await ground.table(table.number)).reminded == 1
    await look(ground, DAY)
    assert wait_of(await ground.table(table.number)).reminded == 1


async def test_who_was_late_before_is_reminded_once_until_they_act(ground: Playground) -> None:
    """Whoever doesn't answer for weeks isn't called four times for each decision."""
    table = await paced(ground, DECIDE, 86_400)
    given: dict[int, list[int]] = {user: [] for user in (ANN, BOB, CEM)}
    while min(map(len, given.values())) < 4:
        table, game = await ground.table(table.number), await ground.game(table.number)
        user, wait = table.user_at(game, game.to_act[0]), wait_of(table)
        if user == ANN and len(given[ANN]) == 2:  # she is back, for one decision
            given[ANN].append(-1)
            await ground.step(table.number, random.Random(1))
            continue
        ground.clock = wait.since + 23 * HOUR
        await look(ground)
        given[user].append(wait_of(await ground.table(table.number)).reminded)
        ground.clock = wait.since + DAY + 60
        await look(ground)
    assert given[BOB][:3] == given[CEM][:3] == [3, 1, 1]
    assert given[ANN][:4] == [3, 1, -1, 3]


async def test_what_was_held_up_comes_as_one(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    game = await ground.game(table.number)
    user = table.user_at(game, game.to_act[0])
    await ground.services.absence.leave(user, ground.clock, ground.clock + 8 * DAY)
    for _ in range(7):
        await look(ground, DAY)
    assert wait_of(await ground.table(table.number)).reminded == 0
    await look(ground, DAY + 60)
    assert wait_of(await ground.table(table.number)).reminded == 3


@pytest.mark.parametrize("pace", [0, DAY])
async def test_a_reminder_that_was_held_up_does_not_hold_up_who_is_next(ground: Playground, pace: int) -> None:
    """Somebody acts on their vacation, to whose end all that the game had to do was put off."""
    table = await paced(ground, DECIDE, int(pace), leave=0)
    number, rng = table.number, random.Random(1)
    table, game = await ground.table(number), await ground.game(number)
    [seat] = game.to_act
    if pace:
        ground.clock = wait_of(table).since + pace / 2
    await ground.services.absence.leave(table.user_at(game, seat), ground.clock, ground.clock + 20 * DAY)
    await look(ground, pace / 4 or 2 * DAY)
    while (await ground.game(number)).to_act == (seat,):
        await ground.step(number, rng)
    revision = await ground.revision(number)
    await look(ground, 0.9 * pace or DAY + 60)
    assert wait_of(await ground.table(number)).reminded
    await look(ground, pace)
    assert (await ground.revision(number) > revision) == bool(pace)


@pytest.mark.parametrize(("pace", "days"), [(0, 2), (int(DAY), 2), (int(7 * DAY), 5)])
async def test_who_is_back_early_is_reminded(ground: Playground, pace: int, days: int) -> None:
    table = await paced(ground, REMIND, pace, leave=0)
    table, game = await ground.table(table.number), await ground.game(table.number)
    user = table.user_at(game, game.to_act[0])
    await ground.services.absence.leave(user, ground.clock, ground.clock + 20 * DAY)
    await look(ground, days * DAY)
    await look(ground, 60)
    assert wait_of(await ground.table(table.number)).reminded == 0
    await ground.services.absence.back(user)
    await look(ground, 60)
    assert wait_of(await ground.table(table.number)).reminded


async def test_who_ends_their_quiet_hours_early_is_reminded(ground: Playground) -> None:
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


async def test_who_wants_none_gets_none(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    game = await ground.game(table.number)
    user = table.user_at(game, game.to_act[0])
    await ground.services.people.change_settings(user, choices={"reminders": NEVER})
    version = (await ground.table(table.number)).version
    await look(ground, DAY + 10)
    after = await ground.table(table.number)
    assert (wait_of(after).reminded, wait_of(after).pinged, after.version) == (1, 0.0, version)


async def test_by_direct_message_where_that_is_wanted_and_possible(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    game = await ground.game(table.number)
    user = table.user_at(game, game.to_act[0])
    await ground.services.people.change_settings(user, choices={"reminders": DM, "direct": 7})
    await look(ground, DAY + 10)
    assert wait_of(await ground.table(table.number)).pinged == 0.0
    marks = await ground.store.visible(table.number)
    assert marks[reminder_name(user)].pending
    await ground.services.people.change_settings(user, dms_closed=True)
    await look(ground, 2 * DAY)
    assert wait_of(await ground.table(table.number)).pinged > 0


async def waiting_for_bob(ground: Playground, games: int) -> list[int]:
    """So many games, each in a channel of its own, that all wait for him; their numbers."""
    rng = random.Random(3)
    numbers = [(await paced(ground, REMIND, 86_400, channel=50 + n)).number for n in range(games)]
    for number in numbers:
        while (await ground.table(number)).user_at(game := await ground.game(number), game.to_act[0]) != BOB:
            await ground.step(number, rng)
    return numbers


@pytest.mark.on_databases
async def test_one_reminder_speaks_of_all_games_that_wait(ground: Playground) -> None:
    numbers = await waiting_for_bob(ground, 3)
    await look(ground, 3 * HOUR + 60)
    await look(ground, 70)
    waits = [wait_of(await ground.table(number)) for number in numbers]
    assert 1 in [wait.reminded for wait in waits]
    assert sum(wait.pinged > 0 for wait in waits) == 1
    assert max(wait.more for wait in waits) == 2


async def test_a_game_that_cannot_be_shown_speaks_of_no_other(ground: Playground) -> None:
    closed, seen = await waiting_for_bob(ground, 2)
    await ground.store.shown(closed, TROUBLE, 1, channel=77, message=5)
    await look(ground, 3 * HOUR + 60)
    await look(ground, 70)
    assert wait_of(await ground.table(seen)).pinged
    assert not wait_of(await ground.table(closed)).more


async def test_time_that_was_over_while_nobody_could_see_the_game_begins_anew(ground: Playground) -> None:
    number = (await paced(ground, DECIDE, 86_400)).number
    old, game = wait_of(table := await ground.table(number)), await ground.game(number)
    await ground.services.absence.leave(table.user_at(game, old.seat), ground.clock, ground.clock + 3 * DAY)
    await ground.store.shown(number, PANEL, table.version, channel=50, message=4)
    await ground.store.shown(number, TROUBLE, 1, channel=77, message=5)
    await look(ground, 4 * DAY - HOUR)
    assert wait_of(await ground.table(number)).pinged
    await look(ground, HOUR + 60)
    wait = wait_of(table := await ground.table(number))
    assert wait.until == pytest.approx(ground.clock + DAY, abs=5)
    assert wait.since == old.since
    assert (wait.serial, wait.reminded, wait.pinged, put_off(table, game, wait)) == (old.serial, 0, 0.0, 0.0)
    assert [days for _, days in table.choices.on_leave] == [pytest.approx(3 * DAY, abs=5)]
    assert (await ground.store.visible(number))[PANEL].pending
    assert await ground.store.next_job(0.0) == (wait.until or 0) - DAY + 3 * HOUR


async def test_a_game_that_another_spoke_of_in_vain_reminds_by_itself(ground: Playground) -> None:
    """It is noticed only then that the other one's channel is closed."""
    closed, seen = await waiting_for_bob(ground, 2)
    await look(ground, 3 * HOUR + 60)
    assert [wait_of(await ground.table(number)).pinged > 0 for number in (closed, seen)] == [True, False]
    await ground.store.shown(closed, TROUBLE, 1, channel=77, message=5)
    await look(ground, 70)
    wait = wait_of(await ground.table(seen))
    assert wait.reminded == 1
    assert wait.pinged == pytest.approx(ground.clock, abs=5)


@pytest.mark.parametrize("reminders", [CHANNEL, DM])
async def test_a_reminder_in_a_channel_speaks_of_no_game_of_another_server(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, reminders: str
) -> None:
    numbers, rng = [], random.Random(3)
    for guild in (1, 2):
        monkeypatch.setattr(playground, "GUILD", guild)
        numbers.append((await paced(ground, REMIND, 86_400, channel=50 + guild)).number)
    for number in numbers:
        while True:
            table, game = await ground.table(number), await ground.game(number)
            if table.user_at(game, game.to_act[0]) == BOB:
                break
            await ground.step(number, rng)
    await ground.services.people.change_settings(BOB, choices={"reminders": reminders, "direct": 7})
    await look(ground, 3 * HOUR + 60)
    await look(ground, 70)
    tables = [await ground.table(number) for number in numbers]
    assert [wait_of(table).reminded for table in tables] == [1, 1]
    assert [wait_of(table).more for table in tables] == [0, 0]
    pinged = [wait_of(table).pinged > 0 for table in tables]
    sent = [reminder_name(BOB) in await ground.store.visible(number) for number in numbers]
    assert (pinged, sum(sent)) == (([True, True], 0) if reminders == CHANNEL else ([False, False], 1))


async def test_a_game_of_minutes_reminds_whatever_a_slow_one_has_said(ground: Playground) -> None:
    """One reminder of a game of days, in the first minute, is none of those that a game of half an hour gives."""
    slow = await paced(ground, REMIND, 86_400, channel=50)
    quick = await paced(ground, REMIND, 1800, channel=51)
    rng = random.Random(3)
    for number in (slow.number, quick.number):
        if number == quick.number:
            ground.clock = wait_of(await ground.table(slow.number)).since + 3 * HOUR - 30
        while True:
            table, game = await ground.table(number), await ground.game(number)
            if table.user_at(game, game.to_act[0]) == BOB:
                break
            await ground.step(number, rng)
    ground.clock = wait_of(await ground.table(slow.number)).since + 3 * HOUR + 1
    await look(ground)
    assert wait_of(await ground.table(slow.number)).reminded == 1
    assert wait_of(await ground.table(quick.number)).reminded == 0
    given = []
    for _ in range(28):
        await look(ground, 60)
        given.append(wait_of(await ground.table(quick.number)).reminded)
    assert given[-1] == 2


async def test_a_computer_is_not_reminded(ground: Playground) -> None:
    table = await ground.lobby(ANN)
    await ground.services.lobby.add_computer(table.number, ANN, AddComputer("easy", fill=True), ground.id())
    await ground.act(table.number, ANN, SetOptions({"pace": HOUR, "expiry": DECIDE}))
    await ground.services.lobby.start(table.number, ANN, "closing-1", ground.id())
    table, game = await ground.table(table.number), await ground.game(table.number)
    for wait in decisions(table):
        assert (wait.until is None) == bool(table.member_at(game, wait.seat).level)


def test_the_distances_are_those_of_the_documentation() -> None:
    assert [round(seconds / DAY) for seconds in moments(0)] == [1, 3, 7, 14, 21]


@pytest.mark.parametrize("expiry", [DECIDE, REMIND])
async def test_a_reminder_that_is_held_up_holds_up_no_deadline(ground: Playground, expiry: str) -> None:
    """Of somebody on vacation for longer than the table allows, or in their quiet hours."""
    table = await paced(ground, expiry, 86_400, leave=2)
    game = await ground.game(table.number)
    user = table.user_at(game, game.to_act[0])
    await ground.services.absence.leave(user, ground.clock, ground.clock + 30 * DAY)
    wait = wait_of(await ground.table(table.number))
    assert wait.until == pytest.approx(wait.since + 3 * DAY, abs=60)
    for _ in range(40):
        ground.clock += 2 * HOUR
        await do_due(ground.services)
    now = wait_of(await ground.table(table.number))
    assert (now.serial != wait.serial or now.since != wait.since) if expiry == DECIDE else now.over
