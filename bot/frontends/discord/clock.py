"""The clock: a timer for each table with a deadline, and signs of life as long as there is one. No task idles."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from bot.models import Deadline, Table
from bot.store import Damaged, Unavailable
from engine.errors import RefereeError

if TYPE_CHECKING:
    from bot.frontends.discord.context import AppContext

log = logging.getLogger(__name__)

ALIVE = 60.0
"""Seconds between signs of life: by so much a deadline can come too late after a crash."""
UPKEEP = 3600.0
"""Seconds between two looks for tables that nobody touches; the first comes a minute after the start."""
AGAIN = 60.0
"""Seconds until the next try when a decision could not be ended."""


class Clock:
    """Ends decisions whose time is over."""

    def __init__(self, app: AppContext, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._front = app
        self._now = now
        self._timers: dict[int, tuple[Deadline, asyncio.TimerHandle]] = {}
        self._pulse: asyncio.TimerHandle | None = None
        self._upkeep: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    async def start(self) -> None:
        """Take up the deadlines that are stored, and hear of all others."""
        self._front.service.listen(self.watch)
        for table in await self._front.service.wake():
            self.watch(table)
        self._upkeep = asyncio.get_running_loop().call_later(UPKEEP / 60, self._keep_up)

    async def close(self) -> None:
        """Stop all timers, and note that time counts up to now."""
        self._closed = True
        for _, timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        for repeated in (self._pulse, self._upkeep):
            if repeated is not None:
                repeated.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._front.service.alive()

    def watch(self, table: Table) -> None:
        """Have the timer of a table fit its deadline."""
        known = self._timers.get(table.number)
        if self._closed or (known is not None and known[0] == table.deadline):
            return
        if known is not None:
            known[1].cancel()
            del self._timers[table.number]
        if table.deadline is not None:
            self._set(table.number, table.deadline, max(table.deadline.at - self._now(), 0.0))
            if self._pulse is None:
                self._beat()

    def _set(self, number: int, deadline: Deadline, wait: float) -> None:
        timer = asyncio.get_running_loop().call_later(wait, self._do, self._ring, number, deadline)
        self._timers[number] = deadline, timer

    def _do(self, work: Callable[..., Coroutine[Any, Any, None]], *values: Any) -> None:
        task = asyncio.create_task(self._try(work, *values))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _try(self, work: Callable[..., Coroutine[Any, Any, None]], *values: Any) -> None:
        """Do something that comes again by itself when it fails."""
        try:
            await work(*values)
        except Exception as error:
            known = isinstance(error, (Unavailable, RefereeError))
            log.warning("The clock could not do its work: %s", error, exc_info=None if known else error)

    async def _ring(self, number: int, deadline: Deadline) -> None:
        """The time is over, unless the timer was early or an answer came in this moment."""
        app = self._front
        self._timers.pop(number, None)
        try:
            game = await app.service.expire(number, deadline.serial)
        except Damaged:  # the host has been told, and it needs a restart to be mended
            return
        except Exception:
            log.exception("Game %d: the decision could not be ended", number)
            if not self._closed:
                self._set(number, deadline, AGAIN)
            return
        if game is None:
            self.watch(await app.service.table(number))
            return
        log.info("Game %d: the time is over", number)
        app.note(number, game)
        app.screens.refresh(number)

    def _keep_up(self) -> None:
        if not self._closed:
            self._upkeep = asyncio.get_running_loop().call_later(UPKEEP, self._keep_up)
            self._do(self._put_away)

    async def _put_away(self) -> None:
        for table in await self._front.service.put_away():
            self._front.screens.refresh(table.number)

    def _beat(self) -> None:
        """A sign of life now and from time to time, as long as there is a deadline."""
        self._pulse = None
        if self._timers and not self._closed:
            self._pulse = asyncio.get_running_loop().call_later(ALIVE, self._beat)
            self._do(self._front.service.alive)
