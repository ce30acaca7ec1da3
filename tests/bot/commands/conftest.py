"""Fixtures of the tests of the commands."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.store import moving
from bot.store.sqlite import check
from tests.forks import processes


@pytest.fixture
def tmp_path(quick_path: Path) -> Path:
    """All that commands make is small, and made quickly."""
    return quick_path


@pytest.fixture(autouse=True)
def empty_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The present folder: new and without `.env`, with an environment without our settings."""
    for name in [*os.environ]:
        if name.upper() in ("DISCORD_TOKEN", "DATABASE_URL", "SENTRY_DSN") or name.upper().startswith("HARBORMASTER_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def quick_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are looked at by processes that start at once."""
    for module in (moving, check):
        monkeypatch.setattr(module, "processes", processes)
