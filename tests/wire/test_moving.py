"""The move from SQLite to PostgreSQL and back, in one Discord: the game goes on in its messages."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.house import ROOT
from tests.postgres import NewDatabase
from tests.wire.party import BOT, READY, Party, party
from tests.wire.stored_game import StoredGame


async def migrate(source: object, target: object) -> str:
    """What `harbormaster migrate` prints."""
    process = await asyncio.create_subprocess_exec(
        *BOT[:-1], "migrate", "--from", str(source), "--to", str(target), cwd=ROOT, stdout=-1, stderr=-1
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()


async def goes_on(table: Party, before: StoredGame) -> None:
    """Check that the bot finds the game as it was left, leaves the panel where it is, and plays on in it."""
    stored = await table.read()
    assert (stored.table, stored.records, stored.made_by) == (before.table, before.records, before.made_by)
    assert stored.game().hash() == before.game().hash()
    [panel] = table.panels()
    posted = len(table.wire.messages(table.channel))
    await table.bot.start()
    await asyncio.sleep(READY)
    await table.settled()
    assert [message.id for message in table.panels()] == [panel.id]
    assert len(table.wire.messages(table.channel)) == posted  # nothing was posted again
    await table.panel_current()
    for _ in range(6):
        await table.step()
    await table.panel_current()
    (await table.read()).check_once(table.delivered)


@pytest.mark.soak
async def test_a_game_moved_between_databases_goes_on_in_the_same_panel(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    async with party(tmp_path, 5) as table:
        await table.begin()
        for _ in range(25):
            await table.step()
        assert await table.bot.stop() == 0
        before, address = await table.read(), new_database()
        assert "1 game moved and compared." in await migrate(table.bot.database, address)
        table.bot.address = table.bot.env["DATABASE_URL"] = address
        await goes_on(table, before)
        with pytest.raises(AssertionError, match="is in use by a running process"):
            await migrate(address, tmp_path / "early.db")

        assert await table.bot.stop() == 0
        before = await table.read()
        await migrate(address, f"sqlite:{tmp_path / 'back.db'}")
        table.bot.address = tmp_path / "back.db"
        table.bot.env["DATABASE_URL"] = str(tmp_path / "back.db")
        await goes_on(table, before)
