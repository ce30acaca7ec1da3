"""The interactions of this process: each is handled once, and before the process stops, the last ones are answered."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

REMEMBERED = 1000
"""Interactions that are remembered: after a short interruption of the gateway, Discord can deliver them again."""


class InFlight:
    """Interactions under way, and those taken on lately."""

    def __init__(self) -> None:
        self.closing = False
        """Whether the process is stopping, so that nothing new can begin."""
        self._taken: deque[str] = deque(maxlen=REMEMBERED)
        """Keys of the interactions that this process has taken on."""
        self._tasks: set[asyncio.Task[object]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def take_on(self, key: str) -> bool:
        """Take on an interaction. False if this process has done so before."""
        if key in self._taken:
            return False
        self._taken.append(key)
        return True

    def give_up(self, key: str) -> None:
        """Forget an interaction that could not be answered: it can be delivered again."""
        if key in self._taken:
            self._taken.remove(key)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Count the current task as handling an interaction."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            yield
        finally:
            self._tasks.discard(task)

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        """Start work that no one has asked for and that comes to an end."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finished(self, within: float) -> None:
        """Take nothing new, and wait for what is under way, at most `within` seconds."""
        self.closing = True
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=within)
