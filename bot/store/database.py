"""One SQLite connection behind one lock: transactions that survive cancellation, migrations, backup."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from bot.settings import SettingsError
from bot.tasks import Shielded

T = TypeVar("T")
Row = sqlite3.Row
Statement = tuple[str, tuple[Any, ...]]
"""SQL and the values of its question marks."""
Run = Callable[..., Awaitable[list[list[Row]]]]
"""`await run(*statements)`: the rows of each."""


class Database:
    """A SQLite file in WAL mode. All access is serial, so no task ever sees another's open transaction."""

    def __init__(self, path: Path, connection: aiosqlite.Connection) -> None:
        self.path = path
        self._connection = connection
        self._lock = asyncio.Lock()
        self._tasks = Shielded()
        self.commits = 0
        """Since the write-ahead log was last folded into the file."""

    @classmethod
    async def open(cls, path: Path) -> Database:
        """Open or make the file and apply the migrations that it lacks; raises `SettingsError`."""
        # At DEBUG aiosqlite prints the values of every statement: seeds and hands.
        logging.getLogger("aiosqlite").setLevel(logging.INFO)
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # it holds what players may not see
            connection = await aiosqlite.connect(path, isolation_level=None)
        except OSError as error:
            reason = error.strerror or str(error)
            raise SettingsError(f"The database file {path} can't be opened: {reason}.") from None
        database = cls(path, connection)
        try:
            await database._prepare()
        except BaseException as error:
            await connection.close()
            if isinstance(error, sqlite3.DatabaseError):
                raise SettingsError(f"The database file {path} can't be used: {error}.") from error
            raise
        return database

    async def _prepare(self) -> None:
        self._connection.row_factory = sqlite3.Row
        await self._ask("PRAGMA journal_mode = WAL")
        # Folding the log into the file costs fsyncs of its own: done in `checkpoint`, not inside an action.
        await self._ask("PRAGMA wal_autocheckpoint = 0")
        [row] = await self._ask("PRAGMA user_version")
        folder = resources.files(__package__) / "migrations"
        scripts = {int(f.name[:4]): f for f in folder.iterdir() if f.name.endswith(".sql")}
        if row[0] > max(scripts):
            raise SettingsError(f"The database file {self.path} belongs to a newer version of Harbormaster.")
        for number in sorted(n for n in scripts if n > row[0]):
            script = scripts[number].read_text("utf-8")
            await self._connection.executescript(
                f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;"
            )
        await self._ask("PRAGMA foreign_keys = ON")  # after the migrations, which may make tables anew

    async def read(self, sql: str, *values: Any) -> list[Row]:
        """The rows of one query."""
        async with self._lock:
            return await self._ask(sql, *values)

    async def write(self, body: Callable[[Run], Awaitable[T]], *, durable: bool = True) -> T:
        """Run `body` in one transaction; when this returns it is committed, when it raises it is undone.

        A durable commit is one fsync. Another one is none: it outlives the process but maybe not a power cut,
        and the next durable one covers it.
        """
        return await self._tasks.run(self._write(body, durable))

    async def _write(self, body: Callable[[Run], Awaitable[T]], durable: bool) -> T:
        async with self._lock:
            mode = f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}"
            await self._run((mode, ()), ("BEGIN IMMEDIATE", ()))
            try:
                result = await body(self._run)
                await self._ask("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    await self._ask("ROLLBACK")
                raise
            self.commits += 1
            return result

    async def _ask(self, sql: str, *values: Any) -> list[Row]:
        return list(await self._connection.execute_fetchall(sql, values))

    async def _run(self, *statements: Statement) -> list[list[Row]]:
        """Run statements in order, those after a failed one too, and raise the first failure.

        They queue up for the connection's thread together: the event loop waits once, not once for each.
        """
        asked = (self._ask(sql, *values) for sql, values in statements)
        results = await asyncio.gather(*asked, return_exceptions=True)
        found = []
        for result in results:
            if isinstance(result, BaseException):
                raise result
            found.append(result)
        return found

    async def checkpoint(self) -> None:
        """Fold the write-ahead log into the file."""
        await self._tasks.run(self._checkpoint())

    async def _checkpoint(self) -> None:
        async with self._lock:
            await self._ask("PRAGMA wal_checkpoint(TRUNCATE)")
            self.commits = 0

    async def backup(self, target: Path) -> None:
        """Write a consistent copy beside the running games: a half copy never stands under that name."""
        await self._tasks.run(asyncio.to_thread(_copy, self.path, target))

    async def close(self) -> None:
        """Finish what is under way, fold the log, close; closed it is also when that fails."""
        try:
            await self._tasks.finished()
            await self._checkpoint()
        finally:
            await self._connection.close()


def _copy(source: Path, target: Path) -> None:
    # A connection of its own: a reader of the WAL sees one state and holds nobody up.
    partial = target.with_name(target.name + ".partial")
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(partial)) as new:
        old.backup(new)
        new.execute("PRAGMA journal_mode = DELETE")  # one file, without companions
    os.replace(partial, target)
