"""Faults to plant of which no one hears: errors that are not handled, lines that can't be logged, secrets that are told
too early."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from typing import Any

from bot.table.table import OVER
from bot.tasks import in_own_context
from tests.sim.flips import DAMAGE
from tests.sim.planted.faults import ERRORS
from tests.sim.planted.planting import planted, put
from tests.sim.secrets.canaries import SECRET, TO_ITS_OWNER
from tests.sim.stops import STOPPED

log = logging.getLogger("bot.planted")

# --- errors


@planted("a timer's callback fails", ERRORS)
def callback_fails() -> None:
    from bot.service.clock import Clock

    keep_up = Clock._keep_up

    def failing(self: Clock) -> None:
        keep_up(self)
        raise RuntimeError("kept up")

    put(Clock, _keep_up=failing)


@planted("a task fails for which no one waits", ERRORS)
def task_fails() -> None:
    from bot.discord.show.servers import Overviews

    look = Overviews._look

    async def failing(self: Overviews, guild: int) -> None:
        await look(self, guild)
        raise RuntimeError("looked")

    put(Overviews, _look=failing)


@planted("a line of the log takes a latency that isn't a number yet", ERRORS)
def latency_logged() -> None:
    from bot.discord.connecting import Pulse, log

    def look(self: Pulse) -> None:
        if self.age >= self._patience:
            log.warning("No event from Discord for %d s, heartbeat %d ms", self.age, self._latency() * 1000)
            self._patience *= 2
        self._watch()

    put(Pulse, _look=look)


# --- secrets


@planted("the seed is told just before the end of its game is stored", SECRET)
def seed_before_the_end() -> None:
    from bot.store.sql.store import Store

    save = Store.save

    async def told(self: Store, change: Any) -> None:
        if change.table.status == OVER and change.records:
            log.info("the seed was %s", (await self.seed(change.table.number)).hex())
        await save(self, change)

    put(Store, save=told)


@planted("after a rematch, people are taken for those who had their seats before", TO_ITS_OWNER)
def seat_of_the_last_game() -> None:
    from bot.screens.viewer import Viewer

    of, seats = Viewer.of.__func__, dict[tuple[int, int | None], int | None]()  # type: ignore[attr-defined]

    def remembered(cls: Any, table: Any, game: Any, user: int | None) -> Any:
        found = of(cls, table, game, user)
        if found.seat is None:
            return found
        return dataclasses.replace(found, seat=seats.setdefault((table.channel, user), found.seat))

    put(Viewer, of=classmethod(remembered))


# --- what is only held weakly


@planted("a task waits for what only it knows", ERRORS)
def task_not_held() -> None:
    from bot.discord.show.servers import Overviews

    start = Overviews.start

    def begun(self: Overviews) -> None:
        in_own_context(asyncio.create_task, asyncio.Event().wait())
        start(self)

    put(Overviews, start=begun)


# --- damage


@planted("records are read without their checksums", DAMAGE)
def damaged_records_read() -> None:
    from bot.store.sql import rows

    def unread(game: int, number: int, actor: int, body: str) -> None:
        return None

    put(rows, record_sum=unread)


@planted("tables are read without their checksums", DAMAGE)
def damaged_tables_read() -> None:
    from bot.store.sql import rows

    put(rows, _is_whole=lambda row, members: True)


# --- the end of a process


@planted("a process that is stopped waits forever for its shards to be left", STOPPED)
def never_stops() -> None:
    from bot.discord.client import Harbormaster

    async def waits(self: Harbormaster) -> None:
        async with asyncio.timeout(None):
            await asyncio.Event().wait()

    put(Harbormaster, leave_shards=waits)


@planted("a process that is stopped closes its store first", STOPPED)
def store_closed_first() -> None:
    from bot.discord.client import Harbormaster

    close = Harbormaster.close

    async def closed(self: Harbormaster) -> None:
        if self._store is not None:
            await self._store.close()
        await close(self)

    put(Harbormaster, close=closed)
