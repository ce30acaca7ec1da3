"""Fixtures of the tests of the bot."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.bot.playground import Playground


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.definition.get_closest_marker("on_databases"):
        metafunc.parametrize("ground", ["sqlite", "postgresql"], indirect=True)


@pytest_asyncio.fixture
async def ground(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Playground]:
    """A playground in memory, or on a new database for tests that are marked so."""
    database: Path | str | None = None
    if getattr(request, "param", "") == "postgresql":
        database = request.getfixturevalue("new_database")()
    elif any(request.node.get_closest_marker(name) for name in ("on_file", "on_databases")):
        database = tmp_path / "games.db"
    playground = Playground(database)
    await playground.open()
    yield playground
    await playground.close()


@pytest.fixture
def rng() -> random.Random:
    """Always the same choices."""
    return random.Random(5)
