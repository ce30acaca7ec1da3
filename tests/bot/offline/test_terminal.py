"""What the terminal of an offline table shows: instructions, and no log of problems that pass by themselves."""

from __future__ import annotations

import asyncio
import logging
import signal
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from bot.offline import is_for_players
from tests.bot.offline.page import opened
from tests.bot.offline.terminal import playing


@pytest.mark.parametrize(
    ("end", "seats", "telling"),
    [
        (signal.SIGINT, 2, ("Ann, Ben.", "Viewing as", "/game new", "press Join", "/game learn")),
        (signal.SIGTERM, 1, ("Ann.", "/game learn", "/game new", "Fill with bots")),
    ],
)
async def test_the_terminal_says_what_to_do_and_ends_cleanly(
    tmp_path: Path, end: signal.Signals, seats: int, telling: Sequence[str]
) -> None:
    async with playing(tmp_path / "games.db", seats) as terminal:
        await terminal.opened()
        assert all(text in terminal.said for text in telling)
        assert await terminal.end(end) == 0, terminal.said
    output = terminal.said
    assert ("Join" in output) == ("Viewing as" in output) == (seats > 1), (
        "nobody is told to change to others who aren't there"
    )
    assert "Traceback" not in output
    assert "games.db keeps its games" in output
    assert not (tmp_path / "games.db-wal").exists()


@pytest.mark.soak
async def test_a_briefly_busy_file_causes_no_warning_in_the_terminal(tmp_path: Path) -> None:
    async with playing(tmp_path / "games.db", 1) as terminal, opened(await terminal.opened()) as tab:
        with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await tab.command("game new")
            await asyncio.sleep(7)
            other.execute("ROLLBACK")
        await tab.command("game new")
        await tab.wait(lambda: "Start" in tab.labels)
        assert await terminal.end(signal.SIGINT) == 0
    assert "WARNING" not in terminal.said


@pytest.mark.parametrize(
    ("name", "level", "error", "read"),
    [
        ("bot.store.sqlite.database", logging.WARNING, False, False),
        ("bot.discord.show.publisher", logging.WARNING, False, False),
        ("bot.discord.show.publisher", logging.WARNING, True, True),
        ("bot.monitoring.health", logging.CRITICAL, False, True),
        ("bot.service.late", logging.WARNING, False, True),
        ("bot.offline.simcord_patches", logging.WARNING, False, True),
    ],
)
def test_the_terminal_shows_faults_and_late_jobs(name: str, level: int, error: bool, read: bool) -> None:
    fault = (ValueError, ValueError(), None) if error else None
    assert is_for_players(logging.LogRecord(name, level, "", 1, "", (), fault)) == read
