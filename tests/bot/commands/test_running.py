"""Nothing is moved from under a running bot, nor shown anew: by the database's clock, whatever this machine's says."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from bot.cli import main
from tests.bot.commands.stored import earlier
from tests.bot.commands.test_migrate import FILE, migrate, rows
from tests.postgres import NewDatabase

ALIVE = (
    "INSERT INTO processes (run, process, held_until)"
    " VALUES ('discord', 'p', extract(epoch FROM clock_timestamp()) + {})"
)


@pytest.mark.parametrize("off", [pytest.param(0.0, marks=pytest.mark.soak), 30.0, -30.0])
@pytest.mark.parametrize(("left", "status"), [(15, 2), (-1, 0)])
def test_who_runs_is_known_by_the_databases_clock(
    new_database: NewDatabase,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    off: float,
    left: int,
    status: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    earlier(Path("old.db"))
    place = new_database()
    assert migrate(FILE, place) == 0
    asyncio.run(rows(place, ALIVE.format(left)))
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + off)
    monkeypatch.setenv("DATABASE_URL", place)
    assert main(["restored"]) == status
    assert migrate(place, "sqlite:new.db") == status
    assert ("is in use by a running bot" in capsys.readouterr().err) == (status == 2)
