"""Which games this process shows: where several share the store, each game is shown by one of them at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from bot.store import Store, Taken, Unavailable
from bot.tasks import Locks, apart

log = logging.getLogger(__name__)

HOLD = 15.0
"""Seconds after which the games of a process that died are free for others."""
RENEW = 4.0
"""Seconds between two signs that a process is alive, as long as it has games."""
GRACE = 2.0
"""Seconds for which a change is left to be shown to the process that has made it."""
MOST = 50
"""Games that a process takes at once of those that nobody shows."""
SHOW = "show:"
"""Begins the word to the process that shows a game; the rest is the game's number."""


class Leases:
    """Takes games and gives them back; where the store isn't shared, all games are ours for good."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self.shared = store.shared
        """Whether there may be other processes."""
        self._store, self._now = store, now
        self._ours: dict[int, float] = {}
        """Until when each was taken."""
        self._found: set[int] = set()
        """Those of them that another process had before."""
        self._until = 0.0
        self._locks = Locks()
        self._renewing: asyncio.Task[None] | None = None
        self._wanted: Callable[[int], None] = lambda number: None

    async def start(self, wanted: Callable[[int], None]) -> None:
        """`wanted` is called when another process has changed a game that is ours to show."""
        self._wanted = wanted
        await self._store.listen(self._heard)

    async def take(self, number: int) -> Taken:
        """Take a game, to show it; if another process has it, that one is told that there is something to show."""
        if not self.shared:
            return Taken.STILL
        async with self._locks(number):
            now = self._now()
            if number in self._ours and now < self._until:
                found = number in self._found
                self._found.discard(number)
                return Taken.NEWLY if found else Taken.STILL
            taken = await self._store.take(number, now, now + HOLD)
            if taken is not Taken.NOT:
                self._have(number, now + HOLD)
                return taken
        await self._store.tell(f"{SHOW}{number}")
        return taken

    async def give_back(self, number: int, rest: float | None = None, *, only: str = "") -> bool:
        """Let others show a game; False, and it stays ours, where something has to be shown.

        `rest`: seconds for which the others need not look after it by themselves, whatever has to be shown, as long as
        its name begins with `only`.
        """
        if not self.shared:
            return True
        async with self._locks(number):
            given = await self._store.give_back(number, None if rest is None else self._now() + rest, only=only)
            # Where it isn't given, it may be another process's by now: the next `take` asks the store.
            self._ours.pop(number, None)
            return given

    async def pending(self) -> list[int]:
        """Games of which something has to be shown and which nobody else shows; where others may, they are ours now."""
        if not self.shared:
            return await self._store.pending()
        now = self._now()
        for number in await self._store.take_pending(now, now + HOLD, since=now - GRACE, most=MOST):
            self._found.add(number)
            self._have(number, now + HOLD)
        return sorted(self._ours)

    async def close(self) -> None:
        """Leave all games to the others."""
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.wait([self._renewing])
        if self._ours:
            await self._store.keep_taken(self._ours, 0.0)
            self._ours.clear()

    def _have(self, number: int, until: float) -> None:
        if not self._ours:
            self._until = until
        self._ours[number] = until
        if self._renewing is None:
            self._renewing = apart(asyncio.create_task, self._renew())

    async def _renew(self) -> None:
        """Say from time to time that this process is alive."""
        while self._ours:
            await asyncio.sleep(RENEW)
            until, ours = self._now() + HOLD, dict(self._ours)
            try:
                kept = await self._store.keep_taken(sorted(ours), until)
            except Exception as error:  # whatever it is: who doesn't go on with this loses all games for good
                known = isinstance(error, Unavailable)
                log.warning("Games to be shown could not be kept: %s", error, exc_info=None if known else error)
            else:
                for number in ours.keys() - kept:  # given back, or another process has taken it meanwhile
                    if self._ours.get(number) == ours[number]:
                        del self._ours[number]
                self._until = until
        self._renewing = None

    def _heard(self, words: str) -> None:
        number = words.removeprefix(SHOW)
        if number != words and number.isdecimal() and int(number) in self._ours:
            self._wanted(int(number))
