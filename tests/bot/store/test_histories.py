"""Finished games are packed some time after their end: they read as before, damage is noticed, a kill does no harm."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot import export
from bot.export import dump, load
from bot.store import Change, Damaged, Store, open_store
from bot.store.base import Conflict, Unavailable
from bot.store.sql import upkeep
from bot.store.sqlite import database as sqlite_database
from bot.store.sqlite.check import examine
from bot.store.sqlite.store import SqliteStore
from bot.table.table import OVER
from engine.actions import Resign
from tests.bot.old_files import HASHES, earlier
from tests.bot.playground import ANN, BOB, Playground
from tests.bot.store.behind import ask, tidy, tidy_only_when_asked
from tests.bot.store.filled import filled


async def asked(store: Store, sql: str) -> list[Any]:
    """The first column of a query's result."""
    return [row[0] for row in await ask(store, sql)]


async def finished(ground: Playground, channel: int = 50) -> int:
    """The number of a game that is over."""
    tidy_only_when_asked(ground.store)
    table = await ground.begun(ANN, BOB, channel=channel)
    await ground.advance(table.number, lambda game: game.revision > 20)
    await ground.play(table.number, ANN, Resign())
    return table.number


async def is_packed(store: Store) -> Sequence[int]:
    """The numbers of the packed games."""
    numbers = await asked(store, "SELECT number FROM games WHERE packed IS NOT NULL ORDER BY number")
    assert numbers == await asked(store, "SELECT game FROM histories ORDER BY game")
    return numbers


@pytest.mark.on_databases
async def test_a_packed_game_reads_the_same_as_before(ground: Playground) -> None:
    number, running = await finished(ground), (await ground.begun(ANN, BOB, channel=51)).number
    store = ground.store
    before, progress = await store.records(number), await store.progress(number)
    exported = dump(await ground.services.games.export(number))
    await tidy(store)
    assert await is_packed(store) == [number]
    assert await asked(store, "SELECT DISTINCT game FROM records") == [running]
    assert await store.records(number) == before
    for since in (1, 17, len(before) - 1, len(before)):
        assert await store.records(number, since) == before[since:]
    assert await store.progress(number) == progress
    ground.services.repository.drop_cache()
    assert dump(await ground.services.games.export(number)) == exported
    export.verified(load(exported))
    await ground.step(running, random.Random(1))


@pytest.mark.on_databases
@pytest.mark.parametrize("way", [1, -1])
async def test_only_games_that_ended_over_an_hour_ago_are_packed(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, way: int
) -> None:
    """If the clock was set back since (`way`), what it shows is no reason to wait."""
    await ground.begun(ANN, BOB, channel=51)
    number, store = await finished(ground), ground.store
    updated = (await ground.table(number)).updated
    monkeypatch.setattr(time, "time", lambda: updated + way * (upkeep.PACK_AFTER - 1))
    await tidy(store)
    assert await is_packed(store) == []
    monkeypatch.setattr(time, "time", lambda: updated + way * (upkeep.PACK_AFTER + 1))
    await tidy(store)
    assert await is_packed(store) == [number]


@pytest.mark.on_databases
async def test_records_added_after_packing_are_read_too_and_cannot_be_added_twice(ground: Playground) -> None:
    number, store = await finished(ground), ground.store
    table, before = await ground.table(number), await store.records(number)
    await tidy(store)
    late_record, n = {"n": len(before), "by": -1}, len(before)
    change = Change(replace(table, version=table.version + 1), "late", (), since=table.version, at=1.0)
    await store.save(replace(change, records=[(n, -1, late_record)]))
    assert await store.records(number) == [*before, late_record]
    assert await store.records(number, n - 1) == [before[-1], late_record]
    assert await store.records(number, n) == [late_record]
    assert (await store.progress(number)).records == n + 1
    with pytest.raises(Conflict):
        await store.save(replace(change, interaction="later", records=[(n, -1, late_record)]))


@pytest.mark.on_databases
async def test_two_processes_pack_each_game_once(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "GAMES_AT_ONCE", 2)
    numbers = [await finished(ground, channel) for channel in range(50, 55)]
    before = [await ground.store.records(number) for number in numbers]
    other = await open_store(ground.database)
    await asyncio.gather(tidy(ground.store), tidy(other))
    assert await is_packed(other) == numbers
    assert [await other.records(number) for number in numbers] == before
    await other.close()


@pytest.mark.on_databases
async def test_a_game_that_cannot_be_read_is_not_packed_and_does_not_hold_up_others(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "GAMES_AT_ONCE", 1)
    numbers, store = [await finished(ground, channel) for channel in range(50, 54)], ground.store
    for number, sql in {
        numbers[0]: "UPDATE records SET body = '[]' WHERE game = ? AND number = 3",
        numbers[2]: "DELETE FROM records WHERE game = ? AND number = 3",
    }.items():
        await ask(store, sql, number)
    await tidy(store)
    assert await is_packed(store) == numbers[1::2]
    await tidy(store)
    assert await is_packed(store) == numbers[1::2]
    for number in numbers[::2]:
        with pytest.raises(Damaged):
            await store.records(number)


DAMAGE = {
    "a byte of it": (
        "UPDATE histories SET body = CAST(substr(body, 1, 40) || x'00' || substr(body, 42) AS BLOB)",
        "wrong checksum",
    ),
    "its length": ("UPDATE histories SET body = substr(body, 1, length(body) - 1)", "wrong checksum"),
    "how many there are": ("UPDATE games SET packed = packed + 1 WHERE packed IS NOT NULL", "wrong checksum"),
    "that it is gone": ("DELETE FROM histories", "its records are gone"),
}


@pytest.mark.parametrize(("sql", "reason"), DAMAGE.values(), ids=DAMAGE)
async def test_damage_to_a_packed_game_is_noticed_at_the_start_and_when_it_is_read(
    ground: Playground, caplog: pytest.LogCaptureFixture, sql: str, reason: str
) -> None:
    number = await finished(ground)
    await tidy(ground.store)
    await ground.close()
    assert examine(ground.path).games == {}
    with closing(sqlite3.connect(ground.path, isolation_level=None)) as connection:
        connection.execute(sql)
    [(damaged, why)] = examine(ground.path).games.items()
    assert (damaged, reason in why) == (number, True)
    await ground.open()
    with pytest.raises(Damaged):
        await ground.store.records(number)
    assert reason in caplog.text


async def test_the_games_of_an_earlier_release_are_packed_and_stay_the_same(tmp_path: Path) -> None:
    ground = Playground(earlier(tmp_path / "old.db"))
    await ground.open()
    await tidy(ground.store)
    assert await is_packed(ground.store) == [1]
    assert {number: (await ground.game(number)).hash() for number in HASHES} == HASHES
    assert (await ground.table(1)).status == OVER
    await ground.close()
    assert examine(ground.path).games == {}


@pytest.mark.on_databases
async def test_packing_that_fails_halfway_leaves_a_game_as_it_was(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, store = await finished(ground), ground.store
    before = await store.records(number)
    write = store._database.write

    async def break_off(body: Any, **how: Any) -> Any:
        async def broken(run: Any) -> None:
            await body(run)
            raise Unavailable("gone")

        return await write(broken, **how)

    with monkeypatch.context() as patch:
        patch.setattr(store._database, "write", break_off)
        await tidy(store)
    assert await is_packed(store) == []
    assert await store.records(number) == before
    await ground.kill()
    await tidy(ground.store)
    assert await is_packed(ground.store) == [number]
    assert await ground.store.records(number) == before


async def test_games_are_packed_in_the_background_a_few_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "GAMES_AT_ONCE", 2)
    await filled(tmp_path / "games.db", running=1, over=5, most=30)
    store = await SqliteStore.open(tmp_path / "games.db", exclusive=True, idle=0.1)
    assert await is_packed(store) == []
    await store.alive(1.0)  # any commit starts the upkeep
    counts = set[int]()
    with closing(sqlite3.connect(tmp_path / "games.db")) as beside:
        for _ in range(100):
            counts.update(beside.execute("SELECT count(*) FROM histories").fetchone())
            await asyncio.sleep(0.01)
    assert {0, 2, 4, 5} <= counts
    due = store._database._tidy_due
    assert sqlite_database.UPKEEP_EVERY - 5 < due - time.monotonic() <= sqlite_database.UPKEEP_EVERY
    await store.close()
    assert examine(tmp_path / "games.db").games == {}
