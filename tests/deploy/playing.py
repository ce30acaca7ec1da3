"""Play on a database while hosts do something with it."""

from __future__ import annotations

import random
from pathlib import Path

from tests.bot.playground import ANN, BOB, CEM, Playground


async def play(database: Path | str, steps: int) -> int:
    """Play on in the first game, or begin it. Returns its number of records."""
    ground = Playground(database)
    await ground.open()
    try:
        numbers = await ground.store.numbers()
        for _ in range(5000 * len(numbers)):
            ground.id()
        if not numbers:
            await ground.begun(ANN, BOB, CEM)
        else:  # earlier plays here have used some ids
            for _ in range(await ground.revision(1)):
                ground.id()
        for n in range(steps):
            await ground.step(1, random.Random(n))
        return await ground.revision(1)
    finally:
        await ground.close()
