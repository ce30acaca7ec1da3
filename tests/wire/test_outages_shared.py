"""While the gateway is away, no one's time is over, whichever process looks: over sockets and in real time."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from tests.postgres import NewDatabase
from tests.wire.cluster import cluster
from tests.wire.paced import decided, paced


@pytest.mark.soak
async def test_no_process_ends_a_players_time_while_the_gateway_is_away(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    async with cluster(tmp_path, new_database(), processes=2, shards=2, games=2) as table:
        await table.launch()
        ends = await paced(*table.parties)
        await asyncio.sleep(min(ends) - 60 - time.time())
        gateway = table.wire.gateway
        gateway.open = False
        for session in list(gateway.sessions):
            if session.connection is not None:
                await session.connection.socket.close(code=1001)
                session.connection = None
        await asyncio.sleep(max(ends) + 15 - time.time())
        assert not any([await decided(party) for party in table.parties])
        gateway.open = True
