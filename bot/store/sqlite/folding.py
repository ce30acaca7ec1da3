"""Decides when the write-ahead log is folded into the database file, so that the file alone is never far behind."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.store.sqlite.file import ERRORS
from bot.tasks import in_own_context

log = logging.getLogger(__name__)


class Folding:
    """Calls `fold` once nothing has been committed for `idle` seconds, at the latest `longest` seconds after the
    first commit that isn't folded. `fold` returns whether it got everything.

    What fails, or is left over, is tried again after `longest` seconds or with the next commit. No task runs meanwhile.
    """

    def __init__(self, fold: Callable[[], Awaitable[bool]], idle: float, longest: float) -> None:
        self._fold = fold
        self._idle = idle
        self._longest = longest
        self._oldest: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def committed(self) -> None:
        """Plan a fold, because something was committed."""
        now = asyncio.get_running_loop().time()
        if self._oldest is None:
            self._oldest = now
        self._start(min(self._idle, max(self._oldest + self._longest - now, 0.0)))

    async def close(self) -> None:
        """Stop, and finish what is under way."""
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            await asyncio.wait([self._task])

    def _start(self, wait: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = in_own_context(asyncio.get_running_loop().call_later, wait, self._run)

    def _run(self) -> None:
        if self._task is not None and not self._task.done():
            self._start(self._idle)
            return
        self._task = asyncio.create_task(self._try())

    async def _try(self) -> None:
        self._oldest = None
        try:
            if await self._fold():
                return
        except ERRORS as error:
            log.warning("The write-ahead log could not be folded into the file, and will be tried again: %s", error)
        if self._oldest is None:  # otherwise a commit has set the timer
            self._oldest = asyncio.get_running_loop().time()
            self._start(self._longest)
