"""Fixtures of the tests over the wire."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.wire.openings import main_step
from tests.wire.party import Party, party
from tests.wire.server import WireServer
from tests.wire.world import World


@pytest_asyncio.fixture
async def table(tmp_path: Path) -> AsyncIterator[Party]:
    """A table where a player has rolled and can end the turn."""
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as found:
        yield found


@pytest.fixture
def world() -> World:
    """A Discord that no one is connected to."""
    return WireServer().world
