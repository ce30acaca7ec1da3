"""The interactions that are being handled: when the bot stops, no more are taken, and these are answered first."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class InFlight:
    """Counts what is under way."""

    def __init__(self) -> None:
        self.closing = False
        """Whether the bot is stopping: nothing new may be begun."""
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

    async def finished(self, within: float) -> None:
        """Take nothing more, and wait for what is under way, so many seconds at most."""
        self.closing = True
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=within)
