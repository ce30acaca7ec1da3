"""The interactions of this process: each is handled once; when the bot stops, the last ones are answered first."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

REMEMBERED = 1000
"""Interactions; Discord delivers again what a short interruption of the gateway may have swallowed."""


class InFlight:
    """What is under way, and what was acknowledged lately."""

    def __init__(self) -> None:
        self.closing = False
        """Whether the bot is stopping: nothing new may be begun."""
        self.acknowledged: deque[str] = deque(maxlen=REMEMBERED)
        """Keys of the interactions that this process has taken on."""
        self._tasks: set[asyncio.Task[object]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """The current task handles an interaction."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            yield
        finally:
            self._tasks.discard(task)

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        """Begin with something that nobody has asked for, and that has an end."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finished(self, within: float) -> None:
        """Take nothing more, and wait for what is under way, so many seconds at most."""
        self.closing = True
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=within)
