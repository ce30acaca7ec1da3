"""Whether this process stood still: it took no clicks meanwhile, so no one's time can be over because of that."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bot.service.reach import LONG, Reach
from bot.tasks import in_own_context

TICK = 1.0
"""Seconds between two ticks, which show that the process is running."""


class Frozen:
    """Compares a clock that is never set with this process's last tick."""

    def __init__(self, reach: Reach, steady: Callable[[], float] | None, do: Callable[..., object]) -> None:
        """`steady` in seconds; None: time is simulated, and nothing is checked. `do` runs a coroutine function."""
        self._reach, self._steady, self._do = reach, steady, do
        self._ticked = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start ticking."""
        if self._steady is not None:
            self._ticked = self._steady()
            self._tick()

    def stop(self) -> None:
        """Stop ticking."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def check(self) -> None:
        """If the process has stood still for long, note that all games were out of reach. Call this before anything
        is done by time."""
        if self._timer is not None and self._stood_still >= LONG:
            await self._reach.lost_all()
            assert self._steady is not None
            self._ticked = self._steady()

    @property
    def _stood_still(self) -> float:
        return 0.0 if self._steady is None else self._steady() - self._ticked

    def _tick(self) -> None:
        if self._steady is None:
            return
        if self._stood_still >= LONG:
            self._do(self.check)
        else:
            self._ticked = self._steady()
        self._timer = in_own_context(asyncio.get_running_loop().call_later, TICK, self._tick)
