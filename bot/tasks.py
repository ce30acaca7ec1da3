"""Work that runs to its end even if its caller is canceled, and locks by key."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Hashable
from contextvars import Context
from typing import Any, ParamSpec, TypeVar
from weakref import WeakValueDictionary

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger(__name__)


def in_own_context(call: Callable[P, T], *values: P.args, **named: P.kwargs) -> T:
    """Call a function outside the current context, so that its timers and tasks belong to no interaction.

    The simulated Discord waits for everything that an interaction starts, and for timers that end within seconds.
    """
    return Context().run(call, *values, **named)


class Shielded:
    """Runs coroutines as tasks of its own, and holds references to them."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start `work`. No one needs to wait for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` and return its result. A canceled caller stops waiting, but `work` goes on."""
        task = self.start(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_tell_failure)
            raise

    async def finished(self) -> None:
        """Wait until nothing is running."""
        while self._tasks:
            await asyncio.wait(self._tasks)


def _tell_failure(task: asyncio.Task[Any]) -> None:
    """Log a failure that would otherwise go unseen, as no one waits for the task anymore."""
    if not task.cancelled() and (error := task.exception()):
        log.error("Work failed after its caller had left", exc_info=error)


class Locks:
    """A lock for each key. Locks that no one holds or waits for are dropped."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def __call__(self, key: Hashable) -> asyncio.Lock:
        """The lock of a key, to be used in `async with`."""
        return self._locks.setdefault(key, asyncio.Lock())
