"""A database server that several processes share: PostgreSQL's promises, kept by one SQLite database in memory. Each
transaction happens at one moment, some time after it was sent and some time before its caller hears of it; the line to
the server can fail in between."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable
from contextvars import Context, copy_context
from typing import Any, TypeVar

from bot.store.base import Conflict, MustEnd, Unavailable
from bot.store.postgresql.database import LONGEST_STATEMENT, NEWEST_STEP, NOW, SharedClock
from bot.store.postgresql.database import Database as PostgresDatabase
from bot.store.postgresql.store import PostgresStore
from bot.store.sql.database import DriverDatabase, Execute
from bot.store.sql.tables import Statement, StoredRow
from bot.store.sqlite.file import _at_once, scripts, text_of
from tests.sim import clocks
from tests.sim.loop import Universe

T = TypeVar("T")


class Away(Exception):
    """The server can't be reached."""


class Server:
    """The server, and the lines to it."""

    def __init__(self, universe: Universe, rng: random.Random) -> None:
        self.universe, self.rng = universe, rng
        self.away = set[str]()
        """Names of the machines that can't reach it."""
        self.delay = (0.0003, 0.004)
        """Seconds that a line takes in one direction, at least and at most."""
        self.told: Callable[[bool], None] = lambda durable: None
        """Called after each transaction that wrote something."""
        self._heard = list[tuple[str, Callable[[str], None], Context]]()
        self.sql = sqlite3.connect(":memory:", isolation_level=None)
        self.sql.row_factory, self.sql.text_factory = sqlite3.Row, text_of
        self.sql.create_function("sim_now", 0, lambda: clocks.EPOCH + universe.now)
        self.sql.create_function("pg_notify", 2, self._notify)
        for script in scripts().values():
            self.sql.executescript(script)
        self.sql.execute("CREATE TABLE schema_version (number INTEGER NOT NULL)")
        self.sql.execute("INSERT INTO schema_version VALUES (?)", (NEWEST_STEP,))
        self.sql.execute("PRAGMA foreign_keys = ON")

    def listen(self, machine: str, heard: Callable[[str], None]) -> None:
        """Call `heard` with what is said from now on, on a machine. What follows belongs to the present one, so that it
        doesn't end with a machine that has said something."""
        self._heard.append((machine, heard, copy_context()))

    def forget(self, machine: str) -> None:
        """A machine hears nothing anymore."""
        self._heard = [one for one in self._heard if one[0] != machine]

    def _notify(self, channel: str, words: str) -> None:
        for machine, heard, context in self._heard:
            delay = self.rng.uniform(*self.delay)
            self.universe.loop.call_later(delay, self._say, machine, heard, words, context=context)

    def _say(self, machine: str, heard: Callable[[str], None], words: str) -> None:
        if machine not in self.away and any(one[:2] == (machine, heard) for one in self._heard):
            heard(words)

    def fetch(self, sql: str, values: tuple[Any, ...] = ()) -> list[StoredRow]:
        """The rows of a statement, at this moment."""
        sql = sql.replace(NOW, "sim_now()").replace(" SKIP LOCKED", "").replace(" FOR UPDATE", "")
        return self.sql.execute(sql, values).fetchall()

    def transact(self, body: Callable[[Execute], Awaitable[T]], durable: bool = True) -> T:
        """Run a whole transaction, at this moment. Nothing is lost here, so `durable` is only told."""

        async def run(*statements: Statement) -> list[list[StoredRow]]:
            return [self.fetch(sql, values) for sql, values in statements]

        before = self.sql.total_changes
        self.sql.execute("BEGIN IMMEDIATE")
        try:
            result: T = _at_once(body(run))
            self.sql.execute("COMMIT")
        except BaseException:
            self.sql.execute("ROLLBACK")
            raise
        if self.sql.total_changes != before:
            self.told(durable)
        return result


class Line(DriverDatabase):
    """The database as one process knows it."""

    errors = (sqlite3.Error, Away)

    def __init__(self, server: Server, machine: str) -> None:
        super().__init__("the database")
        self.server, self.machine = server, machine
        self.clock = SharedClock()
        self.end: Callable[[MustEnd], None] = lambda error: None

    telling: Any = PostgresDatabase.telling

    async def _sent(self, work: Callable[[], T]) -> T:
        await self._travel()
        result = work()
        await self._travel()
        return result

    async def _travel(self) -> None:
        await asyncio.sleep(self.server.rng.uniform(*self.server.delay))
        if self.machine in self.server.away:
            await asyncio.sleep(self.server.rng.choice((0.0, LONGEST_STATEMENT)))
            raise Away("connection lost")

    async def _read(self, sql: str, *values: Any) -> list[StoredRow]:
        async def body(run: Execute) -> list[StoredRow]:
            [rows] = await run((sql, values))
            return rows

        return await self._sent(lambda: self.server.transact(body, durable=False))

    async def _write(self, body: Callable[[Execute], Awaitable[T]], durable: bool) -> T:
        before = self.clock.before()
        await self._travel()
        with self.telling():
            self.clock.check(before, clocks.EPOCH + self.server.universe.now)
        result = self.server.transact(body, durable)
        await self._travel()
        return result

    async def _mark(self, sql: str, *values: Any) -> list[StoredRow]:
        return await self._read(sql, *values)

    async def _transaction(self, body: Callable[[Execute], Awaitable[T]]) -> T:
        return await self._sent(lambda: self.server.transact(body))

    def _meaning(self, game: int | None, error: Exception) -> Exception:
        if isinstance(error, sqlite3.IntegrityError):
            return Conflict(type(error).__name__)
        return Unavailable(str(error)) if isinstance(error, Away) else error

    async def close(self) -> None:
        await self._tasks.finished()
        self.server.forget(self.machine)


class _Words:
    """What processes tell each other, through the server."""

    def __init__(self, line: Line, namespace: str, process: str) -> None:
        self._line, self._namespace, self._process = line, namespace, process

    def said(self, words: str) -> tuple[str, str]:
        return "harbormaster", f"{self._process} {self._namespace} {words}"

    def listen(self, heard: Callable[[str], None]) -> None:
        def hear(payload: str) -> None:
            process, namespace, words = payload.split(" ", 2)
            if process != self._process and namespace == self._namespace:
                heard(words)

        self._line.server.listen(self._line.machine, hear)

    async def close(self) -> None:
        """Nothing to do: the line is closed."""


def shared_store(server: Server, machine: str, namespace: str = "discord") -> PostgresStore:
    """The store of one process. Outside of all machines, `machine` is empty."""
    line = Line(server, machine)
    store = PostgresStore(line, namespace)
    store._words = _Words(line, namespace, store._process)  # type: ignore[assignment]
    return store
