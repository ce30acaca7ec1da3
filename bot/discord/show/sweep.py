"""Looks from time to time for games in the store with something due that no task is working on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.service import Services
from bot.store import Unavailable
from engine.errors import RefereeError

log = logging.getLogger(__name__)

APART, SHARED = 30.0, 5.0
"""Seconds between two looks: usually, and if processes share the store, to find what others have changed."""


class Sweep:
    """Finds games with something due whose task has died, or never began."""

    def __init__(self, services: Services, found: Callable[[int], Awaitable[None]]) -> None:
        """`found` is called with the number of each."""
        self._services = services
        self._found = found
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look for the first time after one interval."""
        self.stop()
        every = SHARED if self._services.ownership.shared else APART
        self._timer = asyncio.get_running_loop().call_later(every, self._begin)

    def hurry(self) -> None:
        """Look now, if the sweep has been started."""
        if self._timer is not None:
            self.stop()
            self._begin()

    def stop(self) -> None:
        """Stop looking; a look that has begun goes on."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def cancel(self) -> None:
        """Stop looking, and cancel a look that has begun."""
        self.stop()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def _begin(self) -> None:
        self._task = asyncio.create_task(self._look(), name="publish-sweep")

    async def _look(self) -> None:
        try:
            for number in await self._services.projections.pending(self._services.ownership.shards):
                await self._found(number)
        except (Unavailable, RefereeError) as error:
            log.warning("Could not look for games with something to show: %s", error)
        except Exception:
            log.exception("Could not look for games with something to show")
        self._task = None
        self.start()
