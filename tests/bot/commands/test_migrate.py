"""`harbormaster migrate`: either every game arrives unchanged and goes on in the target, or nothing is moved."""

from __future__ import annotations

import asyncio
import json
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from bot.settings import StoreAddress
from bot.store import moving, open_store
from bot.store.sql.database import Execute
from bot.store.sql.tables import KEYS
from bot.store.sqlite.file import lock
from bot.table.acts.lobby import Join
from bot.table.table import CANCELLED, LOBBY, OVER, RUNNING
from tests.bot.commands.moving import FILE, migrate, rows
from tests.bot.commands.stored import played
from tests.bot.old_files import HASHES, earlier
from tests.bot.playground import BOB, CEM, Playground
from tests.bot.store.behind import tidy
from tests.bot.store.filled import filled
from tests.postgres import NewDatabase

STATUSES = [OVER, RUNNING, RUNNING, LOBBY, CANCELLED, RUNNING]


def refused(capsys: pytest.CaptureFixture[str], source: object, target: object) -> str:
    """Check that `migrate` refuses and leaves no new file but the source's lock. Returns its sentence."""
    capsys.readouterr()
    before = {*Path().iterdir()}
    assert migrate(source, target) == 2
    assert {path.name for path in {*Path().iterdir()} - before} <= {"old.db.lock"}
    output = capsys.readouterr()
    [line] = output.err.splitlines()
    assert output.out == ""
    return line


async def play_on(database: StoreAddress) -> None:
    """Check that the games of release 0.1.0 are unchanged and go on, and that a new table gets the next number."""
    ground = Playground(database)
    ground.clock = 2_000_000.0
    for _ in range(20_000):
        ground.id()
    await ground.open()
    try:
        assert {number: (await ground.game(number)).hash() for number in HASHES} == HASHES
        assert [(await ground.table(number)).status for number in await ground.store.numbers()] == STATUSES
        assert (await ground.services.people.settings(BOB)).standing == 6
        table = await ground.table(3)
        assert table.deadline is not None
        for number in (2, 6):
            for n in range(5):
                await ground.step(number, random.Random(n))
        await ground.act(4, CEM, Join("Cem"))
        assert (await ground.lobby(BOB, channel=99)).number == 7
    finally:
        await ground.close()


def test_games_can_be_moved_to_postgresql_and_back_and_go_on(
    new_database: NewDatabase, capfd: pytest.CaptureFixture[str]
) -> None:
    path, place, back = earlier(Path("old.db")), new_database(), Path("new.db")
    moves: tuple[tuple[object, StoreAddress], ...] = ((FILE, place), (place, back))
    for source, target in moves:
        assert migrate(source, target) == 0
        assert "6 games moved and compared." in capfd.readouterr().out
        for table in KEYS:
            [here], [there] = (asyncio.run(rows(d, f"SELECT count(*) FROM {table}")) for d in (path, target))
            assert here == there, table
    for database in (place, back, path):  # the source, path, was left as it was
        asyncio.run(play_on(database))


def test_packed_and_unpacked_games_are_moved_in_many_batches(
    new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(moving, "ROWS_AT_A_TIME", 10)
    monkeypatch.setattr(moving, "GAMES_AT_A_TIME", 4)
    path, place = Path("many.db"), new_database(ready=True)

    async def fill() -> None:
        await filled(path, running=3, over=5, most=40)
        store = await open_store(path)
        await tidy(store)
        await store.close()

    asyncio.run(fill())
    assert migrate("many.db", place, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["moved"], report["games"], report["damaged"], report["different"]) == (True, 8, {}, [])
    assert report["rows"]["histories"] == 5
    assert report["rows"]["records"] == 60

    async def records(database: StoreAddress) -> list[Any]:
        store = await open_store(database)
        found = [await store.records(number) for number in await store.numbers()]
        await store.close()
        return found

    assert asyncio.run(records(path)) == asyncio.run(records(place))


def test_migrate_knows_all_tables_and_their_keys(tmp_path: Path) -> None:
    asyncio.run(rows(tmp_path / "new.db", "SELECT 1"))
    with closing(sqlite3.connect(tmp_path / "new.db")) as sql:
        names = sql.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        tables = {
            name: sql.execute("SELECT name, pk FROM pragma_table_info(?)", (name,)).fetchall() for (name,) in names
        }
    keys = {
        table: tuple(name for name, pk in sorted(found, key=lambda c: c[1]) if pk) for table, found in tables.items()
    }
    for left_behind in ("processes", "shards", "identifies"):
        del keys[left_behind]
    assert keys == KEYS


def test_a_damaged_game_is_reported_and_moved_unchanged(
    new_database: NewDatabase, capsys: pytest.CaptureFixture[str]
) -> None:
    path, place = earlier(Path("old.db")), new_database(ready=True)
    asyncio.run(
        rows(path, "UPDATE records SET body = replace(body, '\"by\":', '\"by\": ') WHERE game = 2 AND number = 9")
    )
    asyncio.run(rows(path, "UPDATE records SET checksum = 1 WHERE game = 2 AND number = 9"))
    asyncio.run(rows(path, 'UPDATE records SET body = \'{"n":7,"by":0}\' WHERE game = 1 AND number = 7'))
    assert migrate(FILE, place) == 3
    output = capsys.readouterr().out
    assert "6 games moved and compared." in output
    assert "Game 1 is damaged (it can't be replayed)" in output
    assert "Game 2 is damaged (record 9 has a wrong checksum)" in output
    query = "SELECT number, actor, body FROM records WHERE game = 2 ORDER BY number"
    assert asyncio.run(rows(path, query)) == asyncio.run(rows(place, query))


def test_the_source_cant_be_changed_during_a_move(
    new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier(Path("old.db"))
    place, copied = new_database(ready=True), moving._copied
    assert migrate(FILE, place) == 0
    refused = list[str]()

    async def copied_while_others_write(table: str, read: Execute, write: Execute) -> AsyncIterator[int]:
        async with asyncpg.create_pool(place, min_size=1, server_settings={"lock_timeout": "50"}) as others:
            with pytest.raises(asyncpg.LockNotAvailableError):
                await others.execute(f"DELETE FROM {table}")
        refused.append(table)
        async for some in copied(table, read, write):
            yield some

    monkeypatch.setattr(moving, "_copied", copied_while_others_write)
    assert migrate(place, "sqlite:new.db") == 0
    assert refused == [*KEYS]


def test_a_copy_that_differs_from_the_source_is_undone(
    new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier(Path("old.db"))
    place, copied = new_database(ready=True), moving._copied

    async def copied_wrongly(table: str, read: Execute, write: Execute) -> AsyncIterator[int]:
        async for count in copied(table, read, write):
            yield count
        if table == "records":
            await write(
                (
                    "DELETE FROM records WHERE game = 3 AND number = (SELECT max(number) FROM records r"
                    " WHERE r.game = 3)",
                    (),
                ),
                ("INSERT INTO records (game, number, actor, body, created) VALUES (2, 999, 0, '[]', 0)", ()),
            )

    with monkeypatch.context() as patch:
        patch.setattr(moving, "_copied", copied_wrongly)
        assert migrate(FILE, place) == 1
    assert capsys.readouterr().out.endswith("because games are not the same in the target: 2, 3.\n")
    assert asyncio.run(rows(place, "SELECT count(*) FROM games")) == [(0,)]
    assert migrate(FILE, place) == 0


def test_a_new_file_that_differs_from_the_source_is_deleted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier(Path("old.db"))
    copied = moving._copied

    async def copied_wrongly(table: str, read: Execute, write: Execute) -> AsyncIterator[int]:
        async for count in copied(table, read, write):
            yield count
        if table == "members":
            await write(("UPDATE members SET name = 'Eve'", ()))

    with monkeypatch.context() as patch:
        patch.setattr(moving, "_copied", copied_wrongly)
        assert migrate(FILE, "sqlite:new.db") == 1
    assert [*Path().glob("new.db*")] == []
    assert migrate(FILE, "sqlite:new.db") == 0
    assert Path("new.db").stat().st_mode & 0o077 == 0


def test_a_file_without_games_can_be_the_target_but_not_the_source(capsys: pytest.CaptureFixture[str]) -> None:
    earlier(Path("old.db"))
    asyncio.run(rows(Path("new.db"), "SELECT 1"))
    asyncio.run(rows(Path("none.db"), "SELECT 1"))
    assert "none.db holds no games, so there is nothing to move." in refused(capsys, "none.db", "sqlite:new.db")
    assert Path("new.db").exists()
    assert migrate(FILE, "sqlite:new.db") == 0
    asyncio.run(play_on(Path("new.db")))


BESIDE = {
    "people": "(run, \"user\", dms, dms_closed, standing) VALUES ('r', {0}, 1, 0, {1})",
    "runs": "(run, seen) VALUES ('r{0}', {1})",
    "reach": "(run, kind, number, at) VALUES ('r', 'game', {0}, {1})",
    "servers": "(run, guild, settings) VALUES ('r', {0}, '{1}')",
    "overviews": "(run, guild, channel, message, edited, shows) VALUES ('r', {0}, {1}, 5, 0, '')",
    "subscriptions": "(run, guild, \"user\", choices, told, through) VALUES ('r', {0}, 7, '', 0, {1})",
}
"""Rows that a database can have without games, by table. To fill in: a part of the key, and a value."""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_whatever_else_is_in_the_target_is_replaced(new_database: NewDatabase, kind: str) -> None:
    path = earlier(Path("old.db"))
    target: StoreAddress = Path("new.db") if kind == "sqlite" else new_database(ready=True)
    for table, values in BESIDE.items():
        asyncio.run(rows(path, f"INSERT INTO {table} {values.format(1, 10)}"))
        for key in (1, 2):
            asyncio.run(rows(target, f"INSERT INTO {table} {values.format(key, 20)}"))
    assert migrate(FILE, target) == 0
    for table in BESIDE:
        there, here = (asyncio.run(rows(place, f"SELECT * FROM {table}")) for place in (target, path))
        assert {*there} == {*here}, table


def test_games_in_a_file_that_had_others_before_are_not_taken_for_an_older_copy(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    asyncio.run(played(Path("old.db"), 3))
    asyncio.run(rows(Path("new.db"), "SELECT 1"))
    Path("new.db.latest").write_text("1 999\n", "ascii")  # its games were deleted since
    assert migrate(FILE, "sqlite:new.db") == 0

    async def start() -> None:
        await (await open_store(Path("new.db"), exclusive=True)).close()

    asyncio.run(start())
    assert caplog.text == ""


def test_refusals_are_one_sentence(new_database: NewDatabase, capsys: pytest.CaptureFixture[str]) -> None:
    path, place = earlier(Path("old.db")), new_database()
    name = r"The PostgreSQL database \w+ on [\w ]+"
    assert refused(capsys, "sqlite:none.db", place).startswith("harbormaster: There is no file none.db yet")
    assert refused(capsys, "mysql://a/b", place).startswith("harbormaster: --from must be a file, or an address that")
    assert refused(capsys, FILE, "postgresql:x").startswith("harbormaster: --to must look like postgresql://user:")
    same = refused(capsys, FILE, path.resolve())
    assert same == "harbormaster: The database file old.db is both source and target; name two places."
    assert " is both source and target; name two places." in refused(capsys, place, place)
    two = "postgresql://u@a.invalid:5432,b.invalid:5433/games"
    assert " is both source and target; name two places." in refused(capsys, two, two.replace("u@", "v:w@"))
    assert re.fullmatch(
        rf"harbormaster: {name} is empty: no game has been played in it yet\.", refused(capsys, place, "new.db")
    )
    mine = lock(path)
    assert " is in use by process " in refused(capsys, FILE, place)
    mine.release()
    mine = lock(Path("busy.db"))
    assert "busy.db is in use by process " in refused(capsys, FILE, "sqlite:busy.db")
    mine.release()
    asyncio.run(rows(place, f"INSERT INTO processes VALUES ('discord', 'p', {time.time() + 60})"))
    assert re.search(rf": {name} is in use by a running process; stop it first\.", refused(capsys, FILE, place))
    asyncio.run(rows(place, f"UPDATE processes SET held_until = {time.time() - 1}"))
    assert migrate(FILE, place) == 0
    assert re.fullmatch(
        rf"harbormaster: {name} holds 6 games; move into an empty database\.", refused(capsys, FILE, place)
    )
    with closing(sqlite3.connect(path)) as sql:
        sql.execute("PRAGMA user_version = 9000")
    assert refused(capsys, FILE, "new.db").endswith("old.db belongs to a newer version of Harbormaster.")


SLOW = """
import signal, sys, time
from contextlib import contextmanager
from bot.commands import shared, store
from bot.cli import main

shared.TELL_EVERY, progress = 0.0, shared.progress
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it

@contextmanager
def slow(silent):
    with progress(silent) as tell:
        def told(what, done, of):
            tell(what, done, of)
            if done > 10_000 or what == "games compared":  # where it is ended by this test
                time.sleep(0.3)
        yield told

store.progress = slow
sys.exit(main(sys.argv[1:]))
"""
"""A program that moves games, reports each step, and pauses after late steps, so that the test can end it there."""


@pytest.mark.soak
@pytest.mark.parametrize(
    ("to_server", "end"),
    [(True, signal.SIGKILL), (False, signal.SIGINT)],
    ids=["PostgreSQL-kill", "SQLite-Ctrl-C"],
)
def test_an_interrupted_move_leaves_no_games_and_can_be_repeated(
    new_database: NewDatabase, to_server: bool, end: signal.Signals
) -> None:
    target = new_database() if to_server else "sqlite:new.db"
    asyncio.run(filled(Path("many.db"), running=10, over=40))
    command = [sys.executable, "-c", SLOW, "migrate", "--from", "many.db", "--to", target]
    words = ("rows copied: ", r"rows copied: \d\d,\d{3} of", "games compared: 32 of 50")
    for word in words if end == signal.SIGKILL else words[2:]:
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            while not re.search(word, line := process.stderr.readline()):
                assert line, "it ended"
            process.send_signal(end)
            process.stderr.read()
        assert process.returncode == (130 if end == signal.SIGINT else -end)
        if to_server:
            assert asyncio.run(rows(target, "SELECT count(*) FROM games")) == [(0,)]
        else:
            assert not Path("new.db").exists()
    assert migrate("many.db", target) == 0
    assert not to_server or [*Path().glob("new.db*")] == []
    assert to_server or {path.name for path in Path().glob("new.db*")} == {"new.db", "new.db.lock"}


def test_rows_that_the_target_cant_store_are_refused_with_one_sentence(
    new_database: NewDatabase, capsys: pytest.CaptureFixture[str]
) -> None:
    path, place = earlier(Path("old.db")), new_database(ready=True)
    asyncio.run(rows(path, "UPDATE members SET name = 'a' || char(0) WHERE game = 2 AND position = 0"))
    sentence = refused(capsys, FILE, place)
    assert sentence.startswith("harbormaster: Nothing was moved: rows of members can't be stored there (")
    assert asyncio.run(rows(place, "SELECT count(*) FROM games")) == [(0,)]
