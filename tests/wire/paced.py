"""Games on several shards where the referee decides for people who are late."""

from __future__ import annotations

import json

from tests.wire.cluster import Cluster
from tests.wire.forms import set_options
from tests.wire.party import Party


async def deadlines(table: Cluster) -> list[float | None]:
    """The time until which each game waits for each seat."""
    tables = [await party.read() for party in table.parties]
    return [wait.until for stored in tables for wait in stored.table.waits]


async def paced(table: Cluster) -> None:
    """Begin a game on each shard. Late players are decided for."""
    for party in table.parties:
        await party.gather()
        host = party.people[0]
        await set_options(party, pace=120, expiry="decide")
        await host.click(await party.panel(), label="Start")
        await party.settled(1)


async def decided(table: Party) -> int:
    """How often the game decided for a player."""
    return sum("decide" in json.dumps(record["do"]) for record in (await table.read()).records[1:])
