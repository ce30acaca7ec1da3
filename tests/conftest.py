"""Fixtures for all tests, the number of workers, and the order of the tests."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.bot import invariants
from tests.wire.process import BotProcess

pytest_plugins = ["tests.postgres"]


def pytest_configure(config: pytest.Config) -> None:
    """Check each table that a test stores, and start bots by forking. Hypothesis has no deadline, since a busy
    machine is no failure. Where `PYTHONDONTWRITEBYTECODE` is set, keep compiled code for other processes in pytest's
    cache."""
    invariants.watch()
    hypothesis.settings.register_profile("unhurried", deadline=None)
    hypothesis.settings.load_profile("unhurried")
    BotProcess.preloading = True
    cache: pytest.Cache | None = getattr(config, "cache", None)
    if cache is not None and os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(cache.mkdir("bytecode"))
        sys.dont_write_bytecode = False


def pytest_collection_finish() -> None:
    """Exclude the tests themselves from garbage collection: there are many, and they stay."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _consistent() -> Iterator[None]:
    """Check that every table that the test stored is consistent."""
    invariants.forget()
    yield
    assert not invariants.BROKEN


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """More than twice the number of processors, since the tests over the wire wait for outages and time limits."""
    return 2 + 2 * (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread the tests over the wire among the others, file by file: they wait while others need the processors."""
    wire = [item for item in items if "wire" in item.path.parts]
    others = [item for item in items if "wire" not in item.path.parts]
    place: dict[Path, float] = {}
    for group in (wire, others):
        for number, item in enumerate(group):
            place.setdefault(item.path, number / len(group))
    items.sort(key=lambda item: place[item.path])
