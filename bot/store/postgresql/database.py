"""Connections to one PostgreSQL database: transactions that survive cancellation, and the schema's steps. And the clock
of all processes that share a database: the database's own, advanced between looks by a clock that no one sets."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from functools import lru_cache, partial
from typing import Any, TypeVar

import asyncpg

from bot.settings import NotNow, SettingsError, place_of
from bot.store.base import Conflict, MustEnd, NothingYet, Unavailable
from bot.store.sql import tables
from bot.store.sql.database import DriverDatabase, Execute
from bot.store.sql.tables import Statement, StoredRow
from bot.tasks import in_own_context

log = logging.getLogger(__name__)

# --- the shared clock

NOW = "extract(epoch FROM clock_timestamp())::float8"
"""SQL for what the database's clock says, in seconds since the epoch."""
ALIVE = f"SELECT count(*) FROM processes WHERE held_until >= {NOW}"
"""SQL for how many processes run, by the clock by which they say so."""
CLOCKS_APART = 3.0
"""Seconds by which this machine's clock can differ from the database's before the process must end."""


class SharedClock:
    """The shared clock: calling it gives the seconds since the epoch, once `compare` was called."""

    def __init__(self, wall: Callable[[], float] | None = None, steady: Callable[[], float] = time.monotonic) -> None:
        """`wall`: this machine's clock; `steady`: a clock that no one sets. Both in seconds."""
        self._wall, self._steady = wall or time.time, steady
        self._offset: float | None = None

    def __call__(self) -> float:
        assert self._offset is not None, "the database's clock hasn't been read yet"
        return self._steady() + self._offset

    def compare(self, before: float, theirs: float) -> None:
        """Set this clock: the database said `theirs` after this machine's clock said `before`. Raises `MustEnd` if they
        differ too much."""
        off = ahead(before, theirs, self._wall())
        if abs(off) > CLOCKS_APART:
            which = "ahead of" if off > 0 else "behind"
            raise MustEnd(f"this machine's clock is {abs(off):.0f} s {which} the database's; set both, best by NTP")
        self._offset = theirs - self._steady()

    def before(self) -> float:
        """The time to note before a question, for `check`; 0 as long as this clock isn't set."""
        return 0.0 if self._offset is None else self()

    def check(self, before: float, theirs: float) -> None:
        """Check this clock: it said `before` before a transaction in which the database said `theirs`. Raises `MustEnd`
        if it is off."""
        if before and abs(off := ahead(before, theirs, self())) > CLOCKS_APART:
            self._offset = theirs - self._steady()  # for what must still be handed on
            raise MustEnd(f"this process's clock is off by {abs(off):.0f} s")


def ahead(before: float, theirs: float, after: float) -> float:
    """Seconds by which a clock is certainly ahead of another one, which said `theirs` between `before` and `after`;
    negative: behind."""
    return max(before - theirs, 0.0) or min(after - theirs, 0.0)


# --- the database

T = TypeVar("T")
Connection = Any
"""An asyncpg connection; asyncpg has no types."""

OLDEST = 160000
"""The oldest PostgreSQL that Harbormaster can use, as PostgreSQL numbers its versions."""
CONNECT_AGAIN = (1.0, 2.0, 5.0, 10.0, 20.0)
"""Seconds between two tries to reach the database at the start."""
LONGEST_STATEMENT = 10.0
"""Seconds after which a statement, or a wait for a connection, fails."""
UPKEEP_EVERY = 3600.0
"""Seconds between two rounds of upkeep."""
TIDY_EVERY = 2.0
"""Seconds between two parts of one round of upkeep."""
SETTINGS = {
    "application_name": "harbormaster",
    "lock_timeout": "5s",
    "synchronous_commit": "off",  # so a mark is one round trip; durable transactions turn it on
    "idle_in_transaction_session_timeout": "15s",  # a process that hangs in a transaction must not keep a game locked
}
_BEGIN = f"SELECT {NOW} FROM set_config('synchronous_commit', $1, true)"
"""Sets whether a transaction is durable, and asks for the database's time, in one round trip."""
NEWEST_STEP = max(tables.steps(__package__))
"""Number of the schema's latest step that this version knows."""
_ONE_AT_A_TIME, _UPKEEP = 0x4842_4D52, 0x4842_4D53
"""Keys of the advisory locks for changing the schema, and for upkeep."""

# `InternalClientError` is what the next statement gets on a connection that the server has just ended.
ERRORS = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)
_CLASH = (
    *(asyncpg.UniqueViolationError, asyncpg.SerializationError, asyncpg.DeadlockDetectedError),
    asyncpg.ForeignKeyViolationError,  # the game was just deleted
)
_DAMAGE = (asyncpg.DataCorruptedError, asyncpg.IndexCorruptedError)
_TROUBLE = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.InsufficientResourcesError,
    asyncpg.OperatorInterventionError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.LockNotAvailableError,
    asyncpg.PostgresSystemError,
    OSError,
    TimeoutError,
)


class Database(DriverDatabase):
    """A PostgreSQL database and a few connections to it. Each transaction has a connection to itself."""

    errors = ERRORS

    def __init__(self, url: str, pool: Any, place: str) -> None:
        super().__init__(place)
        self.clock = SharedClock()
        self.end: Callable[[MustEnd], None] = lambda error: None
        """Called when this process must end."""
        self._url, self._pool = url, pool
        self._upkeep = in_own_context(asyncio.create_task, self._keep_up())

    @classmethod
    async def open(
        cls, url: str, *, connections: int = 8, tries: int = 1, make: bool = True, update: bool = True
    ) -> Database:
        """Connect, in at most `tries` tries, and bring the schema up to date; raises `SettingsError`. `make` and
        `update` are as for `open_store`."""
        place = place_of(url)
        pool = await _pool(url, place, connections, tries)
        try:
            async with pool.acquire() as connection:
                await _check(connection, place, make)
            await _migrate(url, place, make, update)
        except BaseException as error:
            pool.terminate()
            if isinstance(error, ERRORS):
                kind = NotNow if isinstance(error, (*_TROUBLE, asyncpg.DeadlockDetectedError)) else SettingsError
                raise kind(f"{place} can't be used: {_reason(error)}.") from None
            raise
        return cls(url, pool, place)

    async def _read(self, sql: str, *values: Any) -> list[StoredRow]:
        return list(await self._pool.fetch(numbered(sql), *values))

    async def _write(self, body: Callable[[Execute], Awaitable[T]], durable: bool) -> T:
        async with self._pool.acquire(timeout=LONGEST_STATEMENT) as connection, connection.transaction():
            before = self.clock.before()
            theirs = await connection.fetchval(_BEGIN, "on" if durable else "off")
            with self.telling():
                self.clock.check(before, theirs)
            return await body(partial(_run, connection))

    @contextlib.contextmanager
    def telling(self) -> Iterator[None]:
        """Call `end` if `MustEnd` is raised inside."""
        try:
            yield
        except MustEnd as error:
            self.end(error)
            raise

    async def _mark(self, sql: str, *values: Any) -> list[StoredRow]:
        return await self._read(sql, *values)

    async def _transaction(self, body: Callable[[Execute], Awaitable[T]]) -> T:
        async with _unhurried(self._url) as connection:
            await connection.execute("SET LOCAL synchronous_commit = on")
            return await body(partial(_run, connection))

    async def close(self) -> None:
        """Finish what is under way and close. The connections are closed even if this fails."""
        self._upkeep.cancel()
        try:
            await self._tasks.finished()
            with contextlib.suppress(*ERRORS):  # a server that is gone needs no goodbye
                async with asyncio.timeout(LONGEST_STATEMENT):
                    await self._pool.close()
        finally:
            self._pool.terminate()

    def _meaning(self, game: int | None, error: Exception) -> Exception:
        # The details of the error could reveal what is in a row.
        if isinstance(error, _CLASH):
            return Conflict(type(error).__name__)
        if isinstance(error, _DAMAGE):
            return self.damages.found(game, type(error).__name__)
        return Unavailable(_reason(error)) if isinstance(error, _TROUBLE) else error

    async def _keep_up(self) -> None:
        """Do the upkeep about once an hour, in one process at a time."""
        while True:
            await asyncio.sleep(UPKEEP_EVERY)
            with contextlib.suppress(*ERRORS):  # it is tried again the next time
                async with self._pool.acquire() as connection:
                    if await connection.fetchval("SELECT pg_try_advisory_lock($1)", _UPKEEP):
                        try:
                            while await self.tidy():  # noqa: ASYNC110 (nothing notifies when more is left)
                                await asyncio.sleep(TIDY_EVERY)
                        finally:
                            await connection.execute("SELECT pg_advisory_unlock($1)", _UPKEEP)


@lru_cache(maxsize=256)
def numbered(sql: str) -> str:
    """SQL with $1, $2, … in place of its question marks."""
    count = 0

    def number(_: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"${count}"

    return re.sub(r"\?", number, sql)


async def _run(connection: Connection, *statements: Statement) -> list[list[StoredRow]]:
    """Run statements in order; return the rows of each, or raise the first failure."""
    return [list(await connection.fetch(numbered(sql), *values)) for sql, values in statements]


@asynccontextmanager
async def _unhurried(url: str) -> AsyncIterator[Connection]:
    """Yield a connection in a transaction without time limits for its statements, the pauses between them, and the
    commit."""
    # Not one of the pool's connections, which have limits.
    connection = await asyncpg.connect(url, timeout=LONGEST_STATEMENT, server_settings=SETTINGS)
    try:
        async with connection.transaction():
            await connection.execute(
                "SELECT set_config(name, '0', true) FROM pg_settings WHERE name IN"
                " ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')"
            )
            yield connection
    finally:
        connection.terminate()


async def _as_it_is(connection: Connection) -> None:
    """Do nothing with a connection that goes back to the pool: no statement here changes its session."""


async def _pool(url: str, place: str, connections: int, tries: int) -> Any:
    """The pool of connections; raises `SettingsError` if there is no such database, or `tries` tries don't reach it."""
    for wait in (*CONNECT_AGAIN[: tries - 1], None):
        try:
            pool = await asyncpg.create_pool(
                url,
                min_size=0,  # otherwise asyncpg logs a traceback each time it tries to restore the minimum
                max_size=connections,
                timeout=LONGEST_STATEMENT,
                command_timeout=LONGEST_STATEMENT,
                server_settings=SETTINGS,
                reset=_as_it_is,
            )
            async with pool.acquire():
                return pool
        except (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError) as error:
            raise SettingsError(f"{place} can't be used: {_reason(error)}.") from None
        except (ValueError, asyncpg.ClientConfigurationError):
            raise SettingsError(
                "DATABASE_URL isn't the address of a database, which looks like postgresql://user:password@host/name."
            ) from None
        except ERRORS as error:
            if wait is None:
                raise NotNow(f"{place} can't be reached: {_reason(error)}.") from None
            log.warning("%s can't be reached, and will be tried again in %d s: %s", place, wait, _reason(error))
            await asyncio.sleep(wait)
    raise AssertionError("unreachable")


async def _check(connection: Connection, place: str, make: bool) -> None:
    version = int(await connection.fetchval("SHOW server_version_num"))
    if version < OLDEST:
        raise SettingsError(f"{place} is PostgreSQL {version // 10000}; Harbormaster needs {OLDEST // 10000} or newer.")
    if await connection.fetchval("SHOW transaction_read_only") == "on":
        raise NotNow(f"{place} is read-only; name the server that takes writes.")
    if not make and await connection.fetchval("SELECT to_regclass('schema_version')") is None:
        raise NothingYet(f"{place} is empty: no game has been played in it yet.")


async def _migrate(url: str, place: str, make: bool, update: bool) -> None:
    """Apply the steps that the schema lacks, all or none. Processes that start together take turns. Only a start (and
    not `make=False`) does so while others run, which then end, so that the new version takes over."""
    steps = tables.steps(__package__)
    async with _unhurried(url) as connection:
        await connection.execute("SELECT pg_advisory_xact_lock($1)", _ONE_AT_A_TIME)
        await connection.execute("CREATE TABLE IF NOT EXISTS schema_version (number INTEGER NOT NULL)")
        number = await connection.fetchval("SELECT max(number) FROM schema_version") or 0
        if number > max(steps):  # a process that made way for it is restarted until that is installed here
            raise NotNow(f"{place} belongs to a newer version of Harbormaster.")
        if number == max(steps) or not update:
            return
        if not make and await connection.fetchval(ALIVE):
            raise NotNow(
                f"{place} has the tables of an earlier version of Harbormaster ({number}, not {max(steps)}), which is"
                " running: restart it with this version first, or stop it."
            )
        for step in [text for n, text in steps.items() if n > number]:
            await connection.execute(step)
        await connection.execute("INSERT INTO schema_version (number) VALUES ($1)", max(steps))


def _reason(error: Exception) -> str:
    """An error in a few words, without anything that is in the database."""
    if isinstance(error, asyncpg.PostgresError) and not isinstance(error, _TROUBLE + _CLASH):
        return str(error) if getattr(error, "severity", "") == "FATAL" else type(error).__name__
    return str(error) or type(error).__name__
