"""Bots that play, over the wire: their worker, or the whole process, is killed in the middle of their turns."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import signal
import time
from pathlib import Path

import pytest

from engine.actions import DeclineOffer
from engine.game import Game
from players.table import unanswered
from tests.bot.playground import choose
from tests.postgres import NewDatabase
from tests.wire.cluster import cluster
from tests.wire.forms import set_options
from tests.wire.party import Party, party
from tests.wire.preloaded import THINKER, WORKERS

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are found in /proc")
FORKED = {WORKERS: "2"}


def thinkers(pid: int) -> list[int]:
    """Ids of the child processes that don't draw, as long as these are forked."""
    found = list[int]()
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for child in (task / "children").read_text().split():
                if Path(f"/proc/{child}/comm").read_text().strip() == THINKER:
                    found.append(int(child))
    return found


async def begin(table: Party, pause: int = 0) -> None:
    """Deal a game for one person and three bots."""
    host = table.people[0]
    await host.slash(table.channel, "game new")
    await table.settled()
    await host.slash(table.channel, "game bot add", level="hard", fill=True)
    await set_options(table, target=10, pause=pause)
    await host.click(await table.panel(), label="Start")
    await table.stored(1)


async def waits_for(table: Party, person: int, within: float = 60.0) -> Game:
    """The game, once it waits for a person. Bots play meanwhile."""
    end = time.perf_counter() + within
    while True:
        stored = await table.read()
        game = stored.game()
        seat = stored.table.seat_of(game, person)
        assert seat is not None
        if game.outcome is not None or seat in game.to_act or unanswered(game.view(seat)):
            return game
        assert time.perf_counter() < end, f"the computers stand still\n{table.bot.tail(50)}"
        await asyncio.sleep(0.05)


async def step(table: Party) -> None:
    """Let the person act once it is their turn."""
    person = table.people[0]
    game = await waits_for(table, person.id)
    assert game.outcome is None
    seat = (await table.read()).table.seat_of(game, person.id)
    assert seat is not None
    offer = unanswered(game.view(seat))
    action = choose(game, seat, table.rng) if offer is None else DeclineOffer(offer.id)
    await table.do_and_forget(person, action)  # a bot can be faster
    with contextlib.suppress(AssertionError):
        await table.stored(game.revision + 1, 2.0)


async def check(table: Party) -> None:
    """Check that each record was made once, by a click or by a bot in the position before it, and the panel is right.

    An answer to an offer is bound to no position: a person can act in the moment in which it is stored.
    """
    await table.panel_current(30.0)
    stored = await table.read()
    for key, record in stored.made_by.items():
        if key.startswith("computer-"):
            assert record is not None
            assert record - 2 <= int(key.removeprefix(f"computer-{table.number}-")) <= record
    made = [record for record in stored.made_by.values() if record is not None]
    assert sorted(made) == list(range(stored.revision))
    assert any(key.startswith("computer-") for key in stored.made_by)


async def test_a_worker_killed_during_a_bots_turn_is_replaced(tmp_path: Path) -> None:
    rng = random.Random(1)
    async with party(tmp_path, 1, people=1, env={WORKERS: "8"}) as table:
        await begin(table)
        killed = 0

        async def kill() -> None:
            nonlocal killed
            while True:
                await asyncio.sleep(rng.uniform(0.5, 2.0))
                for child in thinkers(table.bot.pid):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(child, signal.SIGKILL)
                        killed += 1

        killing = asyncio.create_task(kill())
        try:
            while killed < 3:
                await step(table)
        finally:
            killing.cancel()
        await waits_for(table, table.people[0].id)
        await check(table)
        assert "Traceback" not in table.bot.tail(10_000)


async def test_a_bots_turn_goes_on_after_harbormaster_is_killed_and_restarted(tmp_path: Path) -> None:
    rng = random.Random(2)
    async with party(tmp_path, 2, people=1, env=FORKED) as table:
        await begin(table)
        for _ in range(4):
            for _ in range(3):
                await step(table)
            before = (await table.read()).revision
            await asyncio.sleep(rng.uniform(0.0, 1.0))
            await table.bot.kill()
            await table.bot.start()
            game = await waits_for(table, table.people[0].id, 90.0)
            assert game.revision >= before
        await check(table)


async def test_a_stop_during_a_bots_turn_is_clean_and_the_turn_goes_on_after_the_restart(tmp_path: Path) -> None:
    """However long the bot would think."""
    async with party(tmp_path, 3, people=1, env=FORKED) as table:
        await begin(table, pause=1)
        game = await waits_for(table, table.people[0].id)
        while game.to_act == (await table.game()).to_act:
            await step(table)
        for child in thinkers(table.bot.pid):
            os.kill(child, signal.SIGSTOP)
        await asyncio.sleep(2.0)
        assert await table.bot.stop() == 0
        log = table.bot.log.read_text()
        assert not re.search("WARNING|ERROR|Traceback", log), log
        await table.bot.start()
        await waits_for(table, table.people[0].id, 30.0)
        await check(table)


async def test_only_one_of_two_processes_plays_a_bots_turn(tmp_path: Path, new_database: NewDatabase) -> None:
    async with cluster(tmp_path, new_database(), processes=2, shards=1, people=1, env=FORKED) as both:
        await both.launch()
        [table] = both.parties
        await begin(table)
        for _ in range(12):
            await step(table)
        await waits_for(table, table.people[0].id)
        await check(table)


@pytest.mark.soak
async def test_a_bots_turn_goes_on_in_one_process_when_the_other_dies(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    """At the latest when the dead process's hold on the turn ends, after a minute."""
    async with cluster(tmp_path, new_database(), processes=2, shards=1, people=1, env=FORKED) as both:
        await both.launch()
        [table] = both.parties
        await begin(table)
        for dead in both.bots:
            for _ in range(6):
                await step(table)
            await dead.kill()
            await waits_for(table, table.people[0].id, 90.0)
            await dead.launch()
            await both.whole(60.0)
        await check(table)
