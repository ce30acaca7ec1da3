"""Files with games in them, for the tests of the commands."""

from __future__ import annotations

import random
from pathlib import Path

from bot.table.table import OVER
from tests.bot.playground import ANN, BOB, CEM, Playground

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcdE." + "a" * 38
"""Shaped as a bot's token, and nobody's; its first word is the id 123456789012345678."""


async def played(path: Path, steps: int, target: int = 10, channel: int = 50) -> bool:
    """Play a new game of three for so many actions, one a channel; whether it is over."""
    ground = Playground(path)
    for _ in range(1000 * (channel - 50)):
        ground.id()
    await ground.open()
    table = await ground.begun(ANN, BOB, CEM, target=target, channel=channel)
    rng = random.Random(3)
    over = False
    for _ in range(steps):
        over = (await ground.step(table.number, rng)).table.status == OVER
        if over:
            break
    await ground.close()
    return over
