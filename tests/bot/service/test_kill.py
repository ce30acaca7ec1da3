"""A process that is killed at any moment: what it told is there, and nothing is there twice."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

import pytest

from bot.service import Services
from bot.store import open_store
from tests.bot.playground import ANN, BOB, CEM, Playground, choose
from tests.house import ROOT

KILLS = 3


async def play_on(database: Path | str) -> None:
    """The process that dies: go on with game 1, each action told on a line only after the service told it."""
    store = await open_store(database)
    services = Services.of(store)
    rng = random.Random()
    while True:
        table, game = await services.repository.table(1), await services.repository.game(1)
        seat = rng.choice(game.to_act)
        user, action = table.user_at(game, seat), choose(game, seat, rng)
        interaction = f"a{game.revision}"
        played = await services.games.submit_action(
            1, user, action, decision=game.decision(seat), interaction=interaction
        )
        await services.projections.shown(1, "panel", played.table.version, channel=1, message=2)
        print(interaction, user, played.revision, flush=True)


@pytest.mark.on_databases
async def test_no_told_action_is_lost_and_none_is_there_twice(ground: Playground) -> None:
    await ground.begun(ANN, BOB, CEM, target=20)
    await ground.close()
    rng = random.Random(1)
    for _ in range(KILLS):
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            "import asyncio; from pathlib import Path, PosixPath; from tests.bot.service.test_kill import play_on;"
            f"asyncio.run(play_on({ground.database!r}))",
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        told = [await process.stdout.readline()]
        await asyncio.sleep(rng.random() * 0.3)
        process.kill()
        told += (await process.stdout.read()).splitlines(keepends=True)
        await process.wait()
        whole = [line.split() for line in told if line.endswith(b"\n")]
        interaction, user, revision = whole[-1][0].decode(), int(whole[-1][1]), int(whole[-1][2])
        assert [int(line[2]) for line in whole] == list(range(revision - len(whole) + 1, revision + 1))

        await ground.open()
        stored = await ground.revision(1)
        assert revision <= stored <= revision + 1  # one more may have been stored and not yet told
        game = await ground.game(1)
        assert game.revision == stored
        action = game.records[revision - 1].action
        assert action is not None
        again = await ground.play(1, user, action, interaction=interaction)
        assert (again.repeated, again.revision) == (True, revision)
        assert await ground.revision(1) == stored
        await ground.close()
    await ground.open()
