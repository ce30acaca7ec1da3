"""Whether people can see their games and act in them. While they can't, no one's time is over: it begins again."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from bot.projections import is_unseen
from bot.store import Store, Unavailable
from bot.table.table import Table

log = logging.getLogger(__name__)

LONG = 10.0
"""Seconds for which a game can be out of reach without any consequence."""
FRESH = 300.0
"""Seconds that people need to come back afterward."""

Probe = Callable[[Table], Awaitable[bool]]
"""Whether a game is shown as it stands, and people can act in it."""


class Reach:
    """When games were last out of reach. The store keeps it, so each process knows what other processes have seen, and
    what the one before it has seen."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._now = store, now
        self._probe: Probe | None = None
        self._unstored: dict[int | None, float] = {}
        """Times that could not be stored yet, by game; None: all games."""

    def probe_by(self, probe: Probe) -> None:
        """Call `probe` when a time is over."""
        self._probe = probe

    async def lost(self, number: int | None) -> None:
        """Note that until now people could not see a game or act in it; None: in any game."""
        self._unstored[number] = self._now()
        try:
            await self._note()
        except Unavailable as error:
            log.warning("When games were out of reach could not be stored: %s", error)

    async def lost_all(self) -> None:
        """Note the same for all games."""
        await self.lost(None)

    async def last(self, number: int) -> float:
        """When people were last unable to see a game or act in it; 0: never."""
        await self._note()
        return await self._store.unseen(number)

    async def missed(self, table: Table) -> float:
        """When people were last unable to see a game or act in it, if that is so now or was less than `FRESH` seconds
        ago; else 0. A time that had begun by then, and is over, begins again."""
        seen = not is_unseen(await self._store.visible(table.number))
        if not seen or not (self._probe is None or await self._probe(table)):
            await self.lost(table.number)
        at = await self.last(table.number)
        return at if self._now() - at < FRESH else 0.0

    async def _note(self) -> None:
        """Store what isn't stored yet."""
        for number, at in list(self._unstored.items()):
            await self._store.lost(number, at)
            if self._unstored.get(number) == at:
                del self._unstored[number]
