"""Free memory goes back to the system, where the C library can do that."""

from __future__ import annotations

import ctypes
import sys
import threading
from types import SimpleNamespace

import pytest

from bot import tasks


def _threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "memory"]


def test_free_memory_is_given_back_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    given, twice = list[int](), threading.Event()

    def trim(kept: int) -> None:
        given.append(kept)
        if len(given) == 2:
            twice.set()

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace(malloc_trim=trim))
    monkeypatch.setattr(tasks, "GIVE_BACK_EVERY", 0.001)
    tasks.give_memory_back()
    assert twice.wait(10.0)
    assert set(given) == {0}


def test_nothing_runs_where_the_c_library_cant(monkeypatch: pytest.MonkeyPatch) -> None:
    before = len(_threads())
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace())
    tasks.give_memory_back()
    assert len(_threads()) == before
