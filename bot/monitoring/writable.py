"""Whether the store can write. Changes that are stored anyway show it; if there are none, a write is tried."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

from bot.monitoring.health import EVERY, FINE, Finding
from bot.store import Unavailable

QUIET = 60.0
"""Seconds without a stored change after which a small write is tried."""
ANSWER = 4.0
"""Seconds that this write can take; less than `EVERY`."""
PATIENCE = 120.0
"""Seconds of failures after which the process gives up. A database can be restarted meanwhile."""


class Writable:
    """A check for `Health`."""

    def __init__(self, write: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """`write` stores something small that is true anyway, such as `Store.alive`, and costs no fsync."""
        self._write = write
        self._proved = -QUIET
        self._trying: asyncio.Task[None] | None = None
        self._failing = 0.0

    def stored(self, *_: object) -> None:
        """Note that a change was stored."""
        self._proved = time.monotonic()

    async def look(self) -> Finding:
        """Try a write if necessary. While a write hangs, no second one is begun."""
        if self._trying is None:
            if not self._failing and time.monotonic() - self._proved < QUIET:
                return FINE
            self._trying = asyncio.create_task(self._write())
        await asyncio.wait({self._trying}, timeout=ANSWER)
        problem = self._outcome(self._trying)
        if not problem:
            self._failing = 0.0
            self.stored()
            return FINE
        self._failing += EVERY
        return Finding(problem, self._failing >= PATIENCE)

    def _outcome(self, task: asyncio.Task[None]) -> str:
        """Why the store can't write; empty: it can."""
        if not task.done():
            return f"a write has taken more than {ANSWER:.0f} s"
        self._trying = None
        error = task.exception()
        if error is None:
            return ""
        reason = str(error) if isinstance(error, Unavailable) else type(error).__name__
        return f"the store can't be written: {reason}"
