"""Fixtures of the tests of the bot."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.bot.playground import Playground


@pytest_asyncio.fixture
async def ground(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Playground]:
    """A playground in memory, or on a new file for tests that are marked so."""
    playground = Playground(tmp_path / "games.db" if request.node.get_closest_marker("on_file") else None)
    await playground.open()
    yield playground
    await playground.close()


@pytest.fixture
def rng() -> random.Random:
    """Always the same choices."""
    return random.Random(5)
