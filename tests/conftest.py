"""Fixtures for all tests, the number of workers, and the order of the tests."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

pytest_plugins = ["tests.postgres"]
USUAL = "not soak and not browser"
"""What `-m` selects in the usual run."""


def pytest_configure(config: pytest.Config) -> None:
    """Where `PYTHONDONTWRITEBYTECODE` is set, keep compiled code for other processes in pytest's cache. Then check each
    table that a test stores, note how it came about, and start bots by forking. Hypothesis has no deadline, since a
    busy machine is no failure."""
    cache: pytest.Cache | None = getattr(config, "cache", None)
    if cache is not None and os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(cache.mkdir("bytecode"))
        sys.dont_write_bytecode = False
    import hypothesis  # now that what is compiled for them is kept

    from tests.bot import invariants, oracle
    from tests.wire.process import BotProcess

    invariants.watch()
    oracle.watch()
    hypothesis.settings.register_profile("unhurried", deadline=None)
    hypothesis.settings.load_profile("unhurried")
    BotProcess.preloading = True


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect the tests without looking for garbage, and leave them out of it later: there are many, and they stay.
    From then on, look for it as seldom as the program does."""
    gc.disable()
    _compile_a_share(session.config)
    result = yield
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()
    return result


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Look for garbage once at the end, where pytest does so five times."""
    gc.collect()
    gc.freeze()


def _compile_a_share(config: pytest.Config) -> None:
    """Import some files of tests, each worker others: otherwise all of them would compile all files on a fresh machine,
    at the same time."""
    number, workers = os.environ.get("PYTEST_XDIST_WORKER", ""), int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    files = sorted(file for place in config.args for file in Path(place).rglob("test_*.py"))
    for file in files[int(number.removeprefix("gw")) :: workers] if number else ():
        with suppress(Exception, pytest.skip.Exception):  # if it can't be imported, collecting says so
            importlib.import_module(".".join(file.resolve().relative_to(config.rootpath).with_suffix("").parts))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the tests with a browser in the usual run."""
    return (collection_path.name == "browser" and config.option.markexpr == USUAL) or None


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> list[pytest.Item] | None:
    """Make no items of the long tests in the usual run. There are thousands, which would only be deselected."""
    if name.startswith("test") and collector.config.option.markexpr == USUAL:
        marks = (*getattr(obj, "pytestmark", ()), *collector.own_markers)
        return [] if any(mark.name == "soak" for mark in marks) else None
    return None


@pytest.fixture(autouse=True)
def _consistent() -> Iterator[None]:
    """Check that every table that the test stored is consistent."""
    from tests.bot import invariants, oracle

    invariants.forget()
    oracle.forget()
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
