"""When the machine's clock is set, or the machine has slept, everything that is due later moves with it."""

from __future__ import annotations

import random

import pytest

from bot.service import Services, orders
from bot.service.clock import WallClock
from bot.service.people import OPENINGS_AT_ONCE
from bot.store import Unavailable
from bot.table.acts.lobby import AddComputer
from engine.actions import EndTurn
from tests.bot.playground import ANN, BOB, Playground, do_due
from tests.bot.service.ordering import begun, rolls
from tests.bot.service.tables import HOUR, paced, rolled, until, wait_of


@pytest.mark.parametrize("jump", [5 * HOUR, -5 * HOUR])
async def test_deadlines_move_when_the_clock_is_set(ground: Playground, jump: float) -> None:
    table = await paced(ground)
    steady = [0.0]
    services = Services.of(ground.store, now=lambda: ground.clock, steady=lambda: steady[0])
    await do_due(services)
    await services.clock.start()
    services.clock._frozen.stop()  # it would take simulated time for a standstill
    revision = await ground.revision(table.number)

    async def passed(seconds: float) -> None:
        ground.clock += seconds
        steady[0] += seconds
        await do_due(services)

    await passed(HOUR / 2)
    ground.clock += jump
    await passed(10)
    assert await ground.revision(table.number) == revision
    stored = await ground.store.table(table.number)
    assert stored is not None
    assert wait_of(stored).until == pytest.approx(ground.clock + HOUR / 2, abs=30)
    await passed(HOUR / 2)
    assert await ground.revision(table.number) == revision + 2
    await services.clock.close()


@pytest.mark.parametrize("jump", [5 * HOUR, -5 * HOUR])
async def test_a_player_called_before_a_clock_change_is_noticed_gets_full_time(ground: Playground, jump: float) -> None:
    table, _ = await rolled(ground, (await paced(ground)).number)
    steady = [0.0]
    ground.services = services = Services.of(ground.store, now=lambda: ground.clock, steady=lambda: steady[0])
    await services.clock.start()
    await services.clock._tasks.finished()
    ground.clock += jump
    game = await ground.game(table.number)
    await ground.play(table.number, table.user_at(game, game.to_act[0]), EndTurn())
    revision = await ground.revision(table.number)
    await do_due(services)
    assert wait_of(await ground.table(table.number)).until == pytest.approx(ground.clock + HOUR, abs=10)
    assert await ground.revision(table.number) == revision
    await services.clock.close()


async def test_a_player_whose_time_ends_soon_after_the_machine_slept_gets_new_time(ground: Playground) -> None:
    """As after a restart: people need some minutes to come back."""
    table = await paced(ground)
    steady = [0.0]
    services = Services.of(ground.store, now=lambda: ground.clock, steady=lambda: steady[0])
    await services.clock.start()
    services.clock._frozen.stop()  # it would take simulated time for a standstill
    revision = await ground.revision(table.number)
    ground.clock += HOUR - 40
    steady[0] += HOUR - 40
    await do_due(services)
    ground.clock += 5 * HOUR
    for _ in range(2):
        ground.clock += 40
        steady[0] += 40
        await do_due(services)
    assert await ground.revision(table.number) == revision
    stored = await ground.store.table(table.number)
    assert stored is not None
    assert wait_of(stored).until == pytest.approx(ground.clock + HOUR, abs=60)
    await services.clock.close()


async def test_a_process_that_ends_before_it_could_store_a_downtime_gives_no_sign_of_life(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the downtime would count as players' time."""
    await paced(ground)
    await ground.store.alive(ground.clock)

    async def failing(now: float, least: float = 0.0) -> float:
        raise Unavailable("disk I/O error")

    ground.clock += HOUR
    with monkeypatch.context() as patch:
        patch.setattr(ground.store, "note_downtime", failing)
        with pytest.raises(Unavailable):
            await ground.services.clock.start()
        await ground.services.clock.close()
    assert await ground.store.note_downtime(ground.clock) == pytest.approx(HOUR, abs=30)


async def test_a_clock_change_that_cannot_be_stored_is_applied_later(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await paced(ground)
    steady = [0.0]
    services = Services.of(ground.store, now=lambda: ground.clock, steady=lambda: steady[0])
    await do_due(services)
    await services.clock.start()
    until, revision = wait_of(await ground.table(table.number)).until or 0, await ground.revision(table.number)

    async def full(seconds: float) -> None:
        raise Unavailable("the disk is full")

    ground.clock += 5 * HOUR
    with monkeypatch.context() as patch:
        patch.setattr(ground.store, "move", full)
        await do_due(services)
    await do_due(services)
    stored = await ground.store.table(table.number)
    assert stored is not None
    assert wait_of(stored).until == pytest.approx(until + 5 * HOUR, abs=10)
    assert await ground.revision(table.number) == revision
    await services.clock.close()


@pytest.mark.parametrize("jump", [5 * HOUR, -5 * HOUR])
async def test_bots_keep_playing_when_the_clock_is_set(ground: Playground, jump: float) -> None:
    table = await ground.lobby(ANN, BOB)
    await ground.services.lobby.add_computer(table.number, ANN, AddComputer("easy"), ground.id())
    table = (await ground.services.lobby.start(table.number, ANN, "closing-1", ground.id())).table
    steady = [0.0]
    ground.services = services = Services.of(ground.store, now=lambda: ground.clock, steady=lambda: steady[0])
    await services.clock.start()
    while not table.member_at(game := await ground.game(table.number), game.to_act[0]).level:
        await ground.step(table.number, random.Random(1))
    ground.clock += jump
    await do_due(services)
    ground.clock += 5
    steady[0] += 5
    await do_due(services)
    assert await ground.revision(table.number) > game.revision
    await services.clock.close()


@pytest.mark.parametrize("jump", [5 * HOUR, -5 * HOUR])
async def test_the_autopilot_acts_as_after_a_start_when_the_clock_is_set(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    monkeypatch.setattr(orders, "DELAY", (60.0, 60.0))
    number = (await begun(ground)).number
    table, game = await until(ground, number, rolls)
    steady = [0.0]
    ground.services = services = Services.of(ground.store, now=lambda: ground.clock, steady=lambda: steady[0])
    await services.clock.start()
    await services.orders.give(number, table.user_at(game, game.to_act[0]), roll=True)

    async def passed(seconds: float) -> None:
        ground.clock += seconds
        steady[0] += seconds
        await do_due(services)

    await passed(50)
    ground.clock += jump
    await services.clock._alive()
    assert services.jobs.late == 0
    await passed(15)
    assert await ground.revision(number) == game.revision, "nobody is so quick when the machine has just woken up"
    await passed(50)
    assert await ground.revision(number) == game.revision + 1
    await services.clock.close()


async def test_turns_to_open_direct_messages_move_with_the_clock(ground: Playground) -> None:
    steady = [0.0]
    services = Services.of(ground.store, now=lambda: ground.clock, steady=lambda: steady[0])
    await services.clock.start()
    waits = [await services.directs.wait(user) for user in range(OPENINGS_AT_ONCE + 2)]
    ground.clock -= 5 * HOUR
    await services.clock._alive()
    assert [await services.directs.wait(user) for user in range(OPENINGS_AT_ONCE + 2)] == waits
    await services.clock.close()


async def test_signs_of_life_continue_if_one_falls_due_while_jobs_are_looked_for(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    await paced(ground)
    clock, next_job = ground.services.clock, ground.store.next_job
    await clock.start()

    async def beating(now: float) -> float | None:
        clock._beat()
        return await next_job(now)

    monkeypatch.setattr(ground.store, "next_job", beating)
    await do_due(ground.services)
    assert clock._pulse is not None
    await clock.close()


@pytest.mark.parametrize(("set_by", "jump"), [(0.0, 0.0), (2.9, 0.0), (-2.9, 0.0), (3.1, 3.1), (-3.1, -3.1)])
def test_only_a_clock_that_differs_by_seconds_was_set(set_by: float, jump: float) -> None:
    """Clocks drift, and are kept right by small steps."""
    times = [1e9, 50.0]
    clock = WallClock(lambda: times[0], lambda: times[1])
    times[:] = 1e9 + 10.0 + set_by, 60.0
    assert clock.jump() == pytest.approx(jump)
    assert clock() == pytest.approx(times[0] - jump)
    clock.adjust(clock.ahead())
    assert clock.jump() == 0.0
    assert clock() == times[0]
