"""A fixture for tests of the services in several processes."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from math import inf

import pytest_asyncio

from bot.service import Services
from bot.store import open_store
from tests.bot.playground import Playground


@pytest_asyncio.fixture
async def other(ground: Playground) -> AsyncIterator[Services]:
    """The services of another process on the same database. It owns the same games, as two processes do for a moment
    while a shard changes hands."""
    store = await open_store(ground.database)
    services = Services.of(store, now=ground.now, entropy=random.Random(2).randbytes)
    services.ownership.has(1, (0,), inf)
    yield services
    await services.repository.finished()
    await store.close()
