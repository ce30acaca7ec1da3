"""A process is killed at any moment: every action that it reported is stored, and none is stored twice."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from bot.projections import PANEL
from bot.service import Services
from bot.store import open_store
from bot.table.acts.play import Play
from tests.bot.noted import noted
from tests.bot.playground import ANN, BOB, CEM, Playground, choose
from tests.forks import fork

KILLS = 2


async def play_on(here: Connection, database: Path | str) -> None:
    """Be the process that dies: play game 1, and report each action only after the service has returned it."""
    store = await open_store(database)
    services = Services.of(store)
    rng = random.Random()
    while True:
        table, game = await services.repository.table(1), await services.repository.game(1)
        seat = rng.choice(game.to_act)
        user, action = table.user_at(game, seat), choose(game, seat, rng)
        interaction = f"a{game.revision}"
        played = await services.games.act(1, user, Play(action, game.decision(seat)), interaction)
        await services.projections.note(1, [noted(PANEL, played.table.version, 1, 2)])
        here.send((interaction, user, played.revision))


@pytest.mark.on_databases
async def test_every_reported_action_is_stored_exactly_once(ground: Playground) -> None:
    await ground.begun(ANN, BOB, CEM, target=20)
    await ground.close()
    rng = random.Random(1)
    for _ in range(KILLS):
        process, received = fork(play_on, ground.database)
        reports = [received.recv()]
        await asyncio.sleep(rng.random() * 0.3)
        process.kill()
        with suppress(EOFError, OSError):
            while True:
                reports.append(received.recv())
        process.join()
        interaction, user, revision = reports[-1]
        assert [line[2] for line in reports] == list(range(revision - len(reports) + 1, revision + 1))

        await ground.open()
        stored = await ground.revision(1)
        assert revision <= stored <= revision + 1  # one more can be stored and not yet reported
        game = await ground.game(1)
        assert game.revision == stored
        action = game.records[revision - 1].action
        assert action is not None
        again = await ground.play(1, user, action, interaction=interaction)
        assert (again.repeated, again.revision) == (True, revision)
        assert await ground.revision(1) == stored
        await ground.close()
    await ground.open()
