"""What only SQLite files have: commits that cost one fsync, migrations, backups, and one sentence for the host."""

from __future__ import annotations

import asyncio
import errno
import itertools
import logging
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.plaintext import safe_name
from bot.projections import PANEL, Kind, Name, State
from bot.ratings import GameResult, PersonResult
from bot.servers import Overview
from bot.settings import NotNow, SettingsError
from bot.store import Change, Unavailable
from bot.store.sql.database import Execute
from bot.store.sqlite.copies import back_up
from bot.store.sqlite.database import Database
from bot.store.sqlite.file import Connection
from bot.store.sqlite.store import SqliteStore
from bot.table.parts import Handover, Motion, News
from tests.bot.noted import noted
from tests.bot.store.sample import MEMBERS, NEW, SEED, add, promise

HAND = Name(Kind.HAND, user=1)


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(tmp_path / "games.db")
    yield store
    await store.close()


@pytest.mark.parametrize("raw", ["[Free nitro](https://evil.example)", "@everyone", "||x||", "\u202eevil", "<@123>"])
async def test_an_unsafe_name_in_an_older_file_is_made_safe_when_read(store: SqliteStore, raw: str) -> None:
    member = replace(MEMBERS[0], name=raw)
    await add(store, replace(NEW, members=(member, *MEMBERS[1:])))
    table = await store.table(1)
    assert table is not None
    assert table.members == (replace(member, name=safe_name(raw)), *MEMBERS[1:])


async def test_all_stored_names_are_made_safe_when_read(store: SqliteStore) -> None:
    """Names in the news, in motions and offers of seats, the manager's, and those in results."""
    raw, safe = "discord.gg/abc", safe_name("discord.gg/abc")
    named: dict[str, Any] = {"news": (News("seated", name=raw, newcomer="\u3164"),), "manager": raw}
    named |= {"motions": (Motion("substitute", (), newcomer=9, name=raw),), "handovers": (Handover(0, 9, raw),)}
    table = await add(store, replace(NEW, members=(replace(MEMBERS[0], name=raw), *MEMBERS[1:]), **named))
    await store.set_result(1, GameResult(1, 5, 9.0, "base", (PersonResult(11, raw, 3, True),)))
    found = await store.table(table.number)
    assert found is not None
    assert (found.news[0].name, found.news[0].newcomer) == (safe, "player")
    assert (found.motions[0].name, found.handovers[0].name, found.manager) == (safe, safe, safe)
    assert (await store.results())[0].people[0].name == safe


async def test_a_closed_store_is_unavailable(store: SqliteStore) -> None:
    await store.close()
    with pytest.raises(Unavailable):
        await store.pending()


async def test_an_action_costs_one_durable_commit_as_does_a_post_and_marks_cost_none(store: SqliteStore) -> None:
    """In WAL mode, a commit syncs once with FULL, and not at all with NORMAL."""
    table = await add(store)
    statements: list[str] = []
    await store._database._connection._connection.set_trace_callback(statements.append)
    mode = "FULL"
    durable = 0

    def count() -> int:
        nonlocal mode, durable
        for sql in statements:
            if sql.startswith("PRAGMA synchronous"):
                mode = sql.split()[-1]
            durable += sql == "COMMIT" and mode == "FULL"
        statements.clear()
        return durable

    for number in range(5):
        await store.save(
            Change(
                replace(table, version=number + 2, changes=number + 1),
                f"a{number}",
                (PANEL, HAND),
                since=number + 1,
                at=100.0,
                records=[(number, 0, [])],
            )
        )
        assert count() == 2 * number + 1
        await store.note(1, [noted(PANEL, number + 2, 5, 7)])
        await store.note(1, [noted(HAND, number + 2, 5, 8)])
        assert count() == 2 * number + 1
        await store.note(1, [replace(noted(HAND, number + 2, 5, 8), state=State.POSTING)])
        assert count() == 2 * number + 2
    await store.promise(7, 300.0)
    assert count() == 11, "what was promised comes"
    lists = [Overview(5, 6, 100.0, ""), Overview(5, 6, 160.0, "1"), Overview(8, 9, 160.0, "1")]
    changes = list(itertools.pairwise([None, *lists, None]))
    for (before, after), synced in zip(changes, (12, 12, 13, 14), strict=True):
        assert await store.set_overview(3, before, after)
        assert count() == synced, "which message lists the games was told; that it was edited wasn't"


async def test_a_full_disk_makes_the_store_unavailable(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await add(store)
    with monkeypatch.context() as patch:

        def full(sql: str, values: object = ()) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        patch.setattr(store._database._connection, "_fetch", full)
        with pytest.raises(Unavailable, match="disk is full"):
            await store.save(Change(replace(table, version=2), "i5", (), since=1, at=100.0))
        with pytest.raises(Unavailable, match="disk is full"):
            await store.table(1)
    assert await store.table(1) == table


async def test_transactions_of_many_tasks_do_not_mix(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "x.db")

    async def transaction(user: int) -> None:
        async def body(run: Execute) -> None:
            for standing in range(5):
                await run(("INSERT OR REPLACE INTO people VALUES ('', ?, 1, 0, ?, '{}')", (user, standing)))
            if user % 3 == 0:
                raise ValueError(user)

        await database.write(body, durable=user % 2 == 0)

    results = await asyncio.gather(*(transaction(user) for user in range(30)), return_exceptions=True)
    assert [user for user, result in enumerate(results) if result] == list(range(0, 30, 3))
    rows = await database.read("SELECT user, standing FROM people")
    assert {(row[0], row[1]) for row in rows} == {(user, 4) for user in range(30) if user % 3}
    await database.close()


async def test_a_transaction_that_waits_for_something_else_is_undone(store: SqliteStore) -> None:
    async def body(run: Execute) -> None:
        await run(("INSERT INTO people VALUES ('', 7, 1, 0, 0, '{}')", ()))
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="waits"):
        await store._database.write(body)
    assert await store._database.read("SELECT * FROM people") == []


async def test_a_backup_is_consistent_even_while_others_write(store: SqliteStore, tmp_path: Path) -> None:
    table = await add(store)
    await store.note(1, [noted(PANEL, 1, 5, 7)])
    target = tmp_path / "backup.db"
    saves = [
        store.save(
            Change(
                replace(table, changes=n - 1, version=n), f"a{n}", (PANEL,), since=n - 1, at=100.0, records=[(n, 0, [])]
            )
        )
        for n in range(2, 30)
    ]
    await asyncio.gather(asyncio.to_thread(back_up, store._database.path, target), *saves)
    assert not (tmp_path / "backup.db.partial").exists()
    copy = await SqliteStore.open(target)
    old = await copy.table(1)
    assert old is not None
    assert old.version == max(1, (await copy.progress(1)).records + 1)
    with closing(sqlite3.connect(target)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    await copy.close()


async def test_the_file_is_safe_private_and_migrated_once(store: SqliteStore, tmp_path: Path) -> None:
    await add(store)
    run = store._database.read
    assert [tuple(row) for row in await run("PRAGMA journal_mode")] == [("wal",)]
    assert [tuple(row) for row in await run("PRAGMA synchronous")] == [(2,)]
    assert [tuple(row) for row in await run("PRAGMA foreign_keys")] == [(1,)]
    assert (tmp_path / "games.db").stat().st_mode & 0o077 == 0
    await store.close()
    again = await SqliteStore.open(tmp_path / "games.db")
    assert await again.table(1) is not None
    store._database = again._database  # the fixture closes it


@pytest.mark.parametrize("content", [b"this is no database at all, by any means" * 100, None])
async def test_a_wrong_file_is_reported_in_one_sentence(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "wrong.db"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(SettingsError, match=r"database file .*wrong\.db can't be"):
        await SqliteStore.open(path)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EMFILE, errno.EACCES])
async def test_only_trouble_that_can_pass_while_a_file_is_made_is_worth_another_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def fail(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("bot.store.sqlite.database.os.open", fail)
    with pytest.raises(SettingsError, match="can't be opened: ") as refused:
        await SqliteStore.open(tmp_path / "games.db")
    assert isinstance(refused.value, NotNow) == (number != errno.EACCES)


@pytest.mark.parametrize(
    "code", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_READONLY]
)
async def test_only_trouble_of_a_file_that_can_pass_is_worth_another_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    async def fail(*_: object) -> None:
        error = sqlite3.OperationalError("the disk is busy")
        error.sqlite_errorcode = code
        raise error

    monkeypatch.setattr(Connection, "ask", fail)
    with pytest.raises(SettingsError, match="can't be used: the disk is busy") as refused:
        await SqliteStore.open(tmp_path / "games.db")
    assert isinstance(refused.value, NotNow) == (code != sqlite3.SQLITE_READONLY)


async def test_a_file_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "newer.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 9000")
    with pytest.raises(SettingsError, match="newer version"):
        await SqliteStore.open(path)


async def test_the_values_of_statements_are_not_logged(store: SqliteStore, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        await add(store)
    for value in (promise(1), SEED.hex(), repr(SEED)):
        assert value not in caplog.text
    assert "aiosqlite" not in caplog.text, "it logs values, in some of its versions"
