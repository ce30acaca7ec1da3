"""Processes of this version after, or next to, those of another one, on one database. Clicks go on, or are refused in a
sentence; none is lost or done twice."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tests.house import ROOT
from tests.postgres import NewDatabase
from tests.wire.cluster import Cluster, cluster
from tests.wire.earlier import ELSEWHERE, STEPS, older, schema_as_it_is
from tests.wire.party import BOT, Party
from tests.wire.party import party as single

BEFORE = "b3159d2f20881b1ccc0a11cda8698b033ee20b08"
"""The commit of the previous version."""


def before(folder: Path) -> list[str]:
    """The command line of a bot of the previous version."""
    folder.mkdir()
    try:
        return [*older(BEFORE, folder), *BOT[1:]]
    except subprocess.CalledProcessError:
        assert not os.environ.get("CI"), "this clone doesn't go back to the version before, and nobody would notice"
        pytest.skip("this clone doesn't go back to the version before")


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


async def check(table: Cluster) -> None:
    """Wait until each game is shown as it is, and check that nothing was done twice."""
    for party in table.parties:
        await party.panel_current(60.0)
        (await party.read()).check_once(party.delivered)


async def test_a_game_goes_on_in_the_same_message_after_an_update(tmp_path: Path) -> None:
    (tmp_path / "game.db").touch()  # otherwise it would be made with this version's tables
    async with single(tmp_path, argv=before(tmp_path / "older"), messages=False) as table:
        await table.begin(target=6)
        for _ in range(9):  # nearly all of the first pieces, which have one message
            await table.step()
        panel, present = await table.panel(), table.wire.messages(table.channel)
        assert await table.bot.stop() == 0
        table.bot.argv = list(BOT)
        await table.bot.start()
        await table.step()
        await table.panel_current()
        assert (await table.panel()).id == panel.id
        assert len(table.wire.messages(table.channel)) == len(present), "only the call to a player is another one"
        (await table.read()).check_once(table.delivered)


async def clicking(party: Party, ending: asyncio.Future[Any]) -> None:
    """Let a party act until that has ended."""
    while not ending.done():
        person, action = await party.choose()
        await party.do_and_forget(person, action)
        await asyncio.sleep(0.1)


@pytest.mark.soak
async def test_clicks_work_while_a_newer_version_changes_the_schema(
    tmp_path: Path, new_database: NewDatabase, newer: list[str]
) -> None:
    """A change that older statements leave alone."""
    async with cluster(tmp_path, new_database(), processes=2, shards=2) as table:
        old, new = table.bots
        new.argv = newer
        await table.launch(old)
        for party in table.parties:
            await party.begin(target=6)
        await play(table, 2)
        with schema_as_it_is():
            await new.launch()
            ending = asyncio.create_task(old.ended(30.0))
            await asyncio.gather(*(clicking(party, ending) for party in table.parties))
            assert await ending == 70
            assert "has changed the database" in old.log.read_text()
            await table.whole(30.0)
            await check(table)
            await play(table, 3)
            old.argv = newer
            await old.launch()
            await old.says("RESUMED")
            await play(table, 3)
            await check(table)


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
