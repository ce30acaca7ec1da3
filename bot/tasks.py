"""Work that goes on to its end when the one who waits for it is cancelled."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger(__name__)


def apart(call: Callable[P, T], *values: P.args, **named: P.kwargs) -> T:
    """The result of a call whose timers and tasks belong to no interaction.

    The simulated Discord waits for everything that an interaction sets off, and for timers that end within seconds.
    """
    return Context().run(call, *values, **named)


class Shielded:
    """Runs coroutines as tasks of its own and keeps hold of them."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`, which a cancelled caller no longer waits for but doesn't stop either."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
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
