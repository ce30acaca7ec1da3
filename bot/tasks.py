"""Work that goes on to its end when the one who waits for it is cancelled, and locks by key."""

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


def apart(call: Callable[P, T], *values: P.args, **named: P.kwargs) -> T:
    """Call something outside of the current context, so that its timers and tasks belong to no interaction.

    The simulated Discord waits for everything that an interaction sets off, and for timers that end within seconds.
    """
    return Context().run(call, *values, **named)


class Shielded:
    """Runs coroutines as tasks of its own and keeps hold of them."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin with `work`, for which nobody need wait."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`, which a cancelled caller no longer waits for but doesn't stop either."""
        task = self.start(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_tell_failure)
            raise

    async def finished(self) -> None:
        """Wait until nothing is under way."""
        while self._tasks:
            await asyncio.wait(self._tasks)


def _tell_failure(task: asyncio.Task[Any]) -> None:
    """Nobody waits any more: a failure would go unseen."""
    if not task.cancelled() and (error := task.exception()):
        log.error("Work failed after its caller had left", exc_info=error)


class Locks:
    """A lock for each key; those that nobody holds or waits for are forgotten."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def __call__(self, key: Hashable) -> asyncio.Lock:
        """The lock of a key, to be used in `async with`."""
        return self._locks.setdefault(key, asyncio.Lock())
