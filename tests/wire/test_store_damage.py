"""A damaged file: the bot refuses to start with it, or goes on with all games except the one that it can't read."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.bot.store.sqlite.damaged import SENTENCE, change, zero_page_of
from tests.wire.party import Party, party


async def stopped(table: Party, steps: int = 6) -> Path:
    """Play some actions of a game and stop the bot. Returns the file."""
    await table.begin()
    for _ in range(steps):
        await table.step()
    assert await table.bot.stop() == 0
    return table.bot.database


async def test_harbormaster_refuses_to_start_with_a_zeroed_page(tmp_path: Path) -> None:
    async with party(tmp_path, 1) as table:
        path = await stopped(table)
        good = shutil.copy(path, tmp_path / "backup.db")
        zero_page_of(path, "records")
        with pytest.raises(RuntimeError, match="ended with 2"):
            await table.bot.start()
        table.bot.process = None
        last = table.bot.tail().splitlines()[-1]
        assert last.startswith(f"harbormaster: The database file {path} can't be used, because it is damaged (")
        assert "Keep a copy of it, then restore a backup" in last
        assert "Traceback" not in table.bot.tail(10_000)
        shutil.copy(good, path)
        await table.bot.start()
        await table.step()


async def test_a_changed_byte_stops_its_game_but_not_harbormaster(tmp_path: Path) -> None:
    async with party(tmp_path, 1) as table:
        path = await stopped(table)
        with closing(sqlite3.connect(path)) as sql:
            [(body,)] = sql.execute("SELECT body FROM records WHERE game = 1 AND number = 3").fetchall()
        data = path.read_bytes()
        assert data.count(body.encode()) == 1
        path.write_bytes(data.replace(body.encode(), body.replace('"n":3', '"n":7').encode()))
        await table.bot.start()
        await table.wire.settled(0.3, 10)
        reports = [line for line in table.bot.tail(1000).splitlines() if "Game 1 can't go on: what " in line]
        assert len(reports) == 1
        assert "(record 3 has a wrong checksum)" in reports[0]
        person = table.people[0]
        panel = await table.panel()
        answer = await person.click(panel, label="My hand")
        assert SENTENCE in answer.text
        command = await person.slash(table.channel, "end")
        assert SENTENCE in command.text
        assert await person.human.autocomplete("build road", {}, "place", channel=table.channel) == []
        log = table.bot.tail(10_000)
        assert log.count("Game 1 can't go on: what ") == 1
        assert "Traceback" not in log
        async with asyncio.timeout(10):
            assert await table.bot.stop() == 0
        change(path, "UPDATE records SET body = replace(body, '\"n\":7', '\"n\":3') WHERE game = 1 AND number = 3")
        await table.bot.start()
        await table.step()
        await table.panel_current()
