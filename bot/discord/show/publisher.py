"""Keeps what is visible of games up to date. Each message is a projection, so showing it twice is harmless.

One short task per game and lane shows what is due. What fails is tried again. What no task knows of anymore, a sweep
finds in the store. If several processes share the store, the one that has a game's shard shows the game.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from functools import partial

import discord

from bot.discord.interaction import now
from bot.discord.show import channels, lanes, messages, trouble
from bot.discord.show.channels import Backoff, ends_elsewhere, limit_of
from bot.discord.show.display import Display
from bot.discord.show.lanes import Listener
from bot.discord.show.permissions import Blocked
from bot.discord.show.reconcile import EXPECTED
from bot.discord.show.round import PERSONAL
from bot.discord.show.trouble import HANDS, TABLE, Lane, Outage
from bot.projections import PANEL, Kind
from bot.service import Services
from bot.store import Unavailable
from bot.store.base import Job
from bot.table.table import Table
from bot.words.language import speaking
from engine.errors import RefereeError

log = logging.getLogger(__name__)

SWEEPS_APART, SHARED_SWEEPS_APART = 30.0, 5.0
"""Seconds between two looks: usually, and if processes share the store, to find what others have changed."""


class Sweep:
    """Finds games with something due whose task has died, or never began, and what commands have changed."""

    def __init__(self, services: Services, found: Callable[[int, Collection[Kind]], None]) -> None:
        """`found` is called with the number of each, and with the kinds of things that are due in it."""
        self._services = services
        self._found = found
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look for the first time after one interval."""
        self.stop()
        every = SHARED_SWEEPS_APART if self._services.ownership.shared else SWEEPS_APART
        self._timer = asyncio.get_running_loop().call_later(every, self._begin)

    def hurry(self) -> None:
        """Look now, if the sweep has been started."""
        if self._timer is not None:
            self.stop()
            self._begin()

    def stop(self) -> None:
        """Stop looking; a look that has begun goes on."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def cancel(self) -> None:
        """Stop looking, and cancel a look that has begun."""
        self.stop()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def _begin(self) -> None:
        self._task = asyncio.create_task(self._look(), name="publish-sweep")

    async def _look(self) -> None:
        try:
            await self._services.repository.look_again()
            pending = await self._services.projections.pending(self._services.ownership.shards)
            for number, kinds in pending.items():
                self._found(number, kinds)
        except (Unavailable, RefereeError) as error:
            log.warning("Could not look for games with something to show: %s", error)
        except Exception:
            log.exception("Could not look for games with something to show")
        self._task = None
        self.start()


LANE_AGAIN = Backoff((1.0, 2.0, 5.0, 10.0, 20.0, 30.0), (1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0))
"""Waits before a lane is tried again."""
TRIES_APART = 5.0
"""Least seconds between two tries, however often another request succeeds."""


@dataclass(frozen=True, slots=True)
class _Retry:
    """A lane that has failed and will be tried again."""

    timer: asyncio.TimerHandle
    since: float
    outage: bool
    wanted: float
    """Since when it has been due and Discord has allowed it to be shown, by `time.perf_counter`."""


class Publisher:
    """Keeps panel, pings, hands and notices of all games up to date.

    A game has two lanes, what all see and the hands, so that slow direct messages never hold up the panel. A lane
    returns the seconds until it must run again, if it must: gathered hands stay due until then.
    """

    def __init__(self, display: Display) -> None:
        self.display = display
        self._dirty: dict[Lane, float] = {}  # since when each lane has been due
        self._showing: dict[Lane, float] = {}
        self._tasks: dict[Lane, asyncio.Task[None]] = {}
        self._listeners: list[Listener] = []
        self._troubles = trouble.Troubles(display, self.refresh)
        self._lanes: dict[str, Callable[[int], Awaitable[float | None]]] = {
            TABLE: partial(lanes.show_table, display, self._troubles, self._listeners),
            HANDS: partial(lanes.show_hands, display),
        }
        self._closed = False
        self._failures: dict[Lane, int] = {}
        self._limited: dict[Lane, float] = {}
        """Until when one of Discord's limits keeps each of these lanes from being shown, by Discord's clock."""
        self.outage = Outage(display.services.reach, display.services.now)
        self._waiting: dict[Lane, _Retry] = {}
        self._resting: dict[Lane, asyncio.TimerHandle] = {}
        self._sweep = Sweep(display.services, self._found)
        display.services.ownership.when_gained(self._gained)
        display.services.repository.subscribe(self._changed)

    def subscribe(self, listener: Listener) -> None:
        """Have a listener called with each game once all can see how it stands."""
        self._listeners.append(listener)

    def trouble(self, number: int, user: int) -> str:
        """Why nothing can be shown in a game's channel; empty if something can, or this user has been told."""
        return self._troubles.told(number, user)

    def limited(self, number: int) -> float | None:
        """Until when one of Discord's limits keeps all from seeing how a game stands, in seconds since the epoch."""
        until = self._limited.get((number, TABLE), 0.0)
        return until if until > now() else None

    @property
    def stuck(self) -> int:
        """Number of games that can't be shown because Discord refuses it."""
        return self._troubles.count

    @property
    def busy(self) -> int:
        """Number of games of which something is being shown, or waits for another try."""
        return len({number for number, _ in (*self._tasks, *self._waiting)})

    @property
    def delay(self) -> float:
        """Seconds for which something has not been shown although Discord would allow it."""
        waiting = (lane.wanted for lane in self._waiting.values() if lane.outage)
        since = min((*self._dirty.values(), *self._showing.values(), *waiting), default=None)
        return 0.0 if since is None else time.perf_counter() - since

    def working(self, number: int) -> bool:
        """Whether something of a game is being shown, or waits for another try."""
        return any((number, name) in lanes for lanes in (self._tasks, self._waiting) for name in self._lanes)

    def showing(self, number: int) -> asyncio.Task[None] | None:
        """What shows what all see of a game, if it is being shown."""
        return self._tasks.get((number, TABLE))

    def refresh(self, number: int) -> None:
        """Have all that is due in a game shown. Returns immediately; many calls become few edits."""
        self._start((number, TABLE))

    async def again(self, number: int) -> None:
        """Send the panel again because it is gone or garbled; if it can't be edited, a new one is posted."""
        services = self.display.services

        async def forget(_table: Table | None = None) -> None:
            await services.projections.note(number, gone=[PANEL])

        try:
            await services.repository.alone(number, forget)  # else what a change wants meanwhile is forgotten
        except RefereeError:  # the game can't be read, so nothing changes it
            await forget()
        self.display.doubt(number)
        self.refresh(number)

    def rests(self, number: int) -> None:
        """Tell one person that a game rests because someone wants its thread closed."""
        self._troubles.rests(number)

    async def restore(self) -> None:
        """Show what was due when the process stopped, and from now on look for what is due from time to time."""
        self._sweep.start()  # first, since the store can be out of reach
        services = self.display.services
        for number in await services.projections.pending(services.ownership.shards):
            self.refresh(number)

    def recovered(self) -> None:
        """Show what waits for an outage to end: a request to Discord has succeeded."""
        time = asyncio.get_running_loop().time()
        for lane, waiting in list(self._waiting.items()):
            if waiting.outage and time - waiting.since >= TRIES_APART:
                self._start(lane)

    async def idle(self) -> None:
        """Wait until nothing is being shown; what waits for another try goes on waiting."""
        while self._tasks:
            await asyncio.wait(list(self._tasks.values()))

    async def call(self, job: Job) -> None:
        """Show the lane of a game in which a call that was put off can be made. Raises `Unavailable` if it couldn't be
        shown: then the job comes again, even if this process dies first. What Discord refuses keeps its own, longer
        waits."""
        lane = job.game, HANDS if job.name.partition(":")[2] in (HANDS, Kind.UNREACHED) else TABLE
        retry = self._waiting.get(lane)
        if retry is None or retry.outage:
            self._start(lane)
            await self.wait_shown(job.game)
        if self._closed or lane in self._waiting:
            raise Unavailable("a call that was put off could not be made yet")

    async def wait_shown(self, number: int) -> None:
        """Wait until nothing of a game is being shown; what waits for another try goes on waiting."""
        while tasks := [task for (other, _), task in self._tasks.items() if other == number]:
            await asyncio.wait(tasks)

    async def close(self, within: float) -> None:
        """Show what is due, also what waits for another try, for at most `within` seconds; then stop."""
        loop = asyncio.get_running_loop()
        end = loop.time() + within
        self._sweep.stop()
        for lane in list(self._waiting):
            self._start(lane)
        while self._tasks and (left := end - loop.time()) > 0:
            await asyncio.wait(list(self._tasks.values()), timeout=left, return_when=asyncio.FIRST_COMPLETED)
        self._closed = True
        for timer in [*(waiting.timer for waiting in self._waiting.values()), *self._resting.values()]:
            timer.cancel()
        self._waiting.clear()
        self._resting.clear()
        await self._sweep.cancel()
        for task in (unfinished := list(self._tasks.values())):
            task.cancel()
        if unfinished:
            await asyncio.wait(unfinished)
        await self._troubles.finished()  # last, as it can take longer than the caller waits

    def _start(self, lane: Lane) -> None:
        if self._closed:
            return
        since = time.perf_counter()  # not a simulated Discord's clock: this measures how long it takes
        if waiting := self._waiting.pop(lane, None):
            waiting.timer.cancel()
            since = waiting.wanted if waiting.outage else since
        if timer := self._resting.pop(lane, None):
            timer.cancel()
        self._dirty.setdefault(lane, since)
        if lane not in self._tasks:
            self._tasks[lane] = asyncio.create_task(self._work(lane), name=f"publish-{lane[0]}-{lane[1]}")

    async def _work(self, lane: Lane) -> None:
        try:
            while lane in self._dirty:
                await self._show(lane)
        finally:
            self._tasks.pop(lane, None)
            self._showing.pop(lane, None)

    async def _show(self, lane: Lane) -> None:
        """Show what is due in a lane, unless another process owns the game."""
        number, name = lane
        self._showing[lane], began = self._dirty.pop(lane), self.display.services.now()
        try:
            if not await self._is_ours(number):
                return
            table = await self.display.services.repository.table(number)
            with speaking(table.language):  # not in the language of a click that might have begun it
                wait = await self._lanes[name](number)
        except Exception as error:
            if channels.is_outage(error):
                await self.outage.failed(error, began, lane)
            elif isinstance(error, (discord.HTTPException, Blocked)):  # no outage holds it back
                await self.outage.over(lane)
            self._failed(lane, error)
        else:
            await self.outage.over(lane)
            self.display.metrics.showing.labels(name).observe(time.perf_counter() - self._showing[lane])
            self._failures.pop(lane, None)
            self._limited.pop(lane, None)
            if name == TABLE:
                self._troubles.over(number)
            self.recovered()
            if wait is not None and not self._closed:
                self._resting[lane] = asyncio.get_running_loop().call_later(wait, self._start, lane)
        if name == TABLE:  # the hands come after the table, so that nothing is drawn before the board
            self._start((number, HANDS))

    async def _is_ours(self, number: int) -> bool:
        """Whether this process owns a game. If not, tell the owner that something must be shown."""
        ownership = self.display.services.ownership
        if not ownership.shared or ownership.owns(guild := await self.display.guild_of(number)):
            return True
        await ownership.tell(guild, number)
        return False

    def _changed(self, table: Table) -> None:
        """Show what has happened at a table."""
        self.refresh(table.number)

    def _gained(self) -> None:
        """Look for what is due in newly owned games: another process might have changed what their messages show, and
        what waited for its time when this one owned them before."""
        self.display.forget_everything()
        for timer in self._resting.values():
            timer.cancel()
        self._resting.clear()
        self._sweep.hurry()

    async def left(self) -> None:
        """Wait until nothing is being shown of games that this process no longer owns."""
        while theirs := [task for (number, _), task in self._tasks.items() if not self.display.is_ours(number)]:
            await asyncio.wait(theirs)

    def _failed(self, lane: Lane, error: Exception) -> None:
        """Log that a lane has failed, and try again later: soon at first, whatever the error. Of a game that was
        deleted there is nothing to show."""
        number, name = lane
        if isinstance(error, RefereeError) and error.code == "no-table":
            self._failures.pop(lane, None)
            self._limited.pop(lane, None)
            self._troubles.over(number)
            return
        failures = self._failures[lane] = self._failures.get(lane, 0) + 1
        expected = isinstance(error, EXPECTED)
        log.warning(
            "Game %s: the %s could not be shown (try %d): %s",
            number,
            name,
            failures,
            str(error) or type(error).__name__,
            exc_info=None if expected or failures > 1 else error,
        )
        if channels.is_about_emoji(error) and messages.doubt_emoji(self.display.client):
            log.info("Game %s: the next try uses Unicode's emoji", number)
        elif name == TABLE and trouble.is_trouble(error):
            self._troubles.found(number, error)
        if limit := limit_of(error):
            self._limited[lane] = now() + limit
        outage = ends_elsewhere(error)
        if lane in self._dirty and outage:
            self._dirty[lane] = self._showing[lane]
        if self._closed or lane in self._dirty:
            return
        loop = asyncio.get_running_loop()
        timer = loop.call_later(LANE_AGAIN.after(failures, error), self._start, lane)
        self._waiting[lane] = _Retry(timer, loop.time(), outage, self._showing[lane])

    def _found(self, number: int, kinds: Collection[Kind]) -> None:
        """Show what is due in a game, unless a task is working on it, or all of it waits for its time: a call that is
        held back, or gathered hands."""
        lanes = {(number, HANDS if kind in PERSONAL else TABLE) for kind in kinds}
        if not (self.working(number) or lanes <= self._resting.keys()):
            log.info("Game %d: found something still to be shown", number)
            self.refresh(number)

    @property
    def resting(self) -> int:
        """Number of games whose hands wait until the game has been still."""
        return sum(name == HANDS for _number, name in self._resting)
