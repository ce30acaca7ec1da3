"""`migrate` and `restored` refuse while a process runs. Only the database's clock decides that, not this machine's."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from bot.cli import main
from tests.bot.commands.moving import FILE, migrate, rows
from tests.bot.old_files import earlier
from tests.postgres import NewDatabase

ALIVE = (
    "INSERT INTO processes (run, process, held_until)"
    " VALUES ('discord', 'p', extract(epoch FROM clock_timestamp()) + {})"
)


def test_the_databases_clock_decides_whether_a_process_is_running(
    new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier(Path("old.db"))
    place, real = new_database(), time.time
    assert migrate(FILE, place) == 0
    monkeypatch.setenv("DATABASE_URL", place)
    for left, status in ((25, 2), (-1, 0)):
        for off in (30.0, -30.0):
            asyncio.run(rows(place, "DELETE FROM processes"))
            asyncio.run(rows(place, ALIVE.format(left)))
            monkeypatch.setattr(time, "time", lambda off=off: real() + off)
            assert main(["restored"]) == status
            assert migrate(place, f"sqlite:new{off}.db") == status
            assert ("is in use by a running process" in capsys.readouterr().err) == (status == 2)
