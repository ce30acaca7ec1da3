"""Work that runs to its end even if its caller is canceled, or that is done once for all callers; and locks by key."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Hashable
from contextvars import Context
from math import inf
from typing import Any, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from cachetools import TTLCache

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


class Once:
    """Results that are worked out once for all who ask, and kept for some time. What failed is tried again."""

    def __init__(self, most: int, seconds: float = inf, timer: Callable[[], float] = time.monotonic) -> None:
        """`most`: how many results are kept, `seconds`: for how long, by `timer`."""
        self._tasks: TTLCache[Hashable, asyncio.Task[Any]] = TTLCache(most, seconds, timer)

    async def of(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of `work`. The key must name everything that it depends on, also who can see it."""
        task = self._tasks.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._tasks[key] = asyncio.create_task(work())
        result: T = await asyncio.shield(task)
        return result

    def forget(self, key: Hashable) -> None:
        """Forget a result."""
        self._tasks.pop(key, None)


class Locks:
    """A lock for each key. Locks that no one holds or waits for are dropped."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def __call__(self, key: Hashable) -> asyncio.Lock:
        """The lock of a key, to be used in `async with`."""
        return self._locks.setdefault(key, asyncio.Lock())
