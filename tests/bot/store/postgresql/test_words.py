"""What processes tell each other through the database."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from bot.store import open_store
from bot.store.postgresql import store as module
from tests.postgres import NewDatabase


async def test_processes_hear_each_other_even_after_a_lost_connection(
    new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LISTEN_AGAIN", 0.05)
    monkeypatch.setattr(module, "LISTEN_CHECK", 0.05)
    address = new_database(ready=True)
    stores = [await open_store(address, namespace=name) for name in ("discord", "discord", "offline")]
    listening, other, elsewhere = stores
    found, too = list[str](), list[str]()
    await listening.listen(found.append)
    await listening.listen(too.append)

    async def reach(words: str) -> None:
        """What is said before there is a connection is lost."""
        for _ in range(100):
            await other.tell(words)
            await asyncio.sleep(0.05)
            if words in found:
                return
        raise AssertionError("nothing was heard")

    await reach("first of all")
    connection = await asyncpg.connect(address)
    ours = "query LIKE 'LISTEN %' OR query = 'SELECT 1'"
    assert await connection.fetchval(f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE {ours}") == 1
    await connection.close()
    await reach("second")
    await listening.tell("own words")
    await elsewhere.tell("words in another namespace")
    await reach("last")
    assert {*found} == {*too} == {"first of all", "second", "last"}
    for store in stores:
        await store.close()
