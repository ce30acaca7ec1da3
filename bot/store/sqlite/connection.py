"""A connection to a SQLite file with its own thread. A whole transaction takes one trip to that thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from bot.store.errors import Unavailable
from bot.store.sql.database import Execute
from bot.store.sql.values import Row, Statement
from bot.store.sqlite.file import text_of

T = TypeVar("T")


class Connection:
    """A connection to a SQLite file. All access is serial, so no one ever sees another's open transaction."""

    def __init__(self, path: Path) -> None:
        """Prepare the connection without opening it. From now on, failures are among `file.ERRORS`."""
        self._connection = aiosqlite.connect(path, isolation_level=None)
        self._durable: bool | None = None

    async def open(self) -> None:
        """Open the file."""
        await self._connection
        self._connection.row_factory = sqlite3.Row
        self._connection.text_factory = text_of

    async def close(self) -> None:
        """Close the connection; what isn't committed is rolled back."""
        await self._connection.close()

    async def ask(self, sql: str, *values: Any) -> list[Row]:
        """Return the rows of one statement."""
        return await self._in_thread(self._fetch, sql, values)

    async def script(self, sql: str) -> None:
        """Run statements that commit by themselves."""
        await self._connection.executescript(sql)

    async def transaction(self, body: Callable[[Execute], Awaitable[T]], *, durable: bool) -> T:
        """Run `body`, which waits for nothing but its statements, in one transaction."""
        return await self._in_thread(self._transaction, body, durable)

    async def fold(self, mode: str) -> bool:
        """Fold the write-ahead log into the file; return whether all of it is there now."""
        return await self._in_thread(self._fold, mode)

    async def run(self, *statements: Statement) -> list[list[Row]]:
        """Run statements in order; return the rows of each."""
        return await self._in_thread(lambda: [self._fetch(sql, values) for sql, values in statements])

    # --- in the thread

    async def _in_thread(self, do: Callable[..., T], *values: Any) -> T:
        # aiosqlite has no public way to run several statements there; the event loop would have to wait for each.
        try:
            result: T = await self._connection._execute(do, *values)  # type: ignore[no-untyped-call]
        except ValueError as error:
            if str(error) == "Connection closed":  # nothing was done; Harbormaster is stopping
                raise Unavailable("it is closed") from None
            raise
        return result

    def _fetch(self, sql: str, values: tuple[Any, ...] = ()) -> list[Row]:
        # A writer has the whole file to itself, so no row is ever locked.
        sql = sql.replace(" SKIP LOCKED", "").replace(" FOR UPDATE", "")
        return list(self._connection._execute_fetchall(sql, values))

    def _transaction(self, body: Callable[[Execute], Awaitable[T]], durable: bool) -> T:
        self._sync(durable)
        self._fetch("BEGIN IMMEDIATE")
        try:
            result: T = _at_once(body(self._now))
            self._fetch("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._fetch("ROLLBACK")
            raise
        return result

    async def _now(self, *statements: Statement) -> list[list[Row]]:
        return [self._fetch(sql, values) for sql, values in statements]

    def _fold(self, mode: str) -> bool:
        self._sync(False)
        [(busy, pages, folded)] = self._fetch(f"PRAGMA wal_checkpoint({mode})")
        if busy or pages != folded:
            return False
        # The first commit of a new log costs one more fsync, for the log's header: better here than in an action.
        [(number,)] = self._fetch("PRAGMA user_version")
        self._fetch(f"PRAGMA user_version = {number}")
        return True

    def _sync(self, durable: bool) -> None:
        """Set whether the next commits wait for the disk."""
        if durable is not self._durable:
            self._fetch(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            self._durable = durable


def _at_once(work: Any) -> Any:
    """The result of a coroutine that never has to wait, because its statements are carried out immediately."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    work.close()
    raise RuntimeError("a transaction waits for something other than its statements")
