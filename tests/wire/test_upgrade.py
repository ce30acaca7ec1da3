"""Processes of this version after, or next to, those of another one, on one database. Clicks go on, or are refused in a
sentence; none is lost or done twice."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from engine.config import FORMAT
from tests.bot.store.before import LAST, make_tables
from tests.house import ROOT
from tests.postgres import NewDatabase
from tests.wire.calls import Interaction
from tests.wire.cluster import Cluster, cluster
from tests.wire.earlier import ELSEWHERE, STEPS, older, schema_as_it_is
from tests.wire.party import BOT, Party, answered
from tests.wire.party import party as single
from tests.wire.stored_game import interaction_of

BEFORE = "02db35d4581828f04594d3dbe4690cde5530b358"
"""The commit of the previous version, which plays formats up to `OLD_FORMAT`."""
OLD_FORMAT = 4
AGAIN = "Nothing is lost: please try again."
"""The end of what a process says that can't store an action."""
PROMPT = 10.0
"""Seconds after a change of the schema until a process that doesn't know it has made way."""


def before(folder: Path, last: int) -> list[str]:
    """The command line of a bot of the previous version; `last` as for `older`."""
    folder.mkdir()
    try:
        return [*older(BEFORE, folder, last), *BOT[1:]]
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
    async with single(tmp_path, argv=before(tmp_path / "older", last=0), messages=False) as table:
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


@pytest.mark.soak
async def test_processes_make_way_for_a_version_whose_schema_they_do_not_know(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    """Until they have, what people do is refused. Then it works at once, as the newer process has taken over."""
    argv, connection = before(tmp_path / "older", LAST), await make_tables(address := new_database())
    with schema_as_it_is():
        async with cluster(tmp_path, address, processes=3, shards=2) as table:
            *old, new = table.bots
            for bot in old:
                bot.argv = argv
            await table.launch(*old)
            for party in table.parties:
                await party.begin(target=6)
            await play(table, 4)  # the first pieces are being placed, so each command is an action
            earlier = {*table.wire.world.interactions}
            await new.launch()
            ending = asyncio.gather(*(bot.ended(30.0) for bot in old))
            changed = asyncio.create_task(changing(connection))
            await asyncio.gather(*(clicking(party, ending) for party in table.parties))
            assert await ending == [70, 70]
            assert time.perf_counter() - await changed < PROMPT
            await table.whole(PROMPT)
            clicks = [it for id_, it in table.wire.world.interactions.items() if id_ not in earlier]
            await check_each(table, clicks)
            await check(table)
            await play(table, 3)
            old[0].argv = list(BOT)
            await old[0].launch()
            await old[0].says("RESUMED")
            await play(table, 3)
            await check(table)
            for party in table.parties:
                assert (await party.read()).table.config.format == OLD_FORMAT <= FORMAT
            for bot in table.bots:
                assert "damaged" not in bot.log.read_text()
            assert "Traceback" not in new.log.read_text()
    await connection.close()


async def changing(connection: asyncpg.Connection) -> float:
    """Wait until the schema has changed. Returns when."""
    while await connection.fetchval("SELECT to_regclass('shown')") is None:  # noqa: ASYNC110 (nothing notifies)
        await asyncio.sleep(0.02)
    return time.perf_counter()


async def clicking(party: Party, ending: asyncio.Future[Any]) -> None:
    """Let a party act until that has ended."""
    while not ending.done():
        person, action = await party.choose()
        await party.do_and_forget(person, action)
        await asyncio.sleep(0.1)


async def check_each(table: Cluster, clicks: list[Interaction]) -> None:
    """Check that each click was either stored, or refused in a sentence that says so."""
    stored = {str(interaction_of(key)) for party in table.parties for key in (await party.read()).made_by}
    refused = [it for it in clicks if it.text.endswith(AGAIN)]
    assert refused, "nobody has clicked in between"
    assert not {str(it.id) for it in refused} & stored
    assert {str(it.id) for it in clicks if answered(it)} - {str(it.id) for it in refused} <= stored


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
