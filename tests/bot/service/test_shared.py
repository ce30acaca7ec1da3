"""Services of several processes on one PostgreSQL: none trusts its memory, and cached games catch up."""

from __future__ import annotations

import asyncio
import random
from math import inf

import pytest

from bot.service import Services, clock
from bot.table.acts.lobby import Join
from bot.table.acts.play import Play
from engine.game import Game
from tests.bot.oracle import begin_again
from tests.bot.playground import ANN, BOB, CEM, CHANNEL, GUILD, NAMES, Playground, choose, do_due
from tests.bot.service.tables import HOUR, paced, wait_of
from tests.bot.store.behind import ask

pytestmark = pytest.mark.parametrize("ground", ["postgresql"], indirect=True)


async def test_changes_stored_by_another_process_are_read_immediately(ground: Playground, other: Services) -> None:
    assert await ground.services.repository.in_channel(CHANNEL) is None
    table = await other.lobby.new_table(GUILD, CHANNEL, ANN, Join("Ann"), ground.id())
    assert await ground.services.repository.in_channel(CHANNEL) == table
    for user in (BOB, CEM):
        table = (await ground.act(table.number, user, Join(NAMES[user]))).table
        assert await other.repository.table(table.number) == table
    await other.lobby.start(table.number, ANN, "closing-1", ground.id())
    rng = random.Random(3)
    for turn in range(60):
        player, reader = (ground.services, other)[:: 1 if turn % 2 else -1]
        game = await player.repository.game(table.number)
        seat = rng.choice(game.to_act)
        user, action = table.user_at(game, seat), choose(game, seat, rng)
        played = await player.games.act(table.number, user, Play(action), f"a{turn}")
        read = await reader.repository.game(table.number)
        assert read.revision == played.revision
        assert read.hash() == played.game.hash()
        assert await reader.repository.table(table.number) == played.table


async def test_a_cached_game_catches_up_without_a_replay(
    ground: Playground, other: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await other.repository.game(table.number)
    monkeypatch.setattr(Game, "replay", None)
    rng = random.Random(3)
    for turn in range(5):
        game = await ground.game(table.number)
        seat = game.to_act[0]
        await ground.play(table.number, table.user_at(game, seat), choose(game, seat, rng), interaction=f"a{turn}")
    assert (await other.repository.game(table.number)).hash() == (await ground.game(table.number)).hash()


async def test_a_restored_backup_is_noticed(ground: Playground, other: Services) -> None:
    """Records that are gone are gone for every process: none goes on from a position that isn't stored."""
    table = await ground.begun(ANN, BOB, CEM)
    before = await ground.game(table.number)
    seat = before.to_act[0]
    action = choose(before, seat, random.Random(1))
    await ground.play(table.number, table.user_at(before, seat), action, interaction="lost")
    for sql in (
        "DELETE FROM records WHERE number = 1",
        "DELETE FROM interactions WHERE record = 1",
        "UPDATE games SET version = version - 1, revision = 1",
    ):
        await ask(ground.store, sql)
    begin_again(ground.store, table.number)
    assert (await ground.game(table.number)).hash() == before.hash()
    await ground.play(table.number, table.user_at(before, seat), action, interaction="again")
    assert (await other.repository.game(table.number)).hash() == (await ground.game(table.number)).hash()


async def test_time_counts_while_any_process_is_running(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "SHARED_INTERVAL", 0.01)
    number = (await paced(ground)).number
    until = wait_of(await ground.table(number)).until
    assert until is not None
    processes = [Services.of(ground.store, now=lambda: ground.clock) for _ in range(3)]
    for services in processes:
        services.ownership.has(1, (0,), inf)
    first, second, third = (services.clock for services in processes)
    await ground.store.alive(ground.clock)
    await first.start()
    ground.clock += 40
    await asyncio.sleep(0.2)
    ground.clock += 5
    await second.start()
    assert wait_of(await ground.table(number)).until == until
    for process in (first, second):
        await process.close()
    ground.clock += 20
    await third.start()
    await third._jobs._tasks.finished()
    assert wait_of(await ground.table(number)).until == pytest.approx(until + 20, abs=3)
    await third.close()


async def test_time_while_all_processes_slept_does_not_count(ground: Playground, other: Services) -> None:
    """Their machine was suspended, or the database out of reach. Only the process that wakes first adds that time."""
    number = (await paced(ground)).number
    until, revision = wait_of(await ground.table(number)).until, await ground.revision(number)
    assert until is not None
    processes = (ground.services, other)
    for services in processes:
        await services.clock.start()
    await ground.store.alive(ground.clock)
    ground.clock += 8 * HOUR
    await asyncio.gather(*(services.jobs._look() for services in processes))
    assert wait_of(await ground.table(number)).until == pytest.approx(until + 8 * HOUR, abs=30)
    assert await ground.revision(number) == revision
    for services in processes:
        await services.clock.close()


async def test_a_click_before_a_sleep_is_noticed_does_not_make_the_sleep_count(ground: Playground) -> None:
    """The decision that the click begins has its full time from then on; all others keep what they had left."""
    number, played = (await paced(ground)).number, (await paced(ground, channel=51)).number
    until, revision = wait_of(await ground.table(number)).until, await ground.revision(number)
    assert until is not None
    await ground.services.clock.start()
    await ground.store.alive(ground.clock)
    ground.clock += 8 * HOUR
    await ground.step(played, random.Random(1))
    begun = wait_of(await ground.table(played))
    await do_due(ground.services)
    assert wait_of(await ground.table(number)).until == pytest.approx(until + 8 * HOUR, abs=30)
    assert await ground.revision(number) == revision
    assert wait_of(await ground.table(played)).since == begun.since
    await ground.services.clock.close()
