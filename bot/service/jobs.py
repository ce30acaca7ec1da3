"""What has to be done at a time: kept in the store, done by the process that has the game, and by the next if that
one dies.

Whoever wants something done later stores a job with the change that makes it necessary, and says here what a job of
that name is. No task idles: there is a timer for the next job that is known. What is late all the same is told.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.jobs import Job
from bot.service.ownership import Ownership
from bot.store import Damaged, Store, Unavailable
from bot.tasks import Shielded
from engine.errors import RefereeError

log = logging.getLogger(__name__)
late_log = logging.getLogger("bot.service.late")
"""Of its own, so that a log which leaves out what passes can tell this."""

REST = 60.0
"""Seconds after which a job that could not be done is begun anew."""
LOOK = 10.0
"""Seconds between two looks for jobs that another process has stored, should its word have got lost."""
LATE = 10.0
"""Seconds after which a job that is due and that nobody has taken is late, which the log tells."""
LEAVING = 0.5
"""Seconds for which a process that stops waits for what is under way."""
LONGEST = 300.0
"""Seconds after which a job that isn't done is given up."""
AGAIN = 5.0
"""Seconds until the next look after one that failed: the store can't be asked, perhaps."""
MOST = 20
"""Jobs that are done at a time."""

Doer = Callable[[Job], Awaitable[None]]
"""Does a job. When it returns the job is done; when it raises it comes again."""


class Jobs:
    """Does jobs when their time has come."""

    def __init__(self, store: Store, ownership: Ownership, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._ownership, self._now = store, ownership, now
        ownership.when_gained(self._gained)
        self.since = 0.0
        """When this process began to do jobs, in seconds since the epoch; 0: it hasn't yet."""
        self._doers: dict[str, Doer] = {}
        self._tasks = Shielded()
        self._running: set[asyncio.Task[None]] = set()
        self._busy: set[Job] = set()
        """What they are."""
        self._failed: dict[Job, float] = {}
        """What could not be done, as has been told, and when it comes again."""
        self._check: Callable[[], Awaitable[None]] = _nothing
        self._expected: Callable[[float], None] = self.expect
        self._timer: asyncio.TimerHandle | None = None
        self._next = float("inf")
        self._looking = False
        self._looked = 0.0
        """When the look that is under way last got on."""
        self._closed = False

    @property
    def next(self) -> float:
        """When the next job is to be done as far as is known: now while that is looked up, infinite for none."""
        return self._now() if self._looking else self._next

    @property
    def late(self) -> float:
        """Seconds for which something has been due, as far as is known, and nobody has got on with taking it."""
        since = self._looked if self._looking else self._next
        return 0.0 if self._closed else max(self._now() - since, 0.0)

    @property
    def busy(self) -> int:
        """Jobs that are under way."""
        return len(self._running)

    def when(self, name: str, do: Doer) -> None:
        """Say what jobs of a name are; a name may go on after a colon."""
        self._doers[name] = do

    def check_by(self, check: Callable[[], Awaitable[None]]) -> None:
        """Have somebody look whether the time is right before anything is done by it."""
        self._check = check

    def expect_by(self, expect: Callable[[float], None]) -> None:
        """Have somebody told of the time of each job that is set here, in place of `expect`."""
        self._expected = expect

    async def start(self) -> None:
        """Begin what is due, and from now on each job at its time."""
        self.since = self._now()
        await self._begin_due()  # a computer's turn may take long, and Discord waits for the bot

    async def close(self) -> None:
        """Begin nothing more, and finish what is under way; what takes long is given up and comes again."""
        self._closed = True
        self._cancel()
        if self._running:
            _, late = await asyncio.wait(self._running, timeout=LEAVING)
            for task in late:
                task.cancel()
        await self._tasks.finished()

    async def set(self, job: Job) -> None:
        """Set a job that belongs to no change of a table, or another time for it."""
        await self._store.set_job(job)
        self._expected(job.at)

    def expect(self, time: float) -> None:
        """There is a job for that time."""
        if time <= self._next and not self._closed:
            self._next = time
            if self.since and not self._looking:  # nothing is done before the start
                self._set()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set(self) -> None:
        """Have the timer fit the next job that is known."""
        self._cancel()
        wait = max(self._next - self._now(), 0.0)
        if self._store.shared:
            wait = min(wait, LOOK)
        if wait < float("inf") and not self._closed:
            self._timer = asyncio.get_running_loop().call_later(wait, self.hurry)

    def hurry(self) -> None:
        """Do what is due."""
        self._tasks.start(self._look())

    def _gained(self) -> None:
        """More games are ours than before."""
        if self.since and not self._closed:
            self.hurry()

    async def _look(self) -> None:
        """Do what is due."""
        await asyncio.gather(*await self._begin_due())

    async def _begin_due(self) -> list[asyncio.Task[None]]:
        """Begin what is due, then wait for what comes next."""
        if self._looking:
            return []
        self._looking = True
        self._next, self._looked = float("inf"), self._now()
        begun: list[asyncio.Task[None]] = []
        try:
            await self._check()
            while not self._closed and (jobs := await self._take()):
                begun += map(self._begin, jobs)
                self._looked = self._now()
            stored = await self._store.next_job(self._now(), self._ownership.shards)
            again = (at for job, at in self._failed.items() if job not in self._busy)
            self._next = min(self._next, stored or float("inf"), *again)  # what is expected meanwhile counts, too
        except Exception as error:
            known = isinstance(error, (Unavailable, RefereeError))
            log.warning("Jobs could not be looked for: %s", error, exc_info=None if known else error)
            self._next = self._now() + AGAIN
        finally:
            self._looking = False
            self._set()
        return begun

    async def _take(self) -> list[Job]:
        """Some jobs, as soon as there is room for them: one that takes long holds up no other."""
        while len(self._running) >= MOST:
            await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
        if self._closed:
            return []
        now, most = self._now(), MOST - len(self._running) + len(self._busy) + len(self._failed)
        due = await self._store.due_jobs(now, most, self._ownership.shards)
        self._failed = {job: at for job, at in self._failed.items() if at > now or job in due}  # others are set anew
        jobs = [job for job in due if job not in self._busy and self._failed.get(job, now) <= now]
        jobs = jobs[: MOST - len(self._running)]
        for job in jobs:
            late = now - max(job.at, self.since)  # what was due while nobody was here isn't late
            if late >= LATE and job not in self._failed and job.name == _kind(job):  # else it is a secret
                late_log.warning("Game %d: the job %s is done %d s late", job.game, job.name, late)
        return jobs

    def _begin(self, job: Job) -> asyncio.Task[None]:
        self._busy.add(job)
        task = self._tasks.start(self._do(job))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def _do(self, job: Job) -> None:
        try:
            if await self._is_done(job):
                self._failed.pop(job, None)
            else:
                self._failed[job] = self._now() + REST
                self.expect(self._failed[job])
        finally:
            self._busy.discard(job)

    async def _is_done(self, job: Job) -> bool:
        kind = _kind(job)
        do = self._doers.get(kind)
        if do is None:
            log.warning("Game %d: this version doesn't know the job %s", job.game, kind)  # a newer version does
            return False
        try:
            async with asyncio.timeout(LONGEST) as limit:
                await do(job)
                await self._store.drop_job(job)
            return True
        except Damaged:  # the host has been told, and it comes again when it has been mended
            pass
        except (RefereeError, Unavailable) as error:
            log.warning("Game %d: the job %s could not be done: %s", job.game, kind, error)
        except Exception:
            if limit.expired():
                log.error("Game %d: the job %s is given up after %d s, and comes again", job.game, kind, LONGEST)
            else:
                log.exception("Game %d: the job %s could not be done", job.game, kind)
        return False


def _kind(job: Job) -> str:
    """What a job is; the rest of its name may tell a seat, whose secret it is that there is something to do."""
    return job.name.partition(":")[0]


async def _nothing() -> None:
    pass
