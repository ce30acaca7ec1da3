"""`migrate` and `restored` refuse while a process runs. Only the database's clock decides that, not this machine's. And
no command changes tables on which an earlier version runs."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import asyncpg
import pytest

from bot.cli import main
from tests.bot.commands.moving import FILE, migrate, rows
from tests.bot.commands.stored import READING
from tests.bot.old_files import earlier
from tests.bot.store.before import LAST, make_tables
from tests.postgres import NewDatabase

ALIVE = (
    "INSERT INTO processes (run, process, held_until)"
    " VALUES ('discord', 'p', extract(epoch FROM clock_timestamp()) + {})"
)


def test_the_databases_clock_decides_whether_a_process_is_running(
    new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier(Path("old.db"))
    place, real = new_database(ready=True), time.time
    assert migrate(FILE, place) == 0
    monkeypatch.setenv("DATABASE_URL", place)
    for left, off, status in ((25, 30.0, 2), (-1, -30.0, 0)):  # by this machine's clock it would be the other way round
        asyncio.run(rows(place, "DELETE FROM processes"))
        asyncio.run(rows(place, ALIVE.format(left)))
        monkeypatch.setattr(time, "time", lambda off=off: real() + off)
        assert main(["restored"]) == status
        assert migrate(place, "sqlite:new.db") == status
        assert ("is in use by a running process" in capsys.readouterr().err) == (status == 2)


ON_A_SERVER = {name: arguments for name, arguments in READING.items() if name != "backup"} | {"restored": []}


async def prepared(address: str, left: int) -> None:
    """Make the tables of an earlier version. One of its processes counts as running for some seconds."""
    connection = await make_tables(address)
    await connection.execute(ALIVE.format(left))
    await connection.close()


async def step(address: str) -> int:
    connection = await asyncpg.connect(address)
    try:
        return int(await connection.fetchval("SELECT max(number) FROM schema_version"))
    finally:
        await connection.close()


def test_no_command_changes_the_tables_of_an_earlier_version_that_is_running(
    new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier(Path("old.db"))
    place = new_database()
    asyncio.run(prepared(place, 60))
    monkeypatch.setenv("DATABASE_URL", place)
    moves = [("--from", FILE, "--to", place), ("--from", place, "--to", "sqlite:new.db")]
    for command in [[name, *more] for name, more in ON_A_SERVER.items()] + [["migrate", *places] for places in moves]:
        assert main(command) == 2, command
        [line] = capsys.readouterr().err.splitlines()
        assert f" has the tables of an earlier version of Harbormaster ({LAST}, not " in line
        assert asyncio.run(step(place)) == LAST


@pytest.mark.parametrize("left", [60, -1], ids=["running", "stopped"])
def test_the_doctor_reports_tables_of_an_earlier_version_and_leaves_them(
    new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], left: int
) -> None:
    place = new_database()
    asyncio.run(prepared(place, left))
    monkeypatch.setenv("DATABASE_URL", place)
    main(["doctor"])
    output = capsys.readouterr().out
    assert " can be used. The next start brings it up to date.\n" in output
    assert "\nok    checksums " in output
    assert asyncio.run(step(place)) == LAST
