"""Runs of pytest in copies of the repository, each in a process of its own."""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

PATIENCE = 20.0
"""Seconds that a test can take, besides five times what it took, before it counts as hanging."""


class Plugin:
    """Runs only these tests, in this order (all, if none is named). Notes how long they take, and which fail."""

    def __init__(self, tests: Sequence[str] = (), expected: dict[str, float] | None = None) -> None:
        self._rank = {test: number for number, test in enumerate(tests)}
        self.expected = expected or {}
        """How long tests should take. Those that take much longer are stopped."""
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.failed: list[str] = []
        self.hangs = False

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self._rank:
            items[:] = sorted((i for i in items if i.nodeid in self._rank), key=lambda i: self._rank[i.nodeid])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if expected := self.expected.get(item.nodeid):
            signal.setitimer(signal.ITIMER_REAL, PATIENCE + 5 * expected)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.failed += [report.nodeid] * report.failed

    def out_of_time(self, _number: int, _frame: FrameType | None) -> None:
        """Stop, as if a person had: then fixtures end what they have started."""
        self.hangs = True
        raise KeyboardInterrupt


def patience(tests: Iterable[str], seconds: dict[str, float]) -> float:
    """After how many seconds a process is killed: it should have stopped by itself before."""
    return 3 * PATIENCE + 5 * sum(seconds[test] for test in tests)


def run(copy: Path, arguments: Iterable[str], plugin: Plugin, limit: float = math.inf) -> dict[str, Any]:
    """Run pytest in a copy, in a process of its own, for so many seconds at most."""
    if not (child := os.fork()):
        try:
            os.chdir(copy)
            sys.path[0] = os.environ["PYTHONPATH"] = str(copy)
            with copy.with_suffix(".log").open("wb") as output:
                os.dup2(output.fileno(), 1)
                os.dup2(output.fileno(), 2)
            signal.signal(signal.SIGALRM, plugin.out_of_time)
            options = (
                "-q",
                "-p_hypothesis_pytestplugin",
                "--hypothesis-seed=0",
                "-pno:cacheprovider",
                f"--basetemp={copy}.tmp",
            )
            status = int(pytest.main([*options, *arguments], [plugin]))
            signal.setitimer(signal.ITIMER_REAL, 0)
            told = {"status": status, "failed": plugin.failed, "seconds": plugin.seconds, "hangs": plugin.hangs}
            copy.with_suffix(".json").write_text(json.dumps(told), "utf-8")
        finally:
            os._exit(0)
    return answer(copy, child, limit)


def answer(copy: Path, child: int, limit: float) -> dict[str, Any]:
    """What a process tells that runs pytest in this copy. Kills it after so many seconds."""
    told, until = copy.with_suffix(".json"), time.monotonic() + limit
    while not os.waitpid(child, os.WNOHANG)[0]:
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            limit = until = math.inf
        time.sleep(0.005)
    try:
        return dict(json.loads(told.read_text("utf-8")))
    except FileNotFoundError:
        return {"status": -1, "failed": [], "seconds": {}, "hangs": until == math.inf}
    finally:
        told.unlink(missing_ok=True)


def found_by(told: dict[str, Any]) -> str:
    """What found the mutant; empty, if the tests have passed."""
    if told["status"] in (0, 5):
        return ""
    return str((*told["failed"], "hangs" if told["hangs"] else "crash")[0])
