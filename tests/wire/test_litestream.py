"""Litestream next to a bot. When the machine is lost, the games go on elsewhere from its copy."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.house import ROOT
from tests.wire.party import BOT, Party, party
from tests.wire.stored_game import StoredGame

PROGRAM = shutil.which("litestream", path=str(Path(sys.executable).parent))
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="its wheel isn't made for this system")
LEAVES_IT = {"HARBORMASTER_LITESTREAM": "yes"}
IN_TIME = 20.0
"""Seconds after which everything must be copied. Litestream looks every second."""


def environment(table: Party, folder: Path) -> dict[str, str]:
    """What `deploy/litestream.yml` takes from the environment."""
    replica = f"file://{folder / 'replica'}"
    return {**os.environ, "HARBORMASTER_DATABASE": str(table.bot.database), "LITESTREAM_REPLICA": replica}


async def litestream(env: dict[str, str], *arguments: str) -> asyncio.subprocess.Process:
    assert PROGRAM is not None
    command, *others = arguments
    return await asyncio.create_subprocess_exec(
        *(PROGRAM, command, "-config", str(ROOT / "deploy/litestream.yml"), *others), env=env, stdout=-1, stderr=-1
    )


@asynccontextmanager
async def copying(table: Party, folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run Litestream on the same disk as the bot."""
    process = await litestream(environment(table, folder), "replicate")
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def copied(table: Party, folder: Path, name: str) -> Path:
    """A file on another machine, made only from the copy, in the way that docs/backups.md says."""
    copy = folder / name
    env = environment(table, folder) | {"HARBORMASTER_DATABASE": "/gone/harbormaster.db"}
    restoring = await litestream(env, "restore", "-integrity-check", "full", "-o", str(copy), "/gone/harbormaster.db")
    _, err = await restoring.communicate()
    assert restoring.returncode == 0, err.decode()
    return copy


async def goes_on(table: Party, copy: Path) -> None:
    """Play on in the same Discord, from a copy that was put in place in the way that the page says."""
    path = copy.with_suffix(".new.db")
    taking = await asyncio.create_subprocess_exec(
        *BOT[:-1], "restore", "--database", path, copy, cwd=ROOT, stdout=-1, stderr=-1
    )
    _, err = await taking.communicate()
    assert taking.returncode == 0, err.decode()
    table.bot.database = table.bot.address = path
    table.bot.env["HARBORMASTER_DATABASE"] = str(path)
    table.last_read = None
    await table.bot.start()
    await table.settled()
    await table.panel_current()
    for _ in range(6):
        await table.step()
    await table.panel_current()


@pytest.mark.soak
async def test_every_acknowledged_action_is_copied(tmp_path: Path) -> None:
    """The bot is killed, started and killed again in the middle of a game. Then its machine is lost."""
    async with party(tmp_path, 5, env=LEAVES_IT) as table, copying(table, tmp_path) as process:
        await table.begin()
        for _ in range(15):
            await table.step()
        await table.bot.restart()
        for _ in range(15):
            await table.step()
        last = await table.settled()
        await table.bot.kill()
        async with asyncio.timeout(IN_TIME):
            for n in range(100):
                copy = await copied(table, tmp_path, f"try-{n}.db")
                stored = await StoredGame.read(copy, 1)
                if stored.revision == last.revision:
                    break
                await asyncio.sleep(0.5)
        process.kill()
        table.bot.database.unlink()
        assert (stored.table, stored.records, stored.made_by) == (last.table, last.records, last.made_by)
        assert stored.game().hash() == last.game().hash()
        await goes_on(table, copy)
        (await table.read()).check_once(table.delivered)


async def test_losing_the_machine_loses_only_the_last_moments(tmp_path: Path) -> None:
    """Everything ends in the same moment. What was acknowledged seconds ago is there, and the game goes on from it."""
    async with party(tmp_path, 6, env=LEAVES_IT) as table, copying(table, tmp_path) as process:
        await table.begin()
        for _ in range(10):
            await table.step()
        earlier = await table.settled()
        await asyncio.sleep(IN_TIME / 4)
        for _ in range(10):
            await table.step()
        last = await table.settled()
        process.send_signal(signal.SIGKILL)
        await table.bot.kill()
        stored = await StoredGame.read(await copied(table, tmp_path, "copy.db"), 1)
        assert earlier.revision <= stored.revision <= last.revision
        assert stored.records == last.records[: stored.revision]


async def test_harbormaster_starts_and_stops_without_delay_while_litestream_is_running(tmp_path: Path) -> None:
    """It doesn't wait for anything that reads the log."""
    async with party(tmp_path, 7, env=LEAVES_IT) as table, copying(table, tmp_path):
        await table.begin()
        for _ in range(3):
            await table.step()
        await asyncio.sleep(3.0)
        assert await table.bot.stop() == 0
        async with asyncio.timeout(15.0):
            await table.bot.start()
        await table.step()
        assert await table.bot.stop() == 0
        assert "Traceback" not in table.bot.tail(1000)
