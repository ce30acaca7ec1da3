"""When direct messages may be opened: one after another, and for hours not at all once Discord calls them too many."""

from __future__ import annotations

import logging
from collections.abc import Callable

from bot.store import Store

log = logging.getLogger(__name__)

APART, AT_ONCE = 240.0, 5
"""Seconds between two openings of all processes together, and how many may come at once: a table of friends. Discord
names no limit; bots report to have been stopped after some 25 in a short time."""
STOPPED = 6 * 3600.0
"""Seconds for which none is opened once Discord has refused them."""
LOOK = 10.0
"""Seconds after which a process hears that another one was refused."""
LANE = -1
"""Where the store counts these turns, beside those of new sessions."""


class Directs:
    """Known to all processes by the store."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._now = store, now
        self._until = self._looked = 0.0
        self._turns: dict[int, float] = {}
        """When whose turn comes."""

    async def stopped(self) -> bool:
        """Whether none may be opened just now."""
        now = self._now()
        if abs(now - self._looked) >= LOOK:
            self._until, self._looked = await self._store.stopped(), now
        return now < self._until

    async def stop(self) -> None:
        """Discord has refused them as too many."""
        self._looked = self._now()
        self._until = self._looked + STOPPED
        log.warning(
            "Discord lets Harbormaster open no more direct messages: for %.0f hours it calls people in channels only",
            STOPPED / 3600,
        )
        await self._store.stop(self._until)

    async def wait(self, user: int) -> float:
        """In how many seconds somebody's may be opened; from now on that is their turn."""
        now = self._now()
        if now > self._turns.get(user, 0.0) + APART:  # they have none, or have let it pass
            turn = await self._store.turn(LANE, now - (AT_ONCE - 1) * APART, APART)
            self._turns[user] = max(turn, now)  # theirs until it has passed, however often an outage has it tried
        return max(self._turns[user] - now, 0.0)

    def opened(self, user: int) -> None:
        """They have been."""
        self._turns.pop(user, None)
