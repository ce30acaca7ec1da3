"""A backup is put back: the newest message shows the game as it is, and nothing of what never was can be pressed."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from bot.cli import main
from tests.postgres import NewDatabase
from tests.wire.openings import main_step
from tests.wire.party import Party, party


async def right(table: Party) -> None:
    """The newest of all messages is the one with the panel, and the only one with buttons that play."""
    await table.right(30.0)
    [panel] = table.panels()
    newest = [m for m in table.wire.messages(table.channel) if not m.text.startswith("<@")][-1]
    assert panel is newest
    person, action = await table.choose()
    revision = (await table.read()).revision
    await table.do(person, action)
    await table.quiet(revision + 1)


@pytest.mark.parametrize("turns", [pytest.param(0, marks=pytest.mark.soak), 3])
async def test_after_a_restore_each_panel_is_posted_anew(
    tmp_path: Path, turns: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as table:
        database, copy = table.bot.database, tmp_path / "copy.db"
        assert main(["backup", "--database", str(database), str(copy)]) == 0
        before = (await table.read()).revision
        turn = (await table.game()).turn
        while (await table.game()).turn < turn + turns or (await table.read()).revision < before + 2:
            await table.step()
        assert await table.bot.stop() == 0
        assert main(["restore", "--database", str(database), str(copy)]) == 0
        table.kept = None
        await table.bot.start()
        assert (await table.read()).revision == before
        await right(table)
        for _ in range(8):  # what is posted from now on isn't taken for what was posted then
            await table.step()
        await right(table)


async def test_after_pg_restore_a_command_says_so(
    tmp_path: Path, new_database: NewDatabase, capsys: pytest.CaptureFixture[str]
) -> None:
    address = new_database()
    async with party(tmp_path, 5, env={"DATABASE_URL": address}) as table:
        await table.begin()
        for _ in range(3):
            await table.step()
        old = await table.panel()
        assert await table.bot.stop() == 0
        command = [sys.executable, "-m", "bot", "restored", "--database", address]
        process = await asyncio.create_subprocess_exec(*command)
        assert await process.wait() == 0
        await table.bot.start()
        await right(table)
        assert (await table.panel()).id != old.id


def test_a_file_needs_no_such_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "games.db").touch()
    assert main(["restored", "--database", str(tmp_path / "games.db")]) == 2
    assert "restore BACKUP" in capsys.readouterr().err
