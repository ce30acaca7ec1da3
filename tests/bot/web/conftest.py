"""What all tests of the website do without."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Say at once that there is nothing, as often as someone asks."""
    monkeypatch.setattr("bot.web.REFUSED_AFTER", 0.0)
    monkeypatch.setattr("bot.web.bounds.BURST", 1000.0)
