"""Many people at many tables at the same time: at a steady rate, in a burst, and as fast as it goes."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterable
from typing import Any

from bench.scale.discord import BenchServer
from bench.scale.samples import Samples
from bench.scale.tables import PATIENCE, Table, Unplayable
from bench.scale.town import Town
from tests.wire.process import BotProcess

LOOKING = 0.25
"""Looks at a hand for each action."""
TOGETHER = 32
"""Tables that act at the same time when playing as fast as possible."""


class Load:
    """The play at all tables of a town."""

    def __init__(self, wire: BenchServer, bot: BotProcess, town: Town, seed: int) -> None:
        self.wire, self._rng = wire, random.Random(seed)
        self.tables = [Table(wire, bot, s, random.Random(f"{seed}/{n}")) for n, s in enumerate(town.games)]
        self._idle = list(self.tables)
        self._tasks: set[asyncio.Task[None]] = set()
        self._failed: BaseException | None = None

    async def steady(self, rate: float, seconds: float, samples: Samples) -> None:
        """Begin that many actions a second, whether or not earlier ones are done."""
        began = time.perf_counter()
        for n in range(int(rate * seconds)):
            wait = began + n / rate - time.perf_counter()
            samples.behind = max(samples.behind, -wait)
            await asyncio.sleep(max(wait, 0.0))
            self._begin(samples)
            self._forget(samples)
        await self.settled(samples)

    async def burst(self, clicks: int, samples: Samples) -> None:
        """Have that many people act at the same time, each at another table."""
        for _ in range(min(clicks, len(self._idle))):
            self._begin(samples, look=False)
        await self.settled(samples)

    async def flat_out(self, seconds: float, samples: Samples) -> float:
        """Play as fast as possible, at up to `TOGETHER` tables at a time. Returns the seconds that it took."""
        began = time.perf_counter()
        while time.perf_counter() < began + seconds:
            if len(self._tasks) < TOGETHER and (self._idle or not self._tasks):
                self._begin(samples, look=False)
                await asyncio.sleep(0)
            else:
                await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            self._forget(samples)
        await self._done()
        took = time.perf_counter() - began
        await self.settled(samples)
        return took

    async def settled(self, samples: Samples) -> None:
        """Wait until everything is done and the bot has nothing more to send."""
        await self._done()
        await self.wire.settled(1.0, 2 * PATIENCE)
        self._forget(samples, 0.0)

    async def _done(self) -> None:
        """Wait until everything that was begun has ended. Raises the first error immediately."""
        while self._tasks and not self._failed:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        if self._failed:
            raise self._failed

    def _begin(self, samples: Samples, look: bool = True) -> None:
        if self._failed:
            raise self._failed
        if not self._idle and not self._tasks:
            given_up, games = sum(table.doubt is not None for table in self.tables), len(self.tables)
            why = f" ({samples.problems[-1]})" if samples.problems else ""
            raise Unplayable(
                f"Nothing is left to play. Of {games} games, {given_up} were given up{why}, and the rest are over."
            )
        if not self._idle:
            samples.problems.append("no table was free")
            return
        place = self._rng.randrange(len(self._idle))
        self._idle[place], self._idle[-1] = self._idle[-1], self._idle[place]
        table = self._idle.pop()

        async def act() -> None:
            await table.act(samples)
            if table.playable:
                self._idle.append(table)

        self._start(act())
        if look and self._rng.random() < LOOKING:
            self._start(self._rng.choice([table, *self._idle]).look(samples))

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            self._failed = self._failed or task.exception()

    def _forget(self, samples: Samples, age: float = 2 * PATIENCE) -> None:
        """Count interactions that are at least `age` seconds old, which have all their answers by then, and forget
        their content. They stay known to the server, for their tokens."""
        fresh, now = self.wire.fresh, time.perf_counter()
        while fresh and now - fresh[0].sent >= age:
            it = fresh.popleft()
            samples.take(it)
            it.payload = {"type": it.payload["type"]}
            it.requests.clear()


def differing(tables: Iterable[Table], stored: dict[int, list[Any]]) -> list[str]:
    """Games that aren't stored as they were played, a few words about each."""
    found = []
    for table in tables:
        kept, played = stored[table.number], [record.to_json() for record in table.mirror.records]
        doubt = [record.to_json() for record in table.doubt.records] if table.doubt else None
        if kept != played and kept != doubt:
            common = next((n for n, (a, b) in enumerate(zip(kept, played, strict=False)) if a != b), None)
            where = f"differs at {common}" if common is not None else f"has {len(kept)} records, not {len(played)}"
            found.append(f"game {table.number} {where}")
    return found
