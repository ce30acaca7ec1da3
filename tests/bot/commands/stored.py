"""Files with games in them, and the commands that read them, for the tests of the commands."""

from __future__ import annotations

import random
from pathlib import Path

from bot.table.table import OVER
from tests.bot.batch import at_once
from tests.bot.playground import ANN, BOB, CEM, Playground

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcdE." + "a" * 38
"""Has the shape of a bot's token, but belongs to no bot. Its first part is the id 123456789012345678."""
READING = {
    "log": [],
    "ratings": ["--rebuild"],
    "export": ["--all", "games"],
    "forget": ["80351110224678912"],
    "backup": ["copy.db"],
}
"""Commands that read the database, each with its other arguments."""


async def played(path: Path, steps: int, target: int = 10, channel: int = 50) -> bool:
    """Play a number of actions of a new game for three in its own channel. Returns whether the game is over."""
    ground = Playground(path)
    for _ in range(1000 * (channel - 50)):
        ground.id()
    await ground.open()
    table = await ground.begun(ANN, BOB, CEM, target=target, channel=channel)
    rng = random.Random(3)
    over = False
    async with at_once(ground.services):
        for _ in range(steps):
            over = (await ground.step(table.number, rng)).table.status == OVER
            if over:
                break
    await ground.close()
    return over
