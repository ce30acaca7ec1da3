"""Planted faults still replace what they name. Whether the simulation finds them takes long (`make soak`)."""

from __future__ import annotations

import os

import pytest

pytest.importorskip("simloom")  # it needs Python 3.12

from tests.sim.planted import failures, faults, leaks  # noqa: F401 (they declare what can be planted)
from tests.sim.planted.planting import PLANTED


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each is planted in a process of its own")
@pytest.mark.parametrize("name", PLANTED)
def test_a_fault_can_be_planted(name: str) -> None:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            PLANTED[name].begin()
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
