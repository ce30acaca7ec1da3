"""Stores of each kind for the tests of what all of them promise."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from bot.store import Store, open_store
from tests.bot.store.memory_contents import Contents
from tests.bot.store.memory_store import MemoryStore

OpenStore = Callable[[str], Awaitable[Store]]


@pytest_asyncio.fixture(params=["sqlite", "postgresql", "memory"])
async def beside(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[OpenStore]:
    """Opens the store of a namespace, as one more process would."""
    stores: list[Store] = []
    contents = Contents()
    where: Path | str = tmp_path / "games.db"
    if request.param == "postgresql":
        where = request.getfixturevalue("new_database")()

    async def open_one(namespace: str) -> Store:
        if request.param == "memory":
            stores.append(MemoryStore(namespace, contents))
        else:
            stores.append(await open_store(where, namespace=namespace))
        return stores[-1]

    yield open_one
    for store in stores:
        await store.close()


@pytest_asyncio.fixture
async def store(beside: OpenStore) -> Store:
    return await beside("discord")
