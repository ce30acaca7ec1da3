"""When direct messages can be opened: one after another, and not at all for hours after Discord calls them too many."""

from __future__ import annotations

import logging
from collections.abc import Callable

from bot.store import Store

log = logging.getLogger(__name__)

APART, AT_ONCE = 240.0, 5
"""Seconds between two openings by all processes together, and how many can come immediately: enough for a table of
friends. Discord names no limit; other bots are said to have been stopped after some 25 in a short time."""
LONGEST = 2 * 3600.0
"""Seconds that a person waits for their turn at most; if all turns within them are taken, no more are given."""
STOPPED = 6 * 3600.0
"""Seconds for which none is opened after Discord has refused one as too many."""
LOOK = 10.0
"""Seconds after which a process learns that another one was refused."""
LANE = -1
"""The bucket in which the store counts these turns, apart from those of new sessions."""


class Directs:
    """Turns for opening direct messages; all processes share them through the store."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._now = store, now
        self._until = self._looked = 0.0
        self._turns: dict[int, float] = {}
        """When each user's turn comes."""

    async def stopped(self) -> bool:
        """Whether no direct messages can be opened at present."""
        now = self._now()
        if abs(now - self._looked) >= LOOK:
            self._until, self._looked = await self._store.stopped(), now
        return now < self._until

    async def stop(self) -> None:
        """Open none for hours, since Discord has refused one as too many."""
        self._looked = self._now()
        self._until = self._looked + STOPPED
        log.warning(
            "Discord lets Harbormaster open no more direct messages: for %.0f hours it calls people in channels only",
            STOPPED / 3600,
        )
        await self._store.stop(self._until)

    async def wait(self, user: int) -> float | None:
        """Reserve a turn to open a user's direct messages. Returns the seconds until it comes; None: too many others
        are waiting."""
        now = self._now()
        self._turns = {user: turn for user, turn in self._turns.items() if now <= turn + APART}
        if user not in self._turns:  # no turn is reserved, or it has passed
            turn = await self._store.turn_before(now + LONGEST, LANE, now - (AT_ONCE - 1) * APART, APART)
            if turn is None:
                return None
            self._turns[user] = max(turn, now)  # kept until it has passed, however often an outage has it tried
        return max(self._turns[user] - now, 0.0)

    async def promise(self, user: int, at: float | None) -> None:
        """Note that a user is written to at a time, in seconds since the epoch; None: it is done, or won't be."""
        await self._store.promise(user, at)

    async def promised(self) -> dict[int, float]:
        """When users who were promised a message are written to."""
        return await self._store.promised()

    def opened(self, user: int) -> None:
        """Drop a user's turn, as their direct messages have been opened."""
        self._turns.pop(user, None)
