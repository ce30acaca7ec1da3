"""Games where the referee decides for people who are late, two minutes after they were called."""

from __future__ import annotations

import json

from tests.wire.party import Party


async def paced(*tables: Party) -> list[float]:
    """Begin the games, and play their setup, where times are longer. Returns their deadlines."""
    ends = list[float]()
    for table in tables:
        table.suggested = frozenset()
        await table.begin(pace=120, expiry="decide")
        await table.until_turn(1)
    for table in tables:
        await table.settled()
        [wait] = (await table.read()).table.waits
        assert wait.until is not None
        ends.append(wait.until)
    return ends


async def decided(table: Party) -> int:
    """How often the game decided for a player."""
    return sum("decide" in json.dumps(record["do"]) for record in (await table.read()).records[1:])
