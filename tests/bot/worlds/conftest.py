"""Fixtures for the tests of two worlds."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.discord.show import publisher
from bot.service import orders
from bot.table.options import DAY
from bot.tasks import Worker
from tests.bot.worlds.ordering import TAKES
from tests.bot.worlds.stage import Theatre


@pytest.fixture
def theatre(quick_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Theatre:
    """A theater, which opens stages. What would be drawn from the same in both worlds is drawn once."""
    drawn, run = dict[tuple[object, bytes], Any](), Worker.run

    async def draw(self: Worker, work: Callable[..., Any], *values: Any) -> Any:
        key = work, pickle.dumps(values)
        if key not in drawn:
            drawn[key] = await run(self, work, *values)
            return drawn[key]
        return await run(self, drawn.get, key)  # what is at hand already is waited for as well: else the order differs

    monkeypatch.setattr(Worker, "run", draw)
    return Theatre(quick_path, monkeypatch, caplog)


@pytest.fixture
def in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the autopilot always take the same time, and let days pass quickly: no sweeps meanwhile."""
    monkeypatch.setattr(orders, "DELAY", (TAKES, TAKES))
    monkeypatch.setattr(publisher, "SWEEPS_APART", 365 * DAY)
