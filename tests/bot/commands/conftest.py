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
    """A folder where small files are made quickly."""
    return quick_path


@pytest.fixture(autouse=True)
def empty_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new working directory without `.env`, and an environment without Harbormaster's settings."""
    for name in [*os.environ]:
        if name.upper() in ("DISCORD_TOKEN", "DATABASE_URL", "SENTRY_DSN") or name.upper().startswith("HARBORMASTER_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def quick_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let games be checked by processes that start quickly."""
    monkeypatch.setattr(moving, "processes", lambda count: processes(1))  # there are few games
    monkeypatch.setattr(check, "processes", processes)
