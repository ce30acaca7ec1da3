"""Fixtures for the tests of two worlds."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.discord.show import publisher
from bot.service import orders
from bot.table.options import DAY
from tests.bot.worlds.ordering import TAKES
from tests.bot.worlds.stage import Theatre


@pytest.fixture
def theatre(quick_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Theatre:
    """A theater, which opens stages."""
    return Theatre(quick_path, monkeypatch, caplog)


@pytest.fixture
def in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the autopilot always take the same time, and let days pass quickly: no sweeps meanwhile."""
    monkeypatch.setattr(orders, "DELAY", (TAKES, TAKES))
    monkeypatch.setattr(publisher, "SWEEPS_APART", 365 * DAY)
