"""Two processes on one database: what either reports is stored, and neither undoes what the other one did."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from pathlib import Path

import pytest

from bot.projections import PANEL
from bot.service import Services
from bot.store import Change, Conflict, open_store
from bot.table.acts.lobby import Cancel, Join
from bot.table.acts.options import SetOptions
from bot.table.acts.play import Play
from bot.table.table import LOBBY, RUNNING
from engine.actions import Expire
from engine.errors import RefereeError
from engine.game import Game
from engine.record import Record
from tests.bot.playground import ANN, BOB, CEM, GUILD, NAMES, Playground, choose
from tests.bot.service.tables import window

pytestmark = pytest.mark.on_databases


async def check_replays(database: Path | str, number: int, records: int) -> None:
    """Check that the database has this many records of a game, and that they replay, without anything from memory."""
    store = await open_store(database)
    table = await store.table(number)
    assert table is not None
    stored = [Record.from_json(data) for data in await store.records(number)]
    assert len(stored) == records
    Game.replay(table.config, stored)
    await store.close()


async def test_simultaneous_joins_are_all_stored(ground: Playground, other: Services) -> None:
    """Twelve people press Join at a table with seven free places."""
    for round_ in range(3):
        table = await ground.lobby(ANN, channel=100 + round_)
        await ground.act(table.number, ANN, SetOptions({"scenario": "big-island"}))
        await other.repository.table(table.number)
        processes = (ground.services, other)
        joins = [processes[n % 2].games.act(table.number, 100 + n, Join(f"P{n}"), ground.id()) for n in range(12)]
        results = await asyncio.gather(*joins, return_exceptions=True)
        joined = [100 + n for n, result in enumerate(results) if not isinstance(result, BaseException)]
        errors = [result for result in results if isinstance(result, BaseException)]
        assert all(isinstance(error, RefereeError) and error.code == "full" for error in errors), errors
        stored = await ground.store.table(table.number)
        assert stored is not None
        assert set(stored.users) == {ANN, *joined}
        assert len(joined) == len(stored.members) - 1 == 7
        assert stored.version == table.version + 1 + len(joined)


async def test_alternating_actions_are_stored_once(ground: Playground, other: Services) -> None:
    """Whichever process acts, the other one has an older game in memory."""
    table = await ground.begun(ANN, BOB, CEM, target=20)
    rng = random.Random(4)
    game = await ground.game(table.number)
    for n in range(30):
        services = (ground.services, other)[n % 2]
        seat = rng.choice(game.to_act)
        user, action = table.user_at(game, seat), choose(game, seat, rng)
        decision = game.decision(seat) if n % 3 else None
        played = await services.games.act(table.number, user, Play(action, decision), f"a{n}")
        assert (played.repeated, played.revision) == (False, game.revision + 1)
        assert played.game.records[:-1] == game.records
        game = played.game
    await check_replays(ground.database, table.number, game.revision)


async def test_simultaneous_actions_are_stored_once_or_refused(ground: Playground, other: Services) -> None:
    table = await ground.begun(ANN, BOB, target=20)
    rng = random.Random(4)
    accepted = 0
    for n in range(20):
        game = await ground.game(table.number)
        seat = rng.choice(game.to_act)
        user, action, decision = table.user_at(game, seat), choose(game, seat, rng), game.decision(seat)
        results = await asyncio.gather(
            *(
                services.games.act(table.number, user, Play(action, decision), f"a{n}-{which}")
                for which, services in enumerate((ground.services, other))
            ),
            return_exceptions=True,
        )
        refused = [result for result in results if isinstance(result, BaseException)]
        assert [error.code for error in refused if isinstance(error, RefereeError)] == ["stale"]
        assert len(refused) == 1
        accepted += 1
        ground.services.repository.drop_cache()
    await check_replays(ground.database, table.number, 1 + accepted)


async def test_reading_a_game_also_refreshes_an_outdated_table(ground: Playground, other: Services) -> None:
    table = await ground.begun(ANN, BOB)
    await other.repository.table(table.number)
    played = await ground.step(table.number, random.Random(4))
    assert (await other.repository.game(table.number)).revision == played.revision
    assert await other.repository.table(table.number) == played.table


async def test_an_interaction_repeated_at_another_process_gets_the_first_result(
    ground: Playground, other: Services
) -> None:
    table = await ground.begun(ANN, BOB)
    game = await other.repository.game(table.number)
    seat = game.to_act[0]
    user, action = table.user_at(game, seat), choose(game, seat, random.Random(1))
    first = await ground.play(table.number, user, action, interaction="x")
    again = await other.games.act(table.number, user, Play(action), "x")
    assert (again.repeated, again.revision, again.events) == (True, first.revision, first.events)
    await check_replays(ground.database, table.number, first.revision)


async def test_two_processes_start_a_game_only_once(ground: Playground, other: Services) -> None:
    table = await ground.lobby(ANN, BOB)
    await other.repository.table(table.number)
    results = await asyncio.gather(
        ground.services.lobby.start(table.number, ANN, "closing", "s1"),
        other.lobby.start(table.number, ANN, "closing", "s2"),
        return_exceptions=True,
    )
    assert sorted(type(result).__name__ for result in results) == ["Done", "RefereeError"]
    await check_replays(ground.database, table.number, 1)


async def test_two_processes_open_only_one_table_in_a_channel(ground: Playground, other: Services) -> None:
    results = await asyncio.gather(
        *(services.lobby.new_table(GUILD, 77, ANN, Join("Ann"), ground.id()) for services in (ground.services, other)),
        return_exceptions=True,
    )
    [refusal] = [result for result in results if isinstance(result, BaseException)]
    assert isinstance(refusal, RefereeError)
    assert refusal.code == "channel-busy"
    assert len(await ground.store.numbers()) == 1  # PostgreSQL could have given number 1 to the refused one


async def test_a_channel_freed_by_another_process_is_free(ground: Playground, other: Services) -> None:
    table = await ground.lobby(ANN)
    await other.games.act(table.number, ANN, Cancel(), ground.id())
    assert (await ground.services.lobby.new_table(GUILD, table.channel, BOB, Join("Bob"), ground.id())).number == 2


async def test_two_processes_end_a_window_only_once(ground: Playground, other: Services) -> None:
    table, game = await window(ground)
    assert table.deadline is not None
    ground.clock = table.deadline.at
    serial = table.deadline.serial
    await other.repository.game(table.number)
    await asyncio.gather(ground.services.timekeeper.look(table.number), other.timekeeper.look(table.number))
    assert await ground.revision(table.number) == game.revision + 1
    store = ground.store
    last = Record.from_json((await store.records(table.number))[-1])
    assert last.action == Expire(serial)
    await check_replays(ground.database, table.number, game.revision + 1)


@pytest.mark.parametrize("begun", [False, True])
async def test_renames_and_changes_by_different_processes_are_all_kept(
    ground: Playground, other: Services, begun: bool
) -> None:
    table = await (ground.begun if begun else ground.lobby)(ANN, BOB)
    await other.repository.table(table.number)
    if not begun:
        await ground.act(table.number, CEM, Join(NAMES[CEM]))
    await other.people.rename(table.number, BOB, "Bobby")
    await ground.services.people.rename(table.number, ANN, "Anna")
    if not begun:
        await ground.act(table.number, ANN, SetOptions({"target": 7}))
    stored = await ground.store.table(table.number)
    assert stored is not None
    assert [m.name for m in stored.members] == ["Anna", "Bobby", "Cem"][: 2 if begun else 3]
    assert stored.config.target == (10 if begun else 7)
    assert stored.status == (RUNNING if begun else LOBBY)


async def test_the_store_refuses_a_change_based_on_an_older_version(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB)
    later = replace(table, host=BOB, version=table.version + 1)
    with pytest.raises(Conflict):
        await ground.store.save(Change(later, "x", (PANEL,), since=table.version - 1, at=100.0, members=True))
    assert await ground.store.table(table.number) == table
    assert await ground.store.interaction("x") is None
