"""The clock: ends decisions whose time is over, gives signs of life as long as there is one, and the upkeep.

Channels are nobody's for ever: a table that nobody touches is put away. Nothing is deleted: a lobby that was closed
stays in the store, and an archived game can be taken up again. No task idles.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from bot.projections import is_unseen
from bot.service.frozen import Frozen
from bot.service.games import GameService
from bot.service.jobs import Jobs
from bot.service.reach import FRESH, LONG, Reach
from bot.service.repository import GameRepository
from bot.store import Damaged, Store, Unavailable
from bot.table.acts.places import PutAway, Warn
from bot.table.table import ARCHIVED, CANCELLED, LOBBY, RUNNING, Table
from bot.table.waiting import decisions
from bot.tasks import Shielded
from engine.errors import RefereeError

log = logging.getLogger(__name__)

ALIVE, SELDOM = 60.0, 6 * 3600.0
"""Seconds between signs of life, at least and at most: by so much a deadline can come too late after a crash."""
BESIDE, AWAY = 3.0, 10.0
"""Where there may be other processes: seconds between signs of life, and for which nobody was seen until it counts as
absence."""
SET = 3.0
"""Seconds by which a clock has moved against the other until it counts as set."""
UNSEEN = 90.0
"""Seconds after which a process that gave no sign of life looks whether others did."""
UPKEEP = 3600.0
"""Seconds between two looks for tables that nobody touches; the first comes a minute after the start."""
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

"""Is told the number of a table and its game after a decision was ended; None: only the table has changed."""


class WallClock:
    """What time it is. When the machine's clock was set, or the machine has slept, time goes on here as before until
    all deadlines have moved: what arises meanwhile moves with them."""

    def __init__(self, now: Callable[[], float], steady: Callable[[], float]) -> None:
        """`now` in seconds since the epoch; `steady`: seconds by a clock that nobody sets and that stops while the
        machine sleeps."""
        self._now, self._steady = now, steady
        self._ahead = self.ahead()

    def __call__(self) -> float:
        return self._now() - self.jump()

    def ahead(self) -> float:
        """Seconds by which the machine's clock is ahead of the one that nobody sets."""
        return self._now() - self._steady()

    def jump(self) -> float:
        """Seconds by which the machine's clock was set; 0 where it was hardly."""
        jump = self.ahead() - self._ahead
        return jump if abs(jump) > SET else 0.0

    def adjust(self, ahead: float) -> None:
        """All deadlines have moved by the jump that was found with so many seconds `ahead`."""
        self._ahead = ahead


def _allowed(table: Table) -> float:
    """Until when somebody at a table may take their time, who is on vacation perhaps."""
    ends = [wait.until for wait in decisions(table) if wait.until is not None]
    return 0.0 if table.paused else max(ends, default=0.0)


class Clock:
    """Does what nobody asks for: ends decisions whose time is over, and puts neglected tables away."""

    def __init__(
        self,
        store: Store,
        repository: GameRepository,
        games: GameService,
        reach: Reach,
        jobs: Jobs,
        now: Callable[[], float],
        steady: Callable[[], float] | None = None,
    ) -> None:
        """`now` in seconds since the epoch; a `WallClock` where it is to be looked for that the machine's was set.
        `steady` is as for `Frozen`."""
        self._store = store
        self._repository = repository
        self._games = games
        self._reach = reach
        self._jobs = jobs
        self._now = now
        self._wall = now if isinstance(now, WallClock) else None
        self._frozen = Frozen(reach, steady, self._do)
        self._seen = float("inf")
        """When this process last gave a sign of life; infinite before the first."""
        self._comparing = asyncio.Lock()
        self._pulse: asyncio.TimerHandle | None = None
        self._upkeep: asyncio.TimerHandle | None = None
        self._tasks = Shielded()
        self._closed = False

    async def start(self) -> None:
        """Note the time in which nobody was here, which doesn't count; from now on each deadline is kept."""
        await self._count_absence()
        self._jobs.check_by(self._check)
        self._jobs.expect_by(self._expect)
        self._repository.expect_by(self._expect)
        self._frozen.start()
        await self._jobs.start()
        self._beat()
        self._upkeep = asyncio.get_running_loop().call_later(UPKEEP / 60, self._keep_up)

    async def close(self) -> None:
        """Stop all timers, and note that time counts up to now."""
        self._closed = True
        self._frozen.stop()
        for repeated in (self._pulse, self._upkeep):
            if repeated is not None:
                repeated.cancel()
        await self._jobs.close()
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
                if act := await self._neglect(await self._repository.table(number)):
                    done = await self._games.act(number, 0, act)
                    if done.table.version != done.before.version:  # nobody has touched it meanwhile
                        found.append(done.table)
        return found

    async def _neglect(self, table: Table) -> Warn | PutAway | None:
        """What is to be done with a table that nobody has touched for long."""
        patience, now = PATIENCE.get(table.status), self._now()
        if patience is None or now - table.updated < patience.warning:
            return None
        unseen = is_unseen(await self._store.visible(table.number))  # where no time is ever over
        allowed = 0.0 if unseen else _allowed(table)
        if now < allowed + DAY:
            return None
        if table.warned is None or table.warned < max(table.updated, allowed):
            return Warn(table.updated)
        if now - table.warned < patience.grace or now - await self._reach.last(table.number) < FRESH:
            return None  # nobody can keep it just now
        return PutAway(patience.becomes, table.updated)

    async def _count_absence(self) -> None:
        now = self._now()
        down = await self._store.wake(now, AWAY if self._store.shared else 0.0)
        if down:
            log.info("Harbormaster was away for %d seconds, in which no time ran", down)
            self._still()
        if down >= LONG:
            await self._reach.lost_all()
        self._seen = now

    def _expect(self, time: float) -> None:
        self._jobs.expect(time)
        jumped = self._wall is not None and self._wall.jump()
        if jumped or self._pulse is None or self._pulse.when() > asyncio.get_running_loop().time() + self._apart():
            self._beat()

    def _do(self, work: Callable[..., Awaitable[object]], *values: Any) -> None:
        self._tasks.start(self._try(work, *values))

    async def _try(self, work: Callable[..., Awaitable[object]], *values: Any) -> None:
        """Do something that comes again by itself when it fails."""
        try:
            await work(*values)
        except Exception as error:
            known = isinstance(error, (Unavailable, RefereeError))
            log.warning("The clock could not do its work: %s", error, exc_info=None if known else error)

    def _keep_up(self) -> None:
        if not self._closed:
            self._upkeep = asyncio.get_running_loop().call_later(UPKEEP, self._keep_up)
            self._do(self.put_away)

    def _beat(self) -> None:
        """A sign of life now and from time to time, as long as there is a deadline, or others rely on it."""
        if self._pulse is not None:
            self._pulse.cancel()
            self._pulse = None
        if not self._closed and (apart := self._apart()) < float("inf"):
            self._pulse = asyncio.get_running_loop().call_later(apart, self._beat)
            self._do(self._live)

    def _apart(self) -> float:
        """Seconds between two signs of life: by a tenth of it at most a deadline comes too late after a crash."""
        if self._store.shared:
            return BESIDE
        wait = self._jobs.next - self._now()
        return min(max(wait / 10, ALIVE), SELDOM) if wait < float("inf") else wait

    async def _compare(self) -> None:
        """Where the clock was set, or the machine has slept: nobody has had that time."""
        if self._store.shared and self._now() - self._seen > UNSEEN:  # all may have slept, or been without the store
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
                self._still()

    def _still(self) -> None:
        """Time has stood still, and games are to be looked at."""
        self._repository.stood_still()
        self._jobs.expect(self._now())

    async def _check(self) -> None:
        """Whether anything may be done by this clock."""
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
