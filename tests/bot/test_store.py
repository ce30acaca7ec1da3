"""The store: one file, whole transactions, migrations, backup."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from bot.models import CANCELLED, LOBBY, OVER, PANEL, RUNNING, Member, Projection, Table, UserSettings
from bot.presentation.texts.marks import safe_name
from bot.settings import SettingsError
from bot.store import Conflict, Store
from bot.store.database import Database, Run
from bot.store.store import KEEP_INTERACTIONS
from engine.chance import commitment
from engine.config import Config

SEED = bytes(range(32))
MEMBERS = (
    Member(11, "Ann ✨", "red", True, "a phrase", "i1"),
    Member(12, "Bob", "blue", False, "", "i2"),
)
NEW = Table(
    number=0,
    guild=1,
    channel=5,
    status=LOBBY,
    host=11,
    anyone_starts=True,
    config=Config(("red", "blue"), target=8, options=(("a", "b"),)),
    members=MEMBERS,
    commitment="",
    entropy=(),
    version=1,
    created=100.0,
    updated=100.0,
)


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(tmp_path / "games.db")
    yield store
    await store.close()


async def add(store: Store, table: Table = NEW, interaction: str = "i0") -> Table:
    return await store.add_table(table, SEED, promise, interaction, (PANEL,))


def promise(number: int) -> str:
    return commitment(SEED, str(number))


async def test_a_table_comes_back_as_it_was_stored(store: Store) -> None:
    table = await add(store)
    assert table == replace(NEW, number=1, commitment=promise(1))
    assert await store.table(1) == await store.open_table(5) == await store.latest_table(5) == table
    assert await store.seed(1) == SEED
    changed = replace(
        table, status=RUNNING, host=12, entropy=("i1", "ß"), version=2, updated=101.5, members=MEMBERS[1:]
    )
    await store.save(changed, "i3", (PANEL,), since=1, at=100.0, members=True, records=[(0, -1, {"a": [1]})])
    assert await store.table(1) == changed
    assert await store.records(1) == [{"a": [1]}]
    assert await store.revision(1) == 1
    assert await store.interaction("i0") == (1, None)
    assert await store.interaction("i3") == (1, 0)
    assert await store.interaction("i4") is None


@pytest.mark.parametrize("raw", ["[Free nitro](https://evil.example)", "@everyone", "||x||", "\u202eevil", "<@123>"])
async def test_a_raw_name_of_an_older_file_is_read_as_a_safe_one(store: Store, raw: str) -> None:
    member = replace(MEMBERS[0], name=raw)
    await add(store, replace(NEW, members=(member, *MEMBERS[1:])))
    table = await store.table(1)
    assert table is not None
    assert table.members == (replace(member, name=safe_name(raw)), *MEMBERS[1:])


async def test_the_games_of_a_channel_the_newest_first(store: Store, tmp_path: Path) -> None:
    tables = [(OVER, 5), (CANCELLED, 5), (OVER, 6), (OVER, 5), (LOBBY, 5)]
    for number, (status, channel) in enumerate(tables):
        await add(store, replace(NEW, status=status, channel=channel), interaction=f"i{number}")
    assert await store.tables_in(5, [OVER], 10) == [4, 1]
    assert await store.tables_in(5, [OVER, LOBBY], 2) == [5, 4]
    assert await store.tables_in(5, [RUNNING], 10) == []
    other = await Store.open(tmp_path / "games.db", run="another")
    assert await other.tables_in(5, [OVER], 10) == []
    await other.close()


async def test_a_table_without_members_is_a_table(store: Store) -> None:
    table = await add(store, replace(NEW, members=(), config=Config(())))
    assert await store.table(1) == table


async def test_one_open_table_a_channel_is_kept_by_the_file_too(store: Store) -> None:
    table = await add(store)
    with pytest.raises(Conflict):
        await add(store, interaction="other")
    assert await store.interaction("other") is None  # nothing of it is left
    await store.save(replace(table, status=CANCELLED, version=2), "i5", (), since=1, at=100.0)
    assert await store.open_table(5) is None
    assert (await add(store, interaction="other")).number == 2


async def test_a_repeated_interaction_undoes_all_of_its_transaction(store: Store) -> None:
    table = await add(store)
    await store.save(replace(table, version=2), "i5", (), since=1, at=100.0, records=[(0, -1, [])])
    with pytest.raises(Conflict):
        await store.save(replace(table, version=3, host=12), "i5", (), since=2, at=100.0, records=[(1, 0, [])])
    assert (await store.table(1)) == replace(table, version=2)
    assert await store.revision(1) == 1


async def test_runs_share_a_file_and_nothing_else(store: Store, tmp_path: Path) -> None:
    await add(store)
    other = await Store.open(tmp_path / "games.db", run="offline 2")
    assert await other.open_table(5) is None
    assert await other.interaction("i0") is None
    assert await other.table(1) is None
    assert await other.any_table(1) is not None
    assert (await add(other)).number == 2  # numbers go on, ids start anew
    assert await store.pending() == [1]
    assert await other.pending() == [2]
    await other.close()


async def test_marks_of_what_is_shown(store: Store) -> None:
    table = await add(store)
    assert await store.projections(1) == [Projection(PANEL, 1, 0, None, None)]
    await store.shown(1, PANEL, 1, 5, 77)
    await store.shown(1, "ping:11", 1, 5, 78)
    assert await store.pending() == []
    await store.save(replace(table, version=2), "i5", (PANEL,), since=1, at=100.0)
    assert await store.pending() == [1]
    await store.shown(1, PANEL, 2, None, None)  # edited in place
    await store.shown(1, PANEL, 1, 5, 99)  # late: an older one
    assert await store.projections(1) == [
        Projection(PANEL, 2, 2, 5, 77),
        Projection("ping:11", 1, 1, 5, 78),
    ]
    await store.gone(1, "ping:11")
    assert len(await store.projections(1)) == 1


async def test_settings_have_defaults_and_are_kept(store: Store) -> None:
    assert await store.settings(7) == UserSettings(7)
    chosen = UserSettings(7, dms=False, dms_closed=True, standing=6)
    await store.save_settings(chosen)
    assert await store.settings(7) == chosen


async def test_old_interactions_are_deleted(store: Store) -> None:
    table = await add(store)
    await store.save(replace(table, version=2), "i5", (), since=1, at=200.0)
    await store.save(replace(table, version=3), "i6", (), since=2, at=150.0 + KEEP_INTERACTIONS)
    await store._database.fold()
    assert await store.interaction("i0") is None
    assert await store.interaction("i5") == (1, None)
    await store.save(replace(table, version=4), "i7", (), since=3, at=900.0 + KEEP_INTERACTIONS)
    await store._database.fold()
    assert await store.interaction("i5") == (1, None)  # until the next hour


async def test_an_action_is_one_durable_commit_and_marks_are_none(store: Store) -> None:
    """In WAL mode a commit syncs once with FULL and not at all with NORMAL."""
    table = await add(store)
    said: list[str] = []
    await store._database._connection.set_trace_callback(said.append)
    mode = "FULL"
    durable = 0

    def count() -> int:
        nonlocal mode, durable
        for sql in said:
            if sql.startswith("PRAGMA synchronous"):
                mode = sql.split()[-1]
            durable += sql == "COMMIT" and mode == "FULL"
        said.clear()
        return durable

    for number in range(5):
        await store.save(
            replace(table, version=number + 2),
            f"a{number}",
            (PANEL, "hand:1"),
            since=number + 1,
            at=100.0,
            records=[(number, 0, [])],
        )
        assert count() == number + 1
        await store.shown(1, PANEL, number + 2, 5, 7)
        await store.shown(1, "hand:1", number + 2, 5, 8)
        assert count() == number + 1


async def test_a_cancelled_commit_is_whole(store: Store) -> None:
    table = await add(store)
    for number in range(20):
        task = asyncio.create_task(
            store.save(
                replace(table, version=number + 2),
                f"a{number}",
                (PANEL,),
                since=number + 1,
                at=100.0,
                records=[(number, 0, [])],
            )
        )
        for _ in range(number):
            await asyncio.sleep(0)
        if number % 2:
            await asyncio.sleep(0.001)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        now = await store.table(1)  # comes after it: the lock is kept until the end
        done = await store.revision(1)
        assert now is not None
        if number == 0:  # cancelled before it began
            assert (done, now.version) == (0, 1)
            await store.save(replace(table, version=2), "a0", (), since=1, at=100.0, records=[(0, 0, [])])
        else:
            assert (done, now.version) == (number + 1, number + 2)


async def test_transactions_of_many_tasks_do_not_mix(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "x.db")

    async def transaction(user: int) -> None:
        async def body(run: Run) -> None:
            for standing in range(5):
                await run(("INSERT OR REPLACE INTO people VALUES ('', ?, 1, 0, ?)", (user, standing)))
                await asyncio.sleep(0)
            if user % 3 == 0:
                raise ValueError(user)

        await database.write(body, durable=user % 2 == 0)

    results = await asyncio.gather(*(transaction(user) for user in range(30)), return_exceptions=True)
    assert [user for user, result in enumerate(results) if result] == list(range(0, 30, 3))
    rows = await database.read("SELECT user, standing FROM people")
    assert {(row[0], row[1]) for row in rows} == {(user, 4) for user in range(30) if user % 3}
    await database.close()


async def test_a_backup_is_a_whole_store_while_others_write(store: Store, tmp_path: Path) -> None:
    table = await add(store)
    await store.shown(1, PANEL, 1, 5, 7)
    target = tmp_path / "backup.db"
    saves = [
        store.save(replace(table, version=n), f"a{n}", (PANEL,), since=n - 1, at=100.0, records=[(n, 0, [])])
        for n in range(2, 30)
    ]
    await asyncio.gather(store.backup(target), *saves)
    assert not (tmp_path / "backup.db.partial").exists()
    copy = await Store.open(target)
    old = await copy.table(1)
    assert old is not None
    assert old.version == max(1, await copy.revision(1) + 1)
    with closing(sqlite3.connect(target)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    await copy.close()


async def test_the_file_is_safe_private_and_migrated_once(store: Store, tmp_path: Path) -> None:
    await add(store)
    run = store._database.read
    assert [tuple(row) for row in await run("PRAGMA journal_mode")] == [("wal",)]
    assert [tuple(row) for row in await run("PRAGMA synchronous")] == [(2,)]
    assert [tuple(row) for row in await run("PRAGMA foreign_keys")] == [(1,)]
    assert (tmp_path / "games.db").stat().st_mode & 0o077 == 0
    await store.close()
    again = await Store.open(tmp_path / "games.db")
    assert await again.table(1) is not None
    store._database = again._database  # the fixture closes it


@pytest.mark.parametrize("content", [b"this is no database at all, by any means" * 100, None])
async def test_a_wrong_file_is_one_sentence_for_the_host(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "wrong.db"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(SettingsError, match=r"database file .*wrong\.db can't be"):
        await Store.open(path)


async def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "newer.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 9000")
    with pytest.raises(SettingsError, match="newer version"):
        await Store.open(path)


async def test_nothing_of_a_statement_is_logged(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        await add(store)
    assert promise(1) not in caplog.text
    assert SEED.hex() not in caplog.text
    assert repr(SEED) not in caplog.text
