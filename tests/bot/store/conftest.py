"""Stores on each kind of database, for the tests of what all stores promise."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from bot.store import Store, open_store

OpenStore = Callable[[str], Awaitable[Store]]


@pytest_asyncio.fixture(params=["sqlite", "postgresql"])
async def beside(request: pytest.FixtureRequest, quick_path: Path) -> AsyncIterator[OpenStore]:
    """A function that opens a namespace's store, as one more process would."""
    stores: list[Store] = []
    where: Path | str = quick_path / "games.db"
    if request.param == "postgresql":
        where = request.getfixturevalue("new_database")(ready=True)

    async def open_one(namespace: str) -> Store:
        stores.append(await open_store(where, namespace=namespace))
        return stores[-1]

    yield open_one
    for store in stores:
        await store.close()


@pytest_asyncio.fixture
async def store(beside: OpenStore) -> Store:
    return await beside("discord")
