"""Processes of this version next to those of the previous one, on one database. Clicks go on; none reports damage."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest

from bot.store.postgresql import database
from engine.config import FORMAT
from tests.house import ROOT
from tests.postgres import NewDatabase
from tests.wire.cluster import Cluster, cluster
from tests.wire.earlier import ELSEWHERE, STEPS
from tests.wire.party import BOT

BEFORE = "02db35d4581828f04594d3dbe4690cde5530b358"
"""The commit of the previous version, which plays formats up to `OLD_FORMAT`."""
OLD_FORMAT = 4


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command line of a bot of the previous version, on this version's schema."""
    folder = tmp_path_factory.mktemp("older")
    packed = subprocess.run(
        ["git", "archive", BEFORE, "bot", "engine", "players", "render"], cwd=ROOT, capture_output=True
    )
    if packed.returncode:
        assert not os.environ.get("CI"), "this clone doesn't go back to the version before, and nobody would notice"
        pytest.skip("this clone doesn't go back to the version before")
    subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
    for step in (ROOT / STEPS).iterdir():  # otherwise it would make way immediately
        shutil.copy(step, folder / STEPS)
    return [sys.executable, "-c", ELSEWHERE, str(folder), *BOT[1:]]


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command line of a bot of a version whose schema has another step."""
    folder = tmp_path_factory.mktemp("newer")
    for room in ("bot", "engine", "players", "render"):
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / STEPS / "0999_mood.sql").write_text("ALTER TABLE games ADD COLUMN mood TEXT;")
    return [sys.executable, "-c", ELSEWHERE, str(folder), *BOT[1:]]


async def play(table: Cluster, rounds: int) -> None:
    """Let everyone play on, whichever process they reach."""
    for _ in range(rounds):
        for party in table.parties:
            await party.step()


@pytest.mark.soak
async def test_upgrading_processes_one_by_one_loses_no_click(
    tmp_path: Path, new_database: NewDatabase, older: list[str]
) -> None:
    async with cluster(tmp_path, new_database(), processes=2, shards=2, games=2) as table:
        for bot in table.bots:
            bot.argv = older
        await table.launch()
        early, late = table.parties[:2], table.parties[2:]
        for party in early:
            await party.begin(target=6)
        table.parties = early
        await play(table, 4)
        first, second = table.bots
        assert await first.stop(20.0) == 0
        first.argv = list(BOT)
        await first.launch()
        await first.says("RESUMED")
        await play(table, 6)
        for number, party in enumerate(late, 3):  # both processes must be able to go on with a game that begins now
            party.number = number
            await party.begin(target=6)
            assert (await party.read()).table.config.format == OLD_FORMAT <= FORMAT
        table.parties = [*early, *late]
        await play(table, 6)
        assert await second.stop(20.0) == 0
        await table.whole(30.0)
        await play(table, 3)
        second.argv = list(BOT)
        await second.launch()
        await second.says("RESUMED")
        await play(table, 3)
        for party in table.parties:
            await party.panel_current(60.0)
            (await party.read()).check_once(party.delivered)
        for bot in table.bots:
            text = bot.log.read_text()
            for word in ("damaged", "Traceback", "newer version"):
                assert word not in text, f"{bot.log.name}: {text[-3000:]}"


@pytest.mark.soak
async def test_clicks_work_while_a_newer_version_changes_the_schema(
    tmp_path: Path, new_database: NewDatabase, newer: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(url: str, place: str) -> None:
        """Leave the schema alone: this test reads the database by this version's store."""

    async with cluster(tmp_path, new_database(), processes=2, shards=2) as table:
        monkeypatch.setattr(database, "_migrate", nothing)
        old, new = table.bots
        new.argv = newer
        await table.launch(old)
        for party in table.parties:
            await party.begin(target=6)
        await play(table, 2)
        await new.launch()
        ending = asyncio.create_task(old.ended(30.0))
        while not ending.done():
            for party in table.parties:
                person, action = await party.choose()
                await party.do_and_forget(person, action)
            await asyncio.sleep(0.5)
        assert await ending == 70
        assert "has changed the database" in old.log.read_text()
        await table.whole(30.0)
        await play(table, 3)
        old.argv = newer
        await old.launch()
        await old.says("RESUMED")
        await play(table, 3)
        for party in table.parties:
            await party.panel_current(60.0)
            (await party.read()).check_once(party.delivered)


async def test_a_process_that_sees_a_newer_schema_ends(tmp_path: Path, new_database: NewDatabase) -> None:
    """Its supervisor starts what is installed by then. Until then, others have its shards."""
    async with cluster(tmp_path, new_database(), processes=1, shards=1) as table:
        await table.launch()
        [party] = table.parties
        await party.begin(target=6)
        connection = await asyncpg.connect(str(table.bots[0].address))
        await connection.execute("INSERT INTO schema_version (number) VALUES (999)")
        assert await table.bots[0].ended(20.0) == 70
        assert "a newer version of Harbormaster has changed the database" in table.bots[0].log.read_text()
        await table.bots[0].launch()
        assert await table.bots[0].ended(20.0) == 1, "systemd tries it again, until the new version is installed"
        await connection.execute("DELETE FROM schema_version WHERE number = 999")
        await connection.close()
        await table.launch()
        await party.step()
