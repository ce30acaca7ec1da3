"""Whether people can see their games and act in them: nobody's time is over while they can't, it begins anew."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.models import Table
from bot.projections import TROUBLE
from bot.store import Store

LONG = 10.0
"""Seconds for which a game may be out of reach without anybody minding."""
FRESH = 300.0
"""Seconds that people need to come back afterwards."""

Probe = Callable[[Table], Awaitable[bool]]
"""Whether a game is shown as it stands, and people can act in it."""


class Reach:
    """When games were last out of reach, as far as this process knows."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._now = store, now
        self._probe: Probe | None = None
        self._lost: dict[int, float] = {}
        self._all_lost = 0.0

    def probe_by(self, probe: Probe) -> None:
        """Have a front look when a time is over."""
        self._probe = probe

    def lost(self, number: int) -> None:
        """People could not see a game, or not act in it, until now."""
        now = self._now()
        self._lost = {other: at for other, at in self._lost.items() if now - at < FRESH}
        self._lost[number] = now

    def lost_all(self) -> None:
        """The same for all games."""
        self._all_lost = self._now()

    async def missed(self, table: Table) -> float:
        """When people last could not see a game or act in it, if that was a moment ago; else 0. A time that had begun
        by then, and is over, begins anew."""
        seen = TROUBLE not in await self._store.visible(table.number)
        if not seen or not (self._probe is None or await self._probe(table)):
            self.lost(table.number)
        at = max(self._lost.get(table.number, 0.0), self._all_lost)
        return at if self._now() - at < FRESH else 0.0
