"""Fixtures of the tests of the bot."""

from __future__ import annotations

import os
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import pytest_asyncio

from bot.store import Store
from tests.bot.playground import Playground, new_file
from tests.bot.store.shared import SharedStore

OpenShared = Callable[..., Awaitable[Any]]

MEMORY = Path("/dev/shm")
"""Where Linux has a disk in memory."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.definition.get_closest_marker("on_databases"):
        metafunc.parametrize("ground", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def quick_path(tmp_path: Path) -> Iterator[Path]:
    """A folder for what need not outlive a power cut, where nothing waits for a disk if the machine allows it."""
    if not os.access(MEMORY, os.W_OK):
        yield tmp_path
        return
    with TemporaryDirectory(prefix="harbormaster-", dir=MEMORY) as folder:
        yield Path(folder)


@pytest_asyncio.fixture
async def ground(request: pytest.FixtureRequest, quick_path: Path) -> AsyncIterator[Playground]:
    """A playground on a new SQLite file, or on the database that a test marked `on_databases` is given."""
    on_server = getattr(request, "param", "") == "postgresql"
    playground = Playground(
        request.getfixturevalue("new_database")() if on_server else new_file(quick_path / "games.db")
    )
    await playground.open()
    yield playground
    await playground.close()


@pytest_asyncio.fixture
async def open_shared(quick_path: Path) -> AsyncIterator[OpenShared]:
    """Opens the store of one more process on the same file; it can be of a kind with troubles of its own."""
    file, stores = new_file(quick_path / "shared.db"), list[Store]()

    async def open_one(kind: type[SharedStore] = SharedStore) -> Any:
        stores.append(await kind.open(file))
        return stores[-1]

    yield open_one
    for store in stores:
        await store.close()


@pytest.fixture
def rng() -> random.Random:
    """Always the same choices."""
    return random.Random(5)
