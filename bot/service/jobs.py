"""What must be done at a certain time: the store keeps it, and the process that owns the game does it. If that
process dies, the next owner does.

A feature that needs something done later stores a job with the change that makes it necessary, and says here what to
do for jobs of that name. No task sleeps meanwhile: a timer waits for the next known job. The log names late jobs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection

from bot.service.reach import UNDECIDED_AGAIN_AFTER, Undecided
from bot.service.shards import Ownership
from bot.store import Damaged, Store, Unavailable
from bot.store.base import Job
from bot.table.preferences import UserSettings
from bot.tasks import Shielded
from engine.errors import RefereeError

log = logging.getLogger(__name__)
late_log = logging.getLogger("bot.service.late")
"""A logger of its own: a log that leaves out trouble that passes by itself can still show this."""

JOB_AGAIN_AFTER = 60.0
"""Seconds after which a job that could not be done is tried again."""
SEARCH_EVERY = 10.0
"""Seconds between two searches for jobs that another process has stored, in case its notification was lost."""
LATE_AFTER = 10.0
"""Seconds after which a due job that no process has taken is late, and the log says so."""
LEAVING = 0.5
"""Seconds for which a stopping process waits for jobs in progress."""
LONGEST_JOB = 300.0
"""Seconds after which an unfinished job is given up."""
SEARCH_AGAIN_AFTER = 5.0
"""Seconds from a look that failed to the next; perhaps the store can't be reached."""
MOST_JOBS = 20
"""Maximum number of jobs in progress."""

Doer = Callable[[Job], Awaitable[None]]
"""Does a job. If it returns, the job is done; if it raises, the job comes again."""


class Jobs:
    """Does jobs when they are due."""

    def __init__(self, store: Store, ownership: Ownership, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._ownership, self._now = store, ownership, now
        ownership.when_gained(self._gained)
        self.since = 0.0
        """Since when this process does jobs without a break, in seconds since the epoch; 0: not yet."""
        self._doers: dict[str, Doer] = {}
        self._tasks = Shielded()
        self._running: set[asyncio.Task[None]] = set()
        self._busy: set[Job] = set()
        """The jobs in progress."""
        self._failed: dict[Job, float] = {}
        """Jobs that could not be done, as logged, and when they come again."""
        self._check: Callable[[], Awaitable[None]] = _nothing
        self._expected: Callable[[float], None] = self.expect
        self._timer: asyncio.TimerHandle | None = None
        self._next = float("inf")
        self._looking = False
        self._looked = 0.0
        """When the look in progress last made headway."""
        self._closed = False

    @property
    def next(self) -> float:
        """When the next known job is due; now, while that is looked up; infinite if there is none."""
        return self._now() if self._looking else self._next

    @property
    def late(self) -> float:
        """Seconds for which a known job has been due without any headway in taking it."""
        since = self._looked if self._looking else self._next
        return 0.0 if self._closed else max(self._now() - since, 0.0)

    @property
    def busy(self) -> int:
        """Number of jobs in progress."""
        return len(self._running)

    def when(self, name: str, do: Doer) -> None:
        """Say what to do for jobs of a name. A job's own name can go on after a colon."""
        self._doers[name] = do

    def check_by(self, check: Callable[[], Awaitable[None]]) -> None:
        """Call `check` before anything is done by time: it makes sure that the time is right."""
        self._check = check

    def expect_by(self, expect: Callable[[float], None]) -> None:
        """Call `expect` with the time of each job that is set here, instead of this object's own `expect`."""
        self._expected = expect

    async def start(self) -> None:
        """Begin the jobs that are due, and from now on each job at its time."""
        self.since = self._now()
        await self._begin_due()  # only begun: a bot's turn can take long, and connecting waits

    async def close(self) -> None:
        """Begin no more jobs and finish those in progress; what takes long is given up and comes again."""
        self._closed = True
        self._cancel()
        if self._running:
            _, late = await asyncio.wait(self._running, timeout=LEAVING)
            for task in late:
                task.cancel()
        await self._tasks.finished()

    async def set(self, job: Job) -> None:
        """Set a job that belongs to no change of a table, or give it another time."""
        await self._store.set_job(job)
        self._expected(job.at)

    async def change_settings(
        self, user: int, change: Callable[[UserSettings], UserSettings], names: Collection[str]
    ) -> UserSettings:
        """Change a user's settings, as the store does, and have what jobs of these names do done at once in all games
        that they play, whatever happens to this process meanwhile."""
        now = self._now()
        numbers = await self._store.played_by(user) if names else []
        settings = await self._store.change_settings(
            user, change, [Job(n, name, now) for n in numbers for name in names]
        )
        if numbers:
            self._expected(now)
        return settings

    def expect(self, time: float) -> None:
        """Take into account that there is a job at that time."""
        if time <= self._next and not self._closed:
            self._next = time
            if self.since and not self._looking:  # nothing is done before the start
                self._set()

    def stood_still(self) -> None:
        """Do what is due as after a start, since time stood still or the clock was set."""
        now = self._now()
        self.since, self._looked, self._next = self.since and now, now, float("inf")
        self.expect(now)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set(self) -> None:
        """Set the timer for the next known job."""
        self._cancel()
        wait = max(self._next - self._now(), 0.0)
        if self._store.shared:
            wait = min(wait, SEARCH_EVERY)
        if wait < float("inf") and not self._closed:
            self._timer = asyncio.get_running_loop().call_later(wait, self.hurry)

    def hurry(self) -> None:
        """Do the jobs that are due."""
        self._tasks.start(self._look())

    def _gained(self) -> None:
        """This process owns more games than before: do what is due in them."""
        if self.since and not self._closed:
            self.hurry()

    async def _look(self) -> None:
        """Do the jobs that are due."""
        await asyncio.gather(*await self._begin_due())

    async def _begin_due(self) -> list[asyncio.Task[None]]:
        """Begin the jobs that are due, then set the timer for the next one."""
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
            self._next = min(self._next, stored or float("inf"), *again)  # jobs that were expected meanwhile count, too
        except Exception as error:
            expected = isinstance(error, (Unavailable, RefereeError))
            log.warning("Could not look for jobs: %s", error, exc_info=None if expected else error)
            self._next = self._now() + SEARCH_AGAIN_AFTER
        finally:
            self._looking = False
            self._set()
        return begun

    async def _take(self) -> list[Job]:
        """Some due jobs, as soon as there is room for them: a slow job holds up no other."""
        while len(self._running) >= MOST_JOBS:
            await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
        if self._closed:
            return []
        now, most = self._now(), MOST_JOBS - len(self._running) + len(self._busy) + len(self._failed)
        due = await self._store.due_jobs(now, most, self._ownership.shards)
        # a failed job that is no longer among those due was set again
        self._failed = {job: at for job, at in self._failed.items() if at > now or job in due}
        jobs = [job for job in due if job not in self._busy and self._failed.get(job, now) <= now]
        jobs = jobs[: MOST_JOBS - len(self._running)]
        for job in jobs:
            late = now - max(job.at, self.since)  # what was due before the start isn't late
            if late >= LATE_AFTER and job not in self._failed and job.name == _kind(job):  # else it can be a secret
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
            if again := await self._attempt(job):
                self._failed[job] = self._now() + again
                self.expect(self._failed[job])
            else:
                self._failed.pop(job, None)
        finally:
            self._busy.discard(job)

    async def _attempt(self, job: Job) -> float:
        """Do a job. Returns the seconds until the next try; 0: it is done."""
        kind = _kind(job)
        do = self._doers.get(kind)
        if do is None:
            log.warning("Game %d: this version doesn't know the job %s", job.game, kind)  # a newer version does
            return JOB_AGAIN_AFTER
        try:
            async with asyncio.timeout(LONGEST_JOB) as limit:
                await do(job)
                await self._store.drop_job(job)
            return 0.0
        except Damaged:  # the host has been told; the job comes again, perhaps on a repaired file
            pass
        except Undecided as error:
            log.info("Game %d: the job %s waits: %s", job.game, kind, error)
            return UNDECIDED_AGAIN_AFTER
        except (RefereeError, Unavailable) as error:
            log.warning("Game %d: the job %s could not be done: %s", job.game, kind, error)
        except Exception:
            if limit.expired():
                log.error("Game %d: the job %s is given up after %d s, and comes again", job.game, kind, LONGEST_JOB)
            else:
                log.exception("Game %d: the job %s could not be done", job.game, kind)
        return JOB_AGAIN_AFTER


def _kind(job: Job) -> str:
    """What a job does. The rest of its name can be a seat, and only its player may learn that there is something to
    do."""
    return job.name.partition(":")[0]


async def _nothing() -> None:
    pass
