"""Whether people can see their games and act in them: nobody's time is over while they can't, it begins anew."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from bot.projections import is_unseen
from bot.store import Store, Unavailable
from bot.table.table import Table

log = logging.getLogger(__name__)

LONG = 10.0
"""Seconds for which a game may be out of reach without anybody minding."""
FRESH = 300.0
"""Seconds that people need to come back afterwards."""

Probe = Callable[[Table], Awaitable[bool]]
"""Whether a game is shown as it stands, and people can act in it."""


class Reach:
    """When games were last out of reach. The store keeps it, so that each process knows what another has seen, or the
    one before it."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._now = store, now
        self._probe: Probe | None = None
        self._unstored: dict[int | None, float] = {}
        """What the store couldn't be told yet, by game."""

    def probe_by(self, probe: Probe) -> None:
        """Have a front look when a time is over."""
        self._probe = probe

    async def lost(self, number: int | None) -> None:
        """People could not see a game, or not act in it, until now; None: in any."""
        self._unstored[number] = self._now()
        try:
            await self._note()
        except Unavailable as error:
            log.warning("When games were out of reach could not be stored: %s", error)

    async def lost_all(self) -> None:
        """The same for all games."""
        await self.lost(None)

    async def last(self, number: int) -> float:
        """When people last could not see a game or act in it; 0: never."""
        await self._note()
        return await self._store.unseen(number)

    async def missed(self, table: Table) -> float:
        """The same, if that was a moment ago or is so now; else 0. A time that had begun by then, and is over, begins
        anew."""
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
