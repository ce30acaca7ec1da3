"""Whether people can see their games and act in them. While they can't, no one's time is over: it begins again. That
holds as well if this process stood still: it took no clicks meanwhile."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.projections import is_unseen
from bot.store import Store, Unavailable
from bot.table.table import Table
from bot.tasks import in_own_context

log = logging.getLogger(__name__)

LONG_OUTAGE = 10.0
"""Seconds for which a game can be out of reach without any consequence."""
FRESH = 300.0
"""Seconds that people need to come back afterward."""

UNDECIDED_AGAIN_AFTER = 5.0
"""Seconds until a game is looked at again of which it couldn't be told whether people can reach it."""

Probe = Callable[[Table], Awaitable[bool]]
"""Whether a game is shown as it stands, and people can act in it. Raises `Undecided`."""


class Undecided(Unavailable):
    """It can't be told yet whether people can reach a game. So nothing is done by time, and nothing begins again."""


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

    async def recently_lost(self, table: Table) -> float:
        """When people were last unable to see a game or act in it, if that is so now or was less than `FRESH` seconds
        ago; else 0. A time that had begun by then, and is over, begins again. Raises `Undecided`."""
        seen = not is_unseen(await self._store.visible(table.number))
        if not seen or not (self._probe is None or await self._probe(table)):
            await self.lost(table.number)
        at = await self.last(table.number)
        return at if self._now() - at < FRESH else 0.0

    async def _note(self) -> None:
        """Store what isn't stored yet."""
        for number, at in list(self._unstored.items()):
            await self._store.lost(number, min(at, self._now()))  # the clock can have been set back since
            if self._unstored.get(number) == at:
                del self._unstored[number]


# --- a process that stood still

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
        if self._timer is not None and self._stood_still >= LONG_OUTAGE:
            await self._reach.lost_all()
            assert self._steady is not None
            self._ticked = self._steady()

    @property
    def _stood_still(self) -> float:
        return 0.0 if self._steady is None else self._steady() - self._ticked

    def _tick(self) -> None:
        if self._steady is None:
            return
        if self._stood_still >= LONG_OUTAGE:
            self._do(self.check)
        else:
            self._ticked = self._steady()
        self._timer = in_own_context(asyncio.get_running_loop().call_later, TICK, self._tick)
