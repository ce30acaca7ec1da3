"""The clock: starts the jobs, gives signs of life, and puts neglected tables away.

No table keeps its channel forever: one that is left alone for long is put away. Nothing is deleted: a closed lobby
stays in the store, and an archived game can be resumed. Only where the host has old games deleted, archived ones end
before that, so that their seeds are published. No task sleeps in between: timers start the work.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from bot.projections import is_unseen
from bot.service.games import GameService
from bot.service.jobs import Jobs
from bot.service.people import Directs
from bot.service.reach import FRESH, LONG_OUTAGE, Frozen, Reach
from bot.service.repository import GameRepository
from bot.store import CLOCK_WAS_SET, Damaged, Store, Unavailable
from bot.table.acts.places import CloseUnused, GiveUp, Warn
from bot.table.options import DAY
from bot.table.table import ARCHIVED, CANCELLED, LOBBY, RUNNING, Table, shared_stops
from bot.table.time import run
from bot.table.waiting import decisions
from bot.tasks import Shielded
from engine.errors import RefereeError

log = logging.getLogger(__name__)

ALIVE, SELDOM = 60.0, 6 * 3600.0
"""Minimum and maximum seconds between signs of life. After a crash, a deadline can be late by that much."""
SHARED_INTERVAL, ABSENT_AFTER = 3.0, 10.0
"""With a shared store: seconds between signs of life, and seconds without any sign that count as absence."""
UNSEEN = 90.0
"""Seconds after which a process that gave no sign of life checks whether others did."""
PUT_AWAY_EVERY = 3600.0
"""Seconds between two searches for neglected tables; the first comes a minute after the start."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a table can be left alone, in seconds."""

    warning: float
    """Until it is warned."""
    grace: float
    """From the warning to the end."""
    becomes: str
    """Its status afterward."""


LOBBY_PATIENCE = Patience(2 * DAY, 1 * DAY, CANCELLED)
GAME_PATIENCE, ALONE_PATIENCE = Patience(27 * DAY, 3 * DAY, ARCHIVED), Patience(6 * DAY, 1 * DAY, ARCHIVED)
"""Of a game, and of one with a single person, such as a first game: no one else wants to go on with it."""


def patience_of(table: Table) -> Patience:
    """How long a table can be left alone, or could be before it was put away."""
    if table.status in (LOBBY, CANCELLED):
        return LOBBY_PATIENCE
    return ALONE_PATIENCE if len(table.people) == 1 else GAME_PATIENCE


CHECKABLE = 7 * DAY
"""Seconds for which an archived game is over before it is deleted (or half of its time, if that is less)."""


class WallClock:
    """The current time. If the machine's clock is set, or the machine sleeps, time goes on here as before until all
    deadlines have been moved. So deadlines that are stored meanwhile move along."""

    def __init__(self, now: Callable[[], float], steady: Callable[[], float]) -> None:
        """`now` in seconds since the epoch; `steady`: seconds by a clock that is never set and that stops while the
        machine sleeps."""
        self._now, self._steady = now, steady
        self._ahead = self.ahead()

    def __call__(self) -> float:
        return self._now() - self.jump()

    def ahead(self) -> float:
        """Seconds by which the machine's clock is ahead of the steady one."""
        return self._now() - self._steady()

    def jump(self) -> float:
        """Seconds by which the machine's clock was set; 0 for tiny differences."""
        jump = self.ahead() - self._ahead
        return jump if abs(jump) > CLOCK_WAS_SET else 0.0

    def adjust(self, ahead: float) -> None:
        """Accept a jump, now that it has moved all deadlines; `ahead`: `ahead()` at the moment when it was found."""
        self._ahead = ahead


def _allowed(table: Table) -> float:
    """When the last of the current decisions is due, vacations included; 0 without a limit or in a pause."""
    ends = [wait.until for wait in decisions(table) if wait.until is not None]
    return 0.0 if table.paused else max(ends, default=0.0)


class Clock:
    """Does what no one asks for: starts the jobs, gives signs of life, and puts neglected tables away."""

    def __init__(
        self,
        store: Store,
        repository: GameRepository,
        games: GameService,
        reach: Reach,
        jobs: Jobs,
        directs: Directs,
        now: Callable[[], float],
        steady: Callable[[], float] | None = None,
    ) -> None:
        """`now` in seconds since the epoch; a `WallClock` if this must notice that the machine's clock was set.
        `steady` is as for `Frozen`."""
        self._store = store
        self._repository = repository
        self._games = games
        self._reach = reach
        self._jobs = jobs
        self._directs = directs
        self._now = now
        self._wall = now if isinstance(now, WallClock) else None
        self._frozen = Frozen(reach, steady, self._do)
        self._seen = inf
        """When this process last gave a sign of life; infinite before the first."""
        self._comparing = asyncio.Lock()
        self._pulse: asyncio.TimerHandle | None = None
        self._upkeep: asyncio.TimerHandle | None = None
        self._tasks = Shielded()
        self._closed = False

    async def start(self) -> None:
        """Store the time without a running process, which doesn't count, and start all timers."""
        await self._count_absence()
        self._jobs.check_by(self._check)
        self._jobs.expect_by(self._expect)
        self._repository.expect_by(self._expect)
        self._frozen.start()
        await self._jobs.start()
        self._beat()
        self._upkeep = asyncio.get_running_loop().call_later(PUT_AWAY_EVERY / 60, self._keep_up)

    async def close(self) -> None:
        """Stop all timers, and store that time counts up to now, unless the absence before was never stored."""
        self._closed = True
        self._frozen.stop()
        for timer in (self._pulse, self._upkeep):
            if timer is not None:
                timer.cancel()
        await self._jobs.close()
        await self._tasks.finished()
        if self._seen < inf:
            await self._alive()

    async def put_away(self) -> list[Table]:
        """Warn of tables left alone for long; later close lobbies and archive games, and void archived ones if the
        store deletes old games. Returns the tables that changed.

        The end always comes a whole `Patience.grace` after the warning, however long Harbormaster was down.
        """
        now = self._now()
        before = {LOBBY: now - LOBBY_PATIENCE.warning, RUNNING: now - ALONE_PATIENCE.warning}
        found = []
        numbers = await self._store.untouched(before)
        if self._store.days:
            numbers += await self._store.archived(now - self._resumable())
        for number in numbers:
            try:
                if act := await self._neglect(await self._repository.table(number)):
                    done = await self._games.act(number, 0, act)
                    if done.table.version != done.before.version:  # it wasn't touched meanwhile
                        found.append(done.table)
            except Damaged:
                pass  # the host has been told
            except RefereeError as error:  # the others aren't kept waiting
                log.error("Game %d could not be put away: %s", number, error)
        return found

    async def _neglect(self, table: Table) -> Warn | CloseUnused | GiveUp | None:
        """What to do with a table that may have been left alone for too long."""
        patience, now = patience_of(table), self._now()
        untouched = run(table.updated, now, table.downtime)
        if table.status == ARCHIVED and untouched >= self._resumable():
            return GiveUp(table.updated)
        if not table.open or untouched < patience.warning:
            return None
        unseen = is_unseen(await self._store.visible(table.number))  # then no one's time is ever over
        allowed = 0.0 if unseen else _allowed(table)
        if now < allowed + DAY:
            return None
        if table.warned is None or not max(table.updated, allowed) <= table.warned <= now + CLOCK_WAS_SET:
            return Warn(table.updated)
        waited = run(table.warned, now, shared_stops(table, table.warned))
        if waited < patience.grace or now - await self._reach.last(table.number) < FRESH:
            return None  # the grace isn't over, or people couldn't reach the table until just now
        return CloseUnused(patience.becomes, table.updated)

    def _resumable(self) -> float:
        """Seconds for which an archived game can be resumed, if it is deleted then."""
        kept = self._store.days * DAY
        return kept - min(CHECKABLE, kept / 2)

    async def _count_absence(self) -> None:
        now = self._now()
        down = await self._store.note_downtime(now, ABSENT_AFTER if self._store.shared else 0.0)
        if down > 0:
            log.info("Harbormaster was down for %d seconds; no one's time ran meanwhile", down)
        elif down < 0:
            log.warning("The clock was set back by %d seconds while Harbormaster was down, which don't count", -down)
        if down:
            self._time_stood_still()
        if down < 0 or down >= LONG_OUTAGE:
            await self._reach.lost_all()
        self._seen = now

    def _expect(self, time: float) -> None:
        self._jobs.expect(time)
        jumped = self._wall is not None and self._wall.jump()
        if jumped or self._pulse is None or self._pulse.when() > asyncio.get_running_loop().time() + self._interval():
            self._beat()

    def _do(self, work: Callable[..., Awaitable[object]], *values: Any) -> None:
        self._tasks.start(self._try(work, *values))

    async def _try(self, work: Callable[..., Awaitable[object]], *values: Any) -> None:
        """Do work that comes again by itself if it fails."""
        try:
            await work(*values)
        except Exception as error:
            expected = isinstance(error, (Unavailable, RefereeError))
            log.warning("The clock could not do its work: %s", error, exc_info=None if expected else error)

    def _keep_up(self) -> None:
        if not self._closed:
            self._upkeep = asyncio.get_running_loop().call_later(PUT_AWAY_EVERY, self._keep_up)
            self._do(self.put_away)

    def _beat(self) -> None:
        """Give a sign of life now and from time to time."""
        if self._pulse is not None:
            self._pulse.cancel()
            self._pulse = None
        if not self._closed:
            self._pulse = asyncio.get_running_loop().call_later(self._interval(), self._beat)
            self._do(self._live)

    def _interval(self) -> float:
        """Seconds between two signs of life: a tenth of the time to the next job, so a crash delays it by that at
        most."""
        if self._store.shared:
            return SHARED_INTERVAL
        return min(max((self._jobs.next - self._now()) / 10, ALIVE), SELDOM)

    async def _compare(self) -> None:
        """Leave out the time that no one had: when the machine slept, its clock was set, or no process was running."""
        unseen = 0.0 if self._seen == inf else abs(self._now() - self._seen)  # also if the clock was set back
        if self._store.shared and unseen > UNSEEN:  # all may have slept, or the store was away
            await self._count_absence()
        if self._wall is None:
            return
        async with self._comparing:
            ahead = self._wall.ahead()
            if jump := self._wall.jump():
                log.warning("The clock has jumped by %d seconds, which don't count", jump)
                await self._store.move(jump, self._now() + jump)
            self._wall.adjust(ahead)  # only now: what could not be stored is tried again
            if jump:
                self._directs.moved(jump)
                self._time_stood_still()
            if jump >= LONG_OUTAGE:  # perhaps the machine slept
                await self._reach.lost_all()

    def _time_stood_still(self) -> None:
        """Time stood still: look at the games again."""
        self._repository.stood_still()
        self._jobs.stood_still()

    async def _check(self) -> None:
        """Make sure that this process's time is right before anything is done by it."""
        await self._store.check()
        await self._frozen.check()
        await self._compare()

    async def _live(self) -> None:
        await self._store.check()
        await self._alive()

    async def _alive(self) -> None:
        await self._compare()
        now = self._now()
        await self._store.alive(now)
        self._seen = now
