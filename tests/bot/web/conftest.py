"""What all tests of the website do without."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Say at once that there is nothing."""
    monkeypatch.setattr("bot.web.NOTHING_AFTER", 0.0)
