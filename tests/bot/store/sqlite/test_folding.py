"""The file alone is never far behind: its write-ahead log is folded into it at the start, when idle, and in between."""

from __future__ import annotations

import asyncio
import itertools
import logging
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.projections import PANEL
from bot.service import Services
from bot.store import Change
from bot.store.sqlite.database import Folding
from bot.store.sqlite.store import SqliteStore
from bot.table.table import Table
from tests.bot.playground import ANN, BOB, Playground
from tests.bot.store.sample import NEW, add


def alone(path: Path, sql: str) -> list[Any]:
    """The rows of a query on a copy of the file without its write-ahead log."""
    copy = shutil.copy(path, path.with_name("alone.db"))
    with closing(sqlite3.connect(copy)) as connection:
        return connection.execute(sql).fetchall()


async def until(reached: Callable[[], object]) -> None:
    """Wait until the condition holds."""
    async with asyncio.timeout(10.0):
        while True:
            with suppress(sqlite3.DatabaseError):  # the file was copied while it was being folded
                if reached():
                    return
            await asyncio.sleep(0.05)


async def act(store: SqliteStore, table: Table, number: int) -> None:
    changed = replace(table, version=number + 1, changes=number)
    await store.save(Change(changed, f"a{number}", (PANEL,), since=number, at=100.0, records=[(number, 0, [number])]))


async def test_the_file_has_its_tables_after_the_start(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store = await SqliteStore.open(path, exclusive=True)
    assert alone(path, "SELECT count(*) FROM games") == [(0,)]
    await store.close()


async def test_a_log_left_by_a_kill_is_folded_at_the_start(tmp_path: Path) -> None:
    path, dead = tmp_path / "games.db", tmp_path / "dead.db"
    store = await SqliteStore.open(path, exclusive=True)
    await add(store)
    for end in ("", "-wal"):
        shutil.copy(f"{path}{end}", f"{dead}{end}")
    await store.close()
    assert alone(dead, "SELECT count(*) FROM games") == [(0,)]
    again = await SqliteStore.open(dead, exclusive=True)
    assert alone(dead, "SELECT count(*) FROM games") == [(1,)]
    await again.close()


async def test_the_file_has_everything_when_idle(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store = await SqliteStore.open(path, exclusive=True, idle=0.1)
    table = await add(store)
    for number in range(1, 20):
        await act(store, table, number)
    assert alone(path, "SELECT count(*) FROM records") == [(0,)]
    await until(lambda: alone(path, "SELECT count(*) FROM records") == [(19,)])
    await store.close()


async def test_the_file_is_never_far_behind_during_constant_activity(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store = await SqliteStore.open(path, exclusive=True, idle=0.2, longest=0.5)
    table = await add(store)
    behind = []
    for number in range(1, 40):
        await act(store, table, number)
        await asyncio.sleep(0.05)
        [(count,)] = alone(path, "SELECT count(*) FROM records")
        behind.append(number - count)
    assert 2 < max(behind) < 16
    assert sum(b < a for a, b in itertools.pairwise(behind)) >= 3
    await store.close()


async def test_an_action_after_folding_still_costs_one_fsync(tmp_path: Path) -> None:
    """The first commit in a new log also syncs the log's header, even with NORMAL. Folding has already done that."""
    path = tmp_path / "games.db"
    store = await SqliteStore.open(path, exclusive=True)
    table = await add(store)
    for number in range(1, 5):
        await act(store, table, number)
    log = path.with_name(path.name + "-wal")
    before = log.read_bytes()[:32]
    assert await store._database.fold()
    begun = log.read_bytes()[:32]
    await act(store, table, 5)
    assert before != begun == log.read_bytes()[:32]  # the header has new salts
    await store.close()


async def test_folding_held_up_by_a_reader_is_done_later(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store = await SqliteStore.open(path, exclusive=True, idle=0.05, longest=0.3)
    table = await add(store)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM records").fetchall()
        await act(store, table, 1)
        await asyncio.sleep(0.2)
        assert alone(path, "SELECT count(*) FROM records") == [(0,)]
    await until(lambda: alone(path, "SELECT count(*) FROM records") == [(1,)])
    await store.close()


async def test_failed_folding_is_logged_in_one_line_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "games.db"
    store = await SqliteStore.open(path, exclusive=True, idle=0.05, longest=0.2)
    fetch = store._database._connection._fetch
    broken = True

    def fail(sql: str, values: tuple[Any, ...] = ()) -> Any:
        if broken and "wal_checkpoint" in sql:
            raise sqlite3.OperationalError("disk I/O error")
        return fetch(sql, values)

    monkeypatch.setattr(store._database._connection, "_fetch", fail)
    await add(store)

    def warned() -> list[logging.LogRecord]:
        return [record for record in caplog.records if record.levelno >= logging.WARNING]

    await until(warned)
    for line in warned():
        assert "disk I/O error" in line.getMessage()
        assert "\n" not in line.getMessage()
        assert line.exc_info is None
    broken = False
    await until(lambda: alone(path, "SELECT count(*) FROM games") == [(1,)])
    await store.close()


async def test_folding_does_not_cause_more_folding(tmp_path: Path) -> None:
    """Folding doesn't count as a commit that must be folded, too."""
    store = await SqliteStore.open(tmp_path / "games.db", exclusive=True, idle=0.05)
    folds = 0

    def count(sql: str) -> None:
        nonlocal folds
        folds += "wal_checkpoint" in sql

    await store._database._connection._connection.set_trace_callback(count)
    await add(store)
    await asyncio.sleep(0.4)
    assert folds == 1
    await store.close()


async def test_the_file_alone_has_the_whole_game(ground: Playground) -> None:
    await ground.close()
    ground.store = await SqliteStore.open(ground.path, exclusive=True, idle=0.05)
    ground.services = Services.of(ground.store)
    await ground.begun(ANN, BOB)
    await asyncio.sleep(0.3)
    copy = await SqliteStore.open(Path(shutil.copy(ground.path, ground.path.with_name("alone.db"))))
    assert await copy.records(1) == await ground.store.records(1) != []
    await copy.close()


def size(path: Path) -> int:
    return path.stat().st_size


async def test_the_store_does_not_fold_a_file_that_litestream_folds(tmp_path: Path) -> None:
    """Litestream folds; the store doesn't, neither at the start, nor when idle, nor at the end."""
    path = tmp_path / "games.db"
    await (await SqliteStore.open(path, exclusive=True)).close()
    before = size(path), alone(path, "SELECT count(*) FROM games")
    with closing(sqlite3.connect(path)) as litestream:  # while this has it open, SQLite doesn't fold on close
        litestream.execute("SELECT count(*) FROM games").fetchall()
        for channel in (5, 6):
            store = await SqliteStore.open(path, exclusive=True, idle=0.05, longest=0.05, litestream=True)
            try:
                await add(store, replace(NEW, channel=channel), f"i{channel}")
                await asyncio.sleep(0.5)
            finally:
                await store.close()
        assert (size(path), alone(path, "SELECT count(*) FROM games")) == before
        assert litestream.execute("SELECT count(*) FROM games").fetchall() == [(2,)]


async def test_a_large_log_that_litestream_does_not_fold_is_folded_anyway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("bot.store.sqlite.database.LARGE_LOG", 100_000)
    path = tmp_path / "games.db"
    log, number = Path(f"{path}-wal"), 0
    store = await SqliteStore.open(path, exclusive=True, idle=0.05, longest=0.05, litestream=True)
    try:
        table = await add(store)
        while size(log) <= 100_000:
            number += 1
            await act(store, replace(table, version=number), number)
        await until(lambda: size(log) < 100_000)
        assert alone(path, "SELECT count(*) FROM records") == [(number,)]
    finally:
        await store.close()
    assert [record.message for record in caplog.records] == [
        f"{path}-wal has 0 MB, so Harbormaster folds it: is Litestream running?"
    ]


async def test_what_a_last_fold_leaves_over_is_not_folded_after_the_end() -> None:
    """The file is closed by then."""
    folds, begun, readers_are_gone = list[int](), asyncio.Event(), asyncio.Event()

    async def fold() -> bool:
        folds.append(1)
        begun.set()
        await readers_are_gone.wait()
        folding.committed()
        return False

    folding = Folding(fold, idle=0.0, longest=0.0)
    folding.committed()
    await begun.wait()
    closing = asyncio.create_task(folding.close())
    await asyncio.sleep(0)
    readers_are_gone.set()
    await closing
    await asyncio.sleep(0.01)
    assert folds == [1]
