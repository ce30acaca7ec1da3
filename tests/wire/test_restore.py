"""After a backup is restored, the newest message shows the game as it is, and no button of the lost time works."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli import main
from bot.store.sqlite.store import NOTED_AFTER
from tests.postgres import NewDatabase
from tests.wire.openings import end, main_step
from tests.wire.party import READY, Party, party
from tests.wire.trouble import change


async def right(table: Party) -> None:
    """Check that the newest message is the panel, and the only one with buttons for playing."""
    await table.panel_current(30.0)
    [panel] = table.panels()
    newest = [m for m in table.wire.messages(table.channel) if not m.text.startswith("<@")][-1]
    assert panel is newest
    person, action = await table.choose()
    revision = (await table.read()).revision
    await table.do(person, action)
    await table.settled(revision + 1)


@pytest.mark.parametrize("turns", [pytest.param(0, marks=pytest.mark.soak), 3])
async def test_after_a_restore_each_panel_is_posted_again(
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
        table.last_read = None
        await table.bot.start()
        assert (await table.read()).revision == before
        await right(table)
        for _ in range(8):  # what is posted from now on isn't taken for what was posted then
            await table.step()
        await right(table)


def put_back(copy: Path, database: Path) -> None:
    """Put a copy in a file's place, as hosts do without Harbormaster's own commands."""
    for beside in ("-wal", "-shm"):
        Path(f"{database}{beside}").unlink(missing_ok=True)
    shutil.copy(copy, database)


@pytest.mark.parametrize("end", ["stopped", "killed"])
async def test_after_an_older_copy_is_put_in_the_files_place_each_panel_is_posted_again(
    tmp_path: Path, end: str
) -> None:
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as table:
        database = table.bot.database
        before, turn = (await table.read()).revision, (await table.game()).turn
        with closing(sqlite3.connect(database)) as file, closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
            file.backup(copy)
        while (await table.game()).turn < turn + 3:
            await table.step()
        await asyncio.sleep(NOTED_AFTER + 0.5)
        if end == "killed":
            await table.bot.kill()
        else:
            assert await table.bot.stop() == 0
        put_back(tmp_path / "copy.db", database)
        table.last_read = None
        await table.bot.start()
        assert (await table.read()).revision == before
        await right(table)
        newest = (await table.panel()).id
        assert await table.bot.stop() == 0
        await table.bot.start()
        await asyncio.sleep(READY + 1)
        assert (await table.panel()).id == newest, "after that, nothing is posted again"
        assert "older than what was last used here" in table.bot.log.read_text()


async def rematch(table: Party) -> None:
    """Open another table in the same channel and begin its game."""
    await table.people[0].slash(table.channel, "game new")
    table.number = 2
    await table.settled()
    await table.people[1].click(await table.panel(), label="Join")
    await table.settled()
    await table.people[0].click(await table.panel(), label="Start")
    await table.settled(1)


async def archived(table: Party) -> None:
    """Archive the game, as after a month without a move."""
    assert await table.bot.stop() == 0
    change(
        table.bot.database,
        "UPDATE games SET status = 'archived', version = version + 1, checksum = NULL",
        "UPDATE shown SET due = (SELECT games.version FROM games) WHERE kind = 'panel'",
    )
    await table.bot.start()
    await asyncio.sleep(READY + 2)


@pytest.mark.parametrize("then", ["running", "over", "archived"])
async def test_after_a_restore_panels_from_after_the_backup_lose_their_buttons(
    tmp_path: Path, then: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The game in the backup was running, over or archived. Afterwards a rematch came, or it was resumed."""
    async with party(tmp_path, 5, people=2) as table:
        await table.begin()
        if then != "running":
            await (end(table) if then == "over" else archived(table))
        database, copy = table.bot.database, tmp_path / "copy.db"
        assert main(["backup", "--database", str(database), str(copy)]) == 0
        if then == "running":
            await end(table)
        if then == "archived":
            await table.people[0].slash(table.channel, "game resume", game=1, check=False)
            await asyncio.sleep(2.0)
        else:
            await rematch(table)
        for _ in range(3):
            await table.step()
        newest = table.panels()[-1]
        assert await table.bot.stop() == 0
        assert main(["restore", "--database", str(database), str(copy)]) == 0
        table.last_read, table.number = None, 1
        await table.bot.start()
        await table.wire.until(lambda: newest not in table.panels(), 20.0, what="the abandoned future is live")
        await asyncio.sleep(1.0)
        [panel] = table.panels()  # the game's own panel, or the message about its end
        assert {"running": "setup", "over": "the end", "archived": "archived"}[then] in panel.text.split("\n")[
            0
        ].lower()
        assert not [m for m in table.wire.messages(table.channel) if m.text.startswith("<@")][1:], "calls"


async def test_the_restored_command_makes_panels_be_posted_again_on_postgresql(
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
        await table.wire.until(lambda: old not in table.panels(), 20.0, what="the old panel has no buttons")
        await right(table)


def test_the_restored_command_refuses_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "games.db").touch()
    assert main(["restored", "--database", str(tmp_path / "games.db")]) == 2
    assert "restore BACKUP" in capsys.readouterr().err
