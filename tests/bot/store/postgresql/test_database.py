"""A PostgreSQL database that is out of reach, old, read-only or newer: one sentence, and which error of ours it is."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import asyncpg
import pytest

from bot.settings import NotNow, SettingsError
from bot.store import Conflict, Unavailable, open_store
from bot.store.postgresql import database as module
from bot.store.postgresql.database import NEWEST_STEP, Database, numbered
from bot.store.sql import tables
from bot.store.sql.database import Execute
from tests.bot.store.before import LAST, make_tables
from tests.postgres import NewDatabase

STEP = "SELECT max(number) FROM schema_version"
ALIVE = (
    "INSERT INTO processes (run, process, held_until)"
    " VALUES ('discord', 'p', extract(epoch FROM clock_timestamp()) + {})"
)


async def execute(address: str, sql: str) -> Any:
    """Run a statement. Returns a query's value, or a command's status."""
    connection = await asyncpg.connect(address)
    try:
        return await (connection.fetchval(sql) if sql.startswith("SELECT") else connection.execute(sql))
    finally:
        await connection.close()


def test_question_marks_become_numbers() -> None:
    assert numbered("SELECT ? + ?, 1") == "SELECT $1 + $2, 1"


async def test_processes_that_start_together_migrate_once(new_database: NewDatabase) -> None:
    address = new_database()
    stores = await asyncio.gather(*(open_store(address) for _ in range(6)))
    assert await execute(address, "SELECT count(*) FROM schema_version") == 1
    for store in stores:
        assert await store.numbers() == []
        await store.close()


async def test_a_migration_step_that_fails_leaves_the_schema_as_it_was(
    new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, steps = new_database(), tables.steps(module.__package__)
    monkeypatch.setattr(tables, "steps", lambda _: steps | {9000: "CREATE TABLE more (n INTEGER); SELECT 1 / 0;"})
    with pytest.raises(SettingsError, match="can't be used: DivisionByZeroError"):
        await open_store(address)
    assert await execute(address, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 0
    monkeypatch.undo()
    await (await open_store(address)).close()


async def test_a_newer_schema_is_refused(new_database: NewDatabase) -> None:
    address = new_database()
    await (await open_store(address)).close()
    await execute(address, "INSERT INTO schema_version VALUES (9000)")
    with pytest.raises(NotNow, match="belongs to a newer version of Harbormaster"):  # it can be installed anytime
        await open_store(address)


async def test_only_a_start_changes_the_tables_under_running_processes(new_database: NewDatabase) -> None:
    address = new_database()
    await (await make_tables(address)).close()
    await execute(address, ALIVE.format(60))
    sentence = (
        rf"has the tables of an earlier version of Harbormaster \({LAST}, not \d+\), which is running: restart it"
    )
    with pytest.raises(NotNow, match=sentence):
        await open_store(address, make=False)
    await (await open_store(address, make=False, update=False)).close()
    assert await execute(address, STEP) == LAST
    await (await open_store(address)).close()
    assert await execute(address, STEP) == NEWEST_STEP


async def test_where_no_process_runs_a_command_brings_the_tables_up_to_date(new_database: NewDatabase) -> None:
    address = new_database()
    await (await make_tables(address)).close()
    await execute(address, ALIVE.format(-1))
    await (await open_store(address, make=False)).close()
    assert await execute(address, STEP) == NEWEST_STEP


async def test_an_old_server_is_refused(new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OLDEST", 990000)
    with pytest.raises(SettingsError, match=r"is PostgreSQL \d\d; Harbormaster needs 99 or newer"):
        await open_store(new_database())


async def test_a_read_only_database_is_refused(new_database: NewDatabase) -> None:
    address = new_database()
    name = await execute(address, "SELECT current_database()")
    await execute(address, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with pytest.raises(SettingsError, match="is read-only"):
        await open_store(address)


async def test_a_missing_database_is_reported_in_one_sentence(new_database: NewDatabase) -> None:
    address = new_database()
    name = await execute(address, "SELECT current_database()")
    with pytest.raises(SettingsError, match=r'can.t be used: database "missing" does not exist\.$'):
        await open_store(address.replace(f"/{name}?", "/missing?"))


async def test_what_is_no_address_is_reported_with_an_example() -> None:
    example = r"^DATABASE_URL isn't the address of a database, which looks like postgresql://user:password@host/name\.$"
    with pytest.raises(SettingsError, match=example):
        await open_store("postgresql://ann:secret@127.0.0.1:port/games")


async def test_an_unreachable_server_is_tried_again_only_by_a_patient_start(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "CONNECT_AGAIN", (0.01, 0.02))
    with pytest.raises(SettingsError, match=r"^The PostgreSQL database games on 127.0.0.1 can't be reached: .*\.$"):
        await open_store("postgresql://ann:secret@127.0.0.1:1/games")
    assert caplog.text == ""
    with pytest.raises(SettingsError, match="can't be reached"):
        await open_store("postgresql://ann:secret@127.0.0.1:1/games", patient=True)
    assert caplog.text.count("will be tried again") == 2
    assert "secret" not in caplog.text


async def test_a_duplicate_row_is_a_conflict_and_the_error_reveals_no_values(new_database: NewDatabase) -> None:
    database = await Database.open(new_database())
    insert = "INSERT INTO people (run, \"user\", dms, dms_closed, standing) VALUES ('hidden', ?, 1, 0, 4)"
    await database.write(lambda run: run((insert, (7,))))
    with pytest.raises(Conflict) as clash:
        await database.write(lambda run: run((insert, (7,))))
    assert "hidden" not in str(clash.value)
    await database.close()


async def test_only_durable_writes_wait_for_the_disk(new_database: NewDatabase) -> None:
    database = await Database.open(new_database())

    async def mode(run: Execute) -> str:
        [[row]] = await run(("SHOW synchronous_commit", ()))
        return str(row[0])

    assert await database.write(mode) == await database.transaction(mode) == "on"
    assert await database.write(mode, durable=False) == "off"
    assert [row[0] for row in await database.mark("SHOW synchronous_commit")] == ["off"]
    await database.close()


async def test_a_cut_connection_is_unavailable_and_the_next_one_works(new_database: NewDatabase) -> None:
    address = new_database()
    database = await Database.open(address)
    with pytest.raises(Unavailable):
        await database.read("SELECT pg_terminate_backend(pg_backend_pid())")
    assert [tuple(row) for row in await database.read("SELECT 1")] == [(1,)]
    await database.close()


async def test_a_row_locked_by_another_connection_is_unavailable_after_a_while(
    new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(module.SETTINGS, "lock_timeout", "100ms")
    address = new_database()
    database = await Database.open(address)
    await database.write(lambda run: run(("INSERT INTO runs (run, seen) VALUES ('a', 0)", ())))
    holder = await asyncpg.connect(address)
    async with holder.transaction():
        await holder.execute("UPDATE runs SET seen = 1")
        with pytest.raises(Unavailable):
            await database.write(lambda run: run(("UPDATE runs SET seen = 2", ())))
    await holder.close()
    await database.write(lambda run: run(("UPDATE runs SET seen = 2", ())))
    assert [tuple(row) for row in await database.read("SELECT seen FROM runs")] == [(2.0,)]
    await database.close()


async def test_a_clock_that_differs_is_noticed(new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await open_store(new_database())
    assert await store.ahead() == 0.0
    now = time.time
    for error in (20.0, -20.0):
        monkeypatch.setattr(time, "time", lambda error=error: now() + error)
        assert await store.ahead() == pytest.approx(error, abs=2.0)
    await store.close()
