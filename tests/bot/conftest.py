"""Fixtures for the bot's tests."""

from __future__ import annotations

import logging
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiosqlite
import pytest
import pytest_asyncio

from bot.store import Store
from tests import memory
from tests.bot.driver import Inline
from tests.bot.old_files import opened
from tests.bot.oracle import check_all_acts
from tests.bot.playground import Playground, new_file
from tests.bot.store.shared import SharedStore

OpenShared = Callable[..., Awaitable[Any]]

ROOM = 32 << 20
"""Bytes that a test's files can take in memory."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.definition.get_closest_marker("on_databases"):
        metafunc.parametrize("ground", ["sqlite", "postgresql"], indirect=True)


class Unexpected(logging.Handler):
    """Keeps what the program logs as an error that it didn't expect."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.found.append(f"{record.getMessage()}: {record.exc_info[1]!r}")


@pytest.fixture(autouse=True)
def _no_unexpected_errors(request: pytest.FixtureRequest) -> Iterator[None]:
    """Check that no error was caught and merely logged, unless the test itself looks at the log (`caplog`)."""
    unexpected, log = Unexpected(), logging.getLogger("bot")
    if "caplog" not in request.fixturenames:
        log.addHandler(unexpected)
    yield
    log.removeHandler(unexpected)
    assert not unexpected.found


@pytest.fixture(autouse=True)
def _no_thread(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do without a thread for each SQLite file, except in the store's own tests."""
    if "store" not in request.path.parts:
        monkeypatch.setattr(aiosqlite.core, "Connection", Inline)


@pytest.fixture
def quick_path() -> Iterator[Path]:
    """A folder for files that need not survive a power cut: in memory, if the machine has room, so no write waits."""
    with TemporaryDirectory(prefix="harbormaster-", dir=memory.disk(ROOM)) as folder:
        yield Path(folder)


@pytest_asyncio.fixture
async def ground(request: pytest.FixtureRequest, quick_path: Path) -> AsyncIterator[Playground]:
    """A playground on a new SQLite file. Tests marked `on_databases` also get one on a PostgreSQL database."""
    on_server = getattr(request, "param", "") == "postgresql"
    playground = Playground(
        request.getfixturevalue("new_database")(ready=True) if on_server else new_file(quick_path / "games.db")
    )
    await playground.open()
    try:
        yield playground
        if "store" not in request.path.parts:  # those tests damage files on purpose
            await check_all_acts(playground.store)
    finally:
        await playground.close()


@pytest_asyncio.fixture
async def open_shared(quick_path: Path) -> AsyncIterator[OpenShared]:
    """A function that opens one more process's store on the same file. `kind`: its class, for stores that fail."""
    file, stores = new_file(quick_path / "shared.db"), list[Store]()

    async def open_one(kind: type[SharedStore] = SharedStore) -> Any:
        stores.append(await kind.open(file))
        return stores[-1]

    yield open_one
    for store in stores:
        await store.close()


@pytest_asyncio.fixture
async def old(quick_path: Path) -> AsyncIterator[Playground]:
    """A playground on the file that 0.1.0 made."""
    async with opened(quick_path, "0.1.0", 2_000_000.0) as ground:
        yield ground


@pytest.fixture
def rng() -> random.Random:
    """A source of the same choices in each run."""
    return random.Random(5)
