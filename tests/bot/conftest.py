"""Fixtures of the tests of the bot."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.bot.playground import Playground


@pytest_asyncio.fixture
async def ground(tmp_path: Path) -> AsyncIterator[Playground]:
    """A playground on a new file."""
    playground = Playground(tmp_path / "games.db")
    await playground.open()
    yield playground
    await playground.close()


@pytest.fixture
def rng() -> random.Random:
    """Always the same choices."""
    return random.Random(5)
