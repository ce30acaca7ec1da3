"""Time that doesn't run: in pauses, on vacation, while the game is put away; nobody has less because of it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.presentation.viewer import Viewer
from bot.service import Services
from bot.table.acts.lobby import AddComputer
from bot.table.acts.motions import Propose
from bot.table.acts.options import SetOptions
from bot.table.acts.seats import Replace
from bot.table.proposals import PACE, PAUSE, RESUME
from bot.table.seats import who_plays
from bot.table.table import ARCHIVED, DECIDE, REMIND, RUNNING, Deadline, Table
from bot.table.waiting import DAY, decisions, leave_left
from engine.actions import EndTurn, MakeOffer, Resign
from engine.errors import RefereeError
from engine.game import Game
from engine.resources import Hand, hand
from tests.bot.playground import ANN, BOB, CEM, DOT, Playground, do_due
from tests.bot.service.tables import HOUR, look, paced, rolled, say, wait_of, window
from tests.bot.service.tables import replace as replaced

SOON = 60.0
"""Seconds that the clock goes on in a test by the way."""


async def all_agree(ground: Playground, number: int, what: str, **wanted: int) -> Table:
    """A proposal that all agree to."""
    for user in (await ground.table(number)).people:
        found = await say(ground, number, user, Propose(what, **wanted))  # type: ignore[arg-type]
        if found.done:
            return found.table
    raise AssertionError("they don't agree")


async def used(ground: Playground, number: int, user: int) -> float:
    """For how many seconds vacation has stopped somebody's clock by now."""
    table, game = await ground.table(number), await ground.game(number)
    return table.choices.leave * DAY - leave_left(table, game, user, ground.clock)


def awaited(table: Table, game: object) -> int:
    return table.user_at(game, wait_of(table).seat)  # type: ignore[arg-type]


@pytest.mark.on_databases
async def test_who_became_awaited_in_a_pause_has_all_their_time(ground: Playground) -> None:
    table = await paced(ground)
    rng = random.Random(2)
    while (await ground.game(table.number)).turn < 3:
        await ground.step(table.number, rng)
    await all_agree(ground, table.number, PAUSE)
    table = await ground.table(table.number)
    gone = awaited(table, await ground.game(table.number))
    ground.clock += 3 * HOUR
    await ground.play(table.number, gone, Resign())
    ground.clock += 5 * HOUR
    for user in (u for u in (ANN, BOB, CEM) if u != gone):
        await ground.act(table.number, user, Propose(RESUME))
    wait = wait_of(await ground.table(table.number))
    assert wait.until == pytest.approx(ground.clock + HOUR, abs=SOON)


async def test_a_pace_that_was_agreed_on_in_a_pause_begins_with_its_end(ground: Playground) -> None:
    table = await paced(ground)
    first = wait_of(await ground.table(table.number)).since
    await all_agree(ground, table.number, PAUSE)
    ground.clock += 10 * HOUR
    await all_agree(ground, table.number, PACE, pace=2 * HOUR)
    ground.clock += 10 * HOUR
    wait = wait_of(await all_agree(ground, table.number, RESUME))
    assert wait.until == pytest.approx(ground.clock + 2 * HOUR, abs=SOON)
    assert wait.since == first


async def test_what_was_spent_before_a_pause_is_spent(ground: Playground) -> None:
    table = await paced(ground, pace=2 * HOUR)
    ground.clock += HOUR
    await all_agree(ground, table.number, PAUSE)
    ground.clock += 30 * DAY
    wait = wait_of(await all_agree(ground, table.number, RESUME))
    assert wait.until == pytest.approx(ground.clock + HOUR, abs=SOON)


@pytest.mark.parametrize(
    ("vacation", "left"),
    [
        ((0.5, 20), 11.5),  # begins before the pause: half a day was spent, and they are away for ten days more
        ((2, 20), 11.0),  # begins in it
        ((2, 5), 1.0),  # was all of it in the pause
        ((12, 15), 1.0),  # comes when their time is over
        ((10.5, 15), 5.5),  # comes while it would run
    ],
)
async def test_vacation_counts_beside_a_pause(ground: Playground, vacation: tuple[float, float], left: float) -> None:
    """The pause is from day 1 to day 10, the pace two days."""
    table = await paced(ground, pace=int(2 * DAY), leave=30)
    game = await ground.game(table.number)
    user, begin = awaited(await ground.table(table.number), game), ground.clock
    await ground.services.absence.leave(user, begin + vacation[0] * DAY, begin + vacation[1] * DAY)
    ground.clock = begin + DAY
    await all_agree(ground, table.number, PAUSE)
    ground.clock = begin + 10 * DAY
    wait = wait_of(await all_agree(ground, table.number, RESUME))
    assert wait.until == pytest.approx(ground.clock + left * DAY, abs=SOON)


async def test_a_vacation_that_was_chosen_in_a_pause_counts(ground: Playground) -> None:
    table = await paced(ground, pace=int(2 * DAY))
    user = awaited(await ground.table(table.number), await ground.game(table.number))
    ground.clock += DAY
    await all_agree(ground, table.number, PAUSE)
    ground.clock += 5 * DAY
    await ground.services.absence.leave(user, ground.clock, ground.clock + 7 * DAY)
    ground.clock += 3 * DAY
    wait = wait_of(await all_agree(ground, table.number, RESUME))
    assert wait.until == pytest.approx(ground.clock + 4 * DAY + DAY, abs=SOON)


@pytest.mark.on_databases
async def test_only_time_that_was_vacation_uses_leave_up(ground: Playground) -> None:
    """What was left before a pause is left after it, and the time before wasn't vacation for that."""
    table = await paced(ground, pace=int(3 * DAY))
    user = awaited(await ground.table(table.number), await ground.game(table.number))
    ground.clock += 2.5 * DAY
    await ground.services.absence.leave(user, ground.clock, ground.clock + 10 * DAY)
    await all_agree(ground, table.number, PAUSE)
    ground.clock += 4 * DAY
    await all_agree(ground, table.number, RESUME)
    await ground.kill()
    await ground.services.absence.back(user)
    after = await ground.table(table.number)
    assert wait_of(after).until == pytest.approx(ground.clock + DAY / 2, abs=SOON)
    assert dict(after.choices.on_leave).get(user, 0.0) < SOON


@pytest.mark.parametrize("what", ["pace", "pace in a pause", "computer", "resigned in a pause"])
async def test_a_vacation_counts_however_the_wait_ends(ground: Playground, what: str) -> None:
    table = await paced(ground, pace=int(DAY))
    number = table.number
    user = awaited(await ground.table(number), await ground.game(number))
    await ground.services.absence.leave(user, ground.clock, ground.clock + 10 * DAY)
    ground.clock += 3 * DAY
    if "pause" in what:
        await all_agree(ground, number, PAUSE)
        ground.clock += 2 * DAY
    if "pace" in what:
        await all_agree(ground, number, PACE, pace=int(5 * DAY))
    elif what == "computer":
        await ground.act(number, user, Replace(user))
    else:
        await ground.play(number, user, Resign())
    assert await used(ground, number, user) == pytest.approx(3 * DAY, abs=SOON)


async def test_a_vacation_counts_once_for_who_becomes_awaited_while_it_is_chosen(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await paced(ground, REMIND, int(DAY))
    table, game = await rolled(ground, table.number)
    [seat] = game.to_act
    user, asked = table.user_at(game, (seat + 1) % 3), ground.store.played_by

    async def slow(user: int, *status: str) -> list[int]:
        await ground.play(table.number, table.user_at(game, seat), EndTurn())
        return await asked(user, *status)

    with monkeypatch.context() as patch:
        patch.setattr(ground.store, "played_by", slow)
        await ground.services.absence.leave(user, ground.clock, ground.clock + 7 * DAY)
    assert wait_of(await ground.table(table.number)).until == pytest.approx(ground.clock + 8 * DAY, abs=SOON)
    ground.clock += 3 * DAY
    await ground.services.absence.back(user)
    after = await ground.table(table.number)
    assert wait_of(after).until == pytest.approx(ground.clock + DAY, abs=SOON)
    assert await used(ground, table.number, user) == pytest.approx(3 * DAY, abs=SOON)


async def test_a_vacation_that_follows_on_another_takes_no_time_away(ground: Playground) -> None:
    table = await paced(ground, pace=int(DAY), leave=30)
    user = awaited(await ground.table(table.number), await ground.game(table.number))
    begin = ground.clock
    absence = ground.services.absence
    await absence.leave(user, begin, begin + 5 * DAY)
    ground.clock = begin + 4 * DAY
    await absence.leave(user, ground.clock, begin + 9 * DAY)  # it is to be longer
    assert wait_of(await ground.table(table.number)).until == pytest.approx(begin + 10 * DAY, abs=SOON)
    ground.clock = begin + 8 * DAY
    await absence.back(user)
    assert wait_of(await ground.table(table.number)).until == pytest.approx(begin + 9 * DAY, abs=SOON)
    await absence.leave(user, begin + 40 * DAY, begin + 50 * DAY)  # the next one
    revision = await ground.revision(table.number)
    await look(ground)
    assert await ground.revision(table.number) == revision, "their time isn't over"
    after = await ground.table(table.number)
    assert wait_of(after).until == pytest.approx(begin + 9 * DAY, abs=SOON)
    assert await used(ground, table.number, user) == pytest.approx(8 * DAY, abs=SOON)


async def test_going_and_coming_back_many_times_gains_and_costs_nothing(ground: Playground) -> None:
    table = await paced(ground, pace=int(DAY))
    user = awaited(await ground.table(table.number), await ground.game(table.number))
    absence, begin = ground.services.absence, ground.clock
    ground.clock += DAY / 2
    for _ in range(20):
        await absence.leave(user, ground.clock, ground.clock + 3 * DAY)
        ground.clock += HOUR
        await absence.back(user)
    after = await ground.table(table.number)
    assert wait_of(after).until == pytest.approx(begin + DAY + 20 * HOUR, abs=3 * SOON)
    assert await used(ground, table.number, user) == pytest.approx(20 * HOUR, abs=3 * SOON)


async def with_cards(ground: Playground, number: int) -> tuple[Table, Game, int, Hand]:
    """The game in the main part of a turn of somebody who holds a card; their seat, and what they hold."""
    rng = random.Random(4)
    while True:
        table, game = await rolled(ground, number)
        [seat] = game.to_act
        if any(held := game.state.hands[seat]):
            return table, game, seat, hand(held)
        await ground.play(number, table.user_at(game, seat), EndTurn())
        await ground.step(number, rng)


async def test_several_offers_that_wait_for_somebody_away_use_their_leave_up_once(ground: Playground) -> None:
    table = await paced(ground, REMIND, int(DAY))
    number = table.number
    table, game, seat, held = await with_cards(ground, number)
    kind, other = next(i for i, n in enumerate(held) if n), (seat + 1) % 3
    away = table.user_at(game, other)
    await ground.services.absence.leave(away, ground.clock, ground.clock + 3 * DAY)
    for want in (k for k in range(5) if k != kind):
        give, wanted = [0] * 5, [0] * 5
        give[kind], wanted[want] = 1, 1
        offer = MakeOffer(tuple(give), tuple(wanted), (other,))  # type: ignore[arg-type]
        await ground.play(number, table.user_at(game, seat), offer)
    ground.clock += 2 * DAY
    await ground.play(number, table.user_at(game, seat), EndTurn())
    assert dict((await ground.table(number)).choices.on_leave).get(away, 0.0) <= 2 * DAY + SOON


async def test_a_vacation_of_who_has_only_an_offer_to_answer_is_noticed_by_nobody(ground: Playground) -> None:
    """How long they may take for that isn't shown either."""
    table = await paced(ground, REMIND, int(DAY))
    number = table.number
    table, game, seat, held = await with_cards(ground, number)
    kind = next(i for i, n in enumerate(held) if n)
    give, want = [0] * 5, [0] * 5
    give[kind], want[(kind + 1) % 5] = 1, 1
    await ground.play(number, table.user_at(game, seat), MakeOffer(tuple(give), tuple(want)))  # type: ignore[arg-type]
    told: list[int] = []
    ground.services.absence.subscribe(lambda number, game: told.append(number))
    before = await ground.table(number)
    away = table.user_at(game, (seat + 1) % 3)
    await ground.services.absence.leave(away, ground.clock + HOUR, ground.clock + 5 * DAY)
    after = await ground.table(number)
    assert (after.version, told) == (before.version, [])
    [moved] = [wait for wait in after.waits if wait.offer and table.user_at(game, wait.seat) == away]
    assert moved.until == pytest.approx(ground.clock + 6 * DAY - HOUR, abs=SOON)
    await ground.services.absence.leave(table.user_at(game, seat), ground.clock + HOUR, ground.clock + 5 * DAY)
    assert (await ground.table(number)).version == before.version + 1
    assert told == [number]


@pytest.mark.parametrize("jump", [5 * DAY, -5 * DAY])
async def test_a_clock_that_is_set_in_a_pause_takes_no_time_away(ground: Playground, jump: float) -> None:
    table = await paced(ground, pace=2 * HOUR)
    steady = [0.0]
    services = Services.of(ground.store, now=lambda: ground.clock, steady=lambda: steady[0])
    await services.clock.start()
    ground.services = services
    ground.clock += HOUR
    steady[0] += HOUR
    await all_agree(ground, table.number, PAUSE)
    await do_due(services)
    ground.clock += jump
    await do_due(services)
    wait = wait_of(await all_agree(ground, table.number, RESUME))
    assert wait.until == pytest.approx(ground.clock + HOUR, abs=SOON)
    await services.clock.close()


@pytest.mark.on_databases
async def test_a_bot_that_is_down_in_a_pause_takes_no_time_away(ground: Playground) -> None:
    table = await paced(ground, pace=2 * HOUR)
    ground.clock += HOUR
    await all_agree(ground, table.number, PAUSE)
    await ground.store.alive(ground.clock)
    await ground.kill()
    ground.clock += 2 * DAY
    await ground.store.wake(ground.clock)
    ground.clock += DAY
    wait = wait_of(await all_agree(ground, table.number, RESUME))
    assert wait.until == pytest.approx(ground.clock + HOUR, abs=SOON)


async def test_the_window_for_answers_to_the_robber_is_as_long_after_a_pause(ground: Playground) -> None:
    """L8."""
    table, _ = await window(ground)
    assert table.deadline is not None
    await all_agree(ground, table.number, PAUSE)
    left = table.deadline.at - ground.clock
    await look(ground, 1000)
    after = await all_agree(ground, table.number, RESUME)
    assert after.deadline is not None
    assert after.deadline.at == pytest.approx(ground.clock + left, abs=SOON)


@pytest.mark.on_databases
async def test_a_game_that_was_archived_in_a_pause_runs_when_it_is_taken_up(ground: Playground) -> None:
    table = await paced(ground, DECIDE)
    services = ground.services
    await look(ground, HOUR + 5)  # somebody has missed a turn
    await all_agree(ground, table.number, PAUSE)
    await services.games.act(table.number, ANN, Propose(RESUME), ground.id())
    ground.clock += 28 * DAY
    await services.clock.put_away()
    ground.clock += 4 * DAY
    await services.clock.put_away()
    assert (await ground.table(table.number)).status == ARCHIVED
    ground.clock += 100 * DAY
    taken = (await services.tables.resume(table.number, BOB, ground.id())).table
    assert taken.status == RUNNING
    assert (taken.choices.paused, taken.choices.proposals, taken.choices.missed) == (0.0, (), ())
    assert [wait.until for wait in decisions(taken)] == [pytest.approx(ground.clock + HOUR, abs=SOON)]
    game = await ground.game(table.number)
    await ground.play(table.number, awaited(taken, game), game.options(game.to_act[0]).sample(random.Random(1)))
    revision = await ground.revision(table.number)
    await look(ground, HOUR + 60)
    assert await ground.revision(table.number) > revision, "its time runs"


async def test_in_a_pause_no_window_closes(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    game, limited = await ground.game(table.number), replace(table, deadline=Deadline(1, ground.clock + 60))
    assert Viewer(limited, game).closes == ground.clock + 60
    assert Viewer(replace(limited, choices=replace(table.choices, paused=ground.clock)), game).closes is None


@pytest.mark.on_databases
async def test_of_two_one_ends_a_pause_that_the_other_does_not_answer_to(ground: Playground) -> None:
    number = (await ground.lobby(ANN, BOB)).number
    await ground.services.lobby.add_computer(number, ANN, AddComputer("easy"), ground.id())
    await ground.act(number, ANN, SetOptions({"pace": HOUR, "expiry": DECIDE}))
    await ground.services.lobby.start(number, ANN, "closing-1", ground.id())
    await all_agree(ground, number, PAUSE)
    ground.clock += 10 * DAY
    assert await refused(ground, number, BOB, ANN) == "too-soon/paused"
    await ground.act(number, BOB, Propose(RESUME))
    assert await refused(ground, number, BOB, ANN) == "too-soon/paused", "who wants to go on is there"
    ground.clock += DAY - 60
    assert await refused(ground, number, ANN, BOB) == "too-soon/go on"
    ground.clock += 60
    found = await replaced(ground, number, ANN, BOB)
    await ground.kill()
    after, game = await ground.table(number), await ground.game(number)
    assert found.done
    assert (after.choices.paused, after.choices.proposals) == (0.0, ())
    assert who_plays(after, game) == (BOB,)
    assert await ground.store.next_job(0.0) is not None, "somebody's time runs, or a computer plays"


async def test_of_four_the_host_goes_on_after_a_day_and_anybody_after_two(ground: Playground) -> None:
    for user, days in ((ANN, 1), (BOB, 2)):
        table = await paced(ground, people=(ANN, BOB, CEM, DOT), channel=50 + user)
        await all_agree(ground, table.number, PAUSE)
        await ground.act(table.number, user, Propose(RESUME))
        ground.clock += days * DAY - 60
        assert not (await replaced(ground, table.number, CEM, user)).done
        ground.clock += 60
        assert (await replaced(ground, table.number, CEM, user)).done
        assert (await ground.table(table.number)).choices.paused, "one of three is not enough"
        assert (await replaced(ground, table.number, DOT, user)).done
        assert (await say(ground, table.number, ANN + BOB - user, Propose(RESUME))).done


async def refused(ground: Playground, number: int, absent: int, by: int) -> str:
    with pytest.raises(RefereeError) as found:
        await replaced(ground, number, absent, by)
    return found.value.key
