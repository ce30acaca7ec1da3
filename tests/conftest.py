"""Fixtures of all tests, and how many run at a time."""

from __future__ import annotations

import os

import pytest

pytest_plugins = ["tests.postgres"]


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Half as many again as there are processors: the tests over the wire wait for outages and time limits."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return processors + processors // 2
