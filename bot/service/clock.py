"""The clock: a timer for each table with a deadline, signs of life as long as there is one, and the upkeep.

Channels are nobody's for ever: a table that nobody touches is put away. Nothing is deleted: a lobby that was closed
stays in the store, and an archived game can be taken up again. No task idles.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from bot.models import ARCHIVED, CANCELLED, LOBBY, PANEL, RUNNING, Deadline, Table
from bot.service.games import GameService
from bot.service.repository import GameRepository
from bot.store import Damaged, Store, Unavailable
from bot.tasks import Shielded
from engine.errors import RefereeError
from engine.game import Game

log = logging.getLogger(__name__)

ALIVE = 60.0
"""Seconds between signs of life: by so much a deadline can come too late after a crash."""
UPKEEP = 3600.0
"""Seconds between two looks for tables that nobody touches; the first comes a minute after the start."""
AGAIN = 60.0
"""Seconds until the next try when a decision could not be ended."""
DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a table may stay untouched, in seconds."""

    warning: float
    """Until a word of warning."""
    grace: float
    """From the warning to the end."""
    becomes: str
    """Its status afterwards."""


PATIENCE = {LOBBY: Patience(2 * DAY, 1 * DAY, CANCELLED), RUNNING: Patience(27 * DAY, 3 * DAY, ARCHIVED)}
"""By status."""

Listener = Callable[[int, Game | None], None]
"""Is told the number of a table and its game after a decision was ended; None: only the table has changed."""


class Clock:
    """Does what nobody asks for: ends decisions whose time is over, and puts neglected tables away."""

    def __init__(self, store: Store, repository: GameRepository, games: GameService, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store = store
        self._repository = repository
        self._games = games
        self._now = now
        self._listeners: list[Listener] = []
        self._timers: dict[int, tuple[Deadline, asyncio.TimerHandle]] = {}
        self._pulse: asyncio.TimerHandle | None = None
        self._upkeep: asyncio.TimerHandle | None = None
        self._tasks = Shielded()
        self._closed = False

    def subscribe(self, listener: Listener) -> None:
        """Have a listener told of each change that the clock has made, once it is stored."""
        self._listeners.append(listener)

    async def start(self) -> None:
        """Add the time in which nobody was here to all deadlines, take them up, and hear of all others."""
        self._repository.subscribe(self._watch)
        down = await self._store.wake(self._now())
        found = await self._store.with_deadline()
        for number in found:
            with contextlib.suppress(Damaged):  # the host has been told
                self._watch(await self._repository.table(number))
        if found:
            log.info("Deadlines of %d games are %d seconds later: so long was the bot away", len(found), down)
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
        await self._tasks.finished()
        await self._alive()

    async def put_away(self) -> list[Table]:
        """Warn of tables that nobody has touched for long, later close lobbies and archive games; those changed.

        An end always comes a whole `Patience.grace` after its warning, however long the bot was down.
        """
        now = self._now()
        before = {status: now - patience.warning for status, patience in PATIENCE.items()}
        found = []
        for number in await self._store.untouched(before):
            with contextlib.suppress(Damaged):  # the host has been told
                if table := await self._repository.alone(number, self._neglected):
                    self._tell(number, None)
                    found.append(table)
        return found

    async def _neglected(self, before: Table) -> Table | None:
        patience, now = PATIENCE.get(before.status), self._now()
        if patience is None or now - before.updated < patience.warning:
            return None
        table = replace(before, version=before.version + 1)
        if table.warned is None or table.warned < table.updated:
            table = replace(table, warned=now)
        elif now - table.warned >= patience.grace:
            table = replace(table, status=patience.becomes, deadline=None)
            log.info("Game %d: %s, since nobody has touched it for long", table.number, table.status)
        else:
            return None
        return await self._repository.save(table, None, (PANEL,), before=before)

    def _tell(self, number: int, game: Game | None) -> None:
        for listener in self._listeners:
            listener(number, game)

    def _watch(self, table: Table) -> None:
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

    def _do(self, work: Callable[..., Awaitable[object]], *values: Any) -> None:
        self._tasks.start(self._try(work, *values))

    async def _try(self, work: Callable[..., Awaitable[object]], *values: Any) -> None:
        """Do something that comes again by itself when it fails."""
        try:
            await work(*values)
        except Exception as error:
            known = isinstance(error, (Unavailable, RefereeError))
            log.warning("The clock could not do its work: %s", error, exc_info=None if known else error)

    async def _ring(self, number: int, deadline: Deadline) -> None:
        """The time is over, unless the timer was early or an answer came in this moment."""
        self._timers.pop(number, None)
        try:
            game = await self._games.expire(number, deadline.serial)
        except Damaged:  # the host has been told, and it needs a restart to be mended
            return
        except Exception:
            log.exception("Game %d: the decision could not be ended", number)
            if not self._closed:
                self._set(number, deadline, AGAIN)
            return
        if game is None:
            self._watch(await self._repository.table(number))
            return
        log.info("Game %d: the time is over", number)
        self._tell(number, game)

    def _keep_up(self) -> None:
        if not self._closed:
            self._upkeep = asyncio.get_running_loop().call_later(UPKEEP, self._keep_up)
            self._do(self.put_away)

    def _beat(self) -> None:
        """A sign of life now and from time to time, as long as there is a deadline."""
        self._pulse = None
        if self._timers and not self._closed:
            self._pulse = asyncio.get_running_loop().call_later(ALIVE, self._beat)
            self._do(self._alive)

    async def _alive(self) -> None:
        await self._store.alive(self._now())
