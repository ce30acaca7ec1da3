"""Games in which time decides for who is late, on several shards."""

from __future__ import annotations

import json

from tests.wire.cluster import Cluster
from tests.wire.forms import set_options
from tests.wire.party import Party


async def deadlines(table: Cluster) -> list[float | None]:
    """Until when each game waits."""
    found = [await party.read() for party in table.parties]
    return [wait.until for kept in found for wait in kept.table.waits]


async def paced(table: Cluster) -> None:
    """A game on each shard, in which time decides for who is late."""
    for party in table.parties:
        await party.gather()
        host = party.people[0]
        await set_options(party, pace=120, expiry="decide")
        await host.click(await party.panel(), label="Start")
        await party.quiet(1)


async def decided(table: Party) -> int:
    """How often something was decided for somebody."""
    return sum("decide" in json.dumps(record["do"]) for record in (await table.read()).records[1:])
