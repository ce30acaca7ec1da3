"""A SQLite file: transactions that survive cancellation, migrations, folding."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import filelock

from bot.settings import NotNow, SettingsError
from bot.store.base import Conflict, Unavailable
from bot.store.sql.database import BY_NEWER, DriverDatabase, Execute
from bot.store.sql.tables import StoredRow
from bot.store.sqlite.check import Check, Findings
from bot.store.sqlite.file import (
    ERRORS,
    STEP,
    Connection,
    advice,
    damage_in,
    keep_private,
    lock,
    passes,
    refuse_empty,
    refuse_foreign,
    scripts,
)
from bot.tasks import in_own_context

log = logging.getLogger(__name__)

T = TypeVar("T")

FOLD_WHEN_IDLE = 2.0
"""Seconds without a commit after which the write-ahead log is folded into the file."""
FOLD_WITHIN = 60.0
"""Seconds until a commit is folded into the file at the latest, even if commits keep coming."""
UPKEEP_EVERY = 3600.0
"""Seconds between two rounds of upkeep, and between two warnings of a large log."""
LARGE_LOG = 64 << 20
"""Bytes of a write-ahead log that Litestream, if it ran, would have folded long ago."""
CHECK_WITHIN = 1.0
"""Seconds that the start waits for the check of the file."""
TAKEN = (
    sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
    sqlite3.SQLITE_CONSTRAINT_UNIQUE,
    sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY,  # the game was just deleted
)


class Database(DriverDatabase):
    """A SQLite file in WAL mode."""

    errors = ERRORS

    def __init__(
        self,
        path: Path,
        connection: Connection,
        mine: filelock.FileLock | None,
        idle: float,
        longest: float,
        litestream: bool,
    ) -> None:
        super().__init__(str(path))
        self.path = path
        self._litestream = litestream
        self._connection = connection
        self._mine = mine
        self._check: Check | None = None
        self._tidy_due = self._warning_due = 0.0
        self._folding = Folding(self._fold_and_tidy, idle, longest)

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        exclusive: bool = False,
        idle: float = FOLD_WHEN_IDLE,
        longest: float = FOLD_WITHIN,
        litestream: bool = False,
        make: bool = True,
    ) -> Database:
        """Open or make the file and bring it up to date, as `SqliteStore.open` says; raises `SettingsError`."""
        refuse_foreign(path)
        if not make:
            refuse_empty(path)
        # At DEBUG aiosqlite logs the values of every statement: seeds and hands.
        logging.getLogger("aiosqlite").setLevel(logging.INFO)
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # it holds what players must not see
        except OSError as error:
            reason = error.strerror or str(error)
            kind = NotNow if passes(error) else SettingsError
            raise kind(f"The database file {path} can't be opened: {reason}.") from None
        mine = lock(path) if exclusive else None
        if mine:
            keep_private(path)
        database = cls(path, Connection(path), mine, idle, longest, litestream)
        try:
            await database._prepare()
        except BaseException as error:
            await database._close()
            if not isinstance(error, ERRORS):
                raise
            damage = damage_in(error)
            if damage is not None:
                raise SettingsError(advice(path, damage)) from None
            kind = NotNow if passes(error) else SettingsError
            raise kind(f"The database file {path} can't be used: {error}.") from error
        return database

    async def _prepare(self) -> None:
        await self._connection.open()
        await self._connection.ask("PRAGMA journal_mode = WAL")
        # Folding the log into the file costs extra fsyncs: `fold` does it, not an action.
        await self._connection.ask("PRAGMA wal_autocheckpoint = 0")
        await self._connection.ask("PRAGMA secure_delete = ON")  # what people want forgotten is gone from the disk
        checked = self._mine is not None and await self._checked()
        await self._migrate()
        await self._connection.ask("PRAGMA foreign_keys = ON")  # after the migrations, which can rebuild tables
        if self._mine:
            await self.fold(whole=checked)

    async def _checked(self) -> bool:
        """Begin to check the file; return whether that is done. Raises `SettingsError` if the whole file is damaged."""
        await self._number()  # makes the log's index, which a read-only connection needs
        self._check = Check(self.path)
        findings = await self._check.findings(CHECK_WITHIN, self._found_late)
        if findings is None:
            return False
        self._tell(findings)
        if findings.whole:
            raise SettingsError(advice(self.path, findings.whole))
        return True

    async def _migrate(self) -> None:
        steps = scripts()
        number = await self._number()
        if number > max(steps):
            raise SettingsError(f"The database file {self.path} belongs to a newer version of Harbormaster.")
        if number == max(steps):
            return
        mine = None if self._mine else lock(self.path)  # so that no one plays while the tables change
        try:
            number = await self._number()  # another process may have been faster
            for script in [script for n, script in steps.items() if n > number]:
                await self._connection.script(script)
        finally:
            if mine:
                mine.release()

    async def _number(self) -> int:
        [row] = await self._connection.ask(STEP)
        return int(row[0])

    def _tell(self, findings: Findings) -> None:
        for number, reason in findings.games.items():
            if reason == BY_NEWER:
                self.damages.newer(number)
            else:
                self.damages.found(number, reason)

    def _found_late(self, findings: Findings) -> None:
        self._tell(findings)
        if findings.whole:
            log.critical("%s", advice(self.path, findings.whole))

    def _meaning(self, game: int | None, error: Exception) -> Exception:
        if getattr(error, "sqlite_errorcode", None) in TAKEN:
            return Conflict(str(error))
        reason = damage_in(error)
        if reason is not None:
            return self.damages.found(game, reason)
        return Unavailable(str(error)) if isinstance(error, sqlite3.OperationalError) else error

    async def _read(self, sql: str, *values: Any) -> list[StoredRow]:
        return await self._connection.ask(sql, *values)

    async def _write(self, body: Callable[[Execute], Awaitable[T]], durable: bool) -> T:
        result = await self._connection.transaction(body, durable=durable)
        self._folding.committed()
        return result

    async def _mark(self, sql: str, *values: Any) -> list[StoredRow]:
        async def body(run: Execute) -> list[StoredRow]:
            [rows] = await run((sql, values))
            return rows

        return await self._write(body, False)

    async def _transaction(self, body: Callable[[Execute], Awaitable[T]]) -> T:
        other = Connection(self.path)  # no one else uses it
        try:
            await other.open()
            await other.ask("BEGIN IMMEDIATE")
            result = await body(other.run)
            await other.ask("COMMIT")
        finally:
            await other.close()
        self._folding.committed()
        return result

    async def fold(self, *, whole: bool = False) -> bool:
        """Fold the write-ahead log into the file; return whether all of it is there now.

        This waits for no one, unless `whole`: then it also empties the log, once no one reads from it anymore. If
        folding is left to Litestream, it does nothing as long as Litestream seems to run.
        """
        if self._litestream:
            if self._log_is_large():
                await self._tasks.run(self._fold_at_once())
            return True
        return await self._tasks.run(self._connection.fold("TRUNCATE" if whole else "PASSIVE"))

    def _log_is_large(self) -> bool:
        """Whether Litestream hasn't folded the log for long. If so, the host is told once an hour."""
        try:
            size = Path(f"{self.path}-wal").stat().st_size
        except FileNotFoundError:
            return False
        if size >= LARGE_LOG and time.monotonic() >= self._warning_due:
            self._warning_due = time.monotonic() + UPKEEP_EVERY
            log.warning("%s-wal has %d MB, so Harbormaster folds it: is Litestream running?", self.path, size >> 20)
        return size >= LARGE_LOG

    async def _fold_at_once(self) -> None:
        """Fold and empty the log, unless someone is reading from it."""
        await self._connection.run(
            ("PRAGMA busy_timeout = 0", ()), ("PRAGMA wal_checkpoint(TRUNCATE)", ()), ("PRAGMA busy_timeout = 5000", ())
        )

    async def _fold_and_tidy(self) -> bool:
        folded = await self.fold()
        if time.monotonic() >= self._tidy_due:
            if await self.tidy():
                self._folding.committed()  # perhaps nothing was, but this way upkeep goes on at the next fold
            else:
                self._tidy_due = time.monotonic() + UPKEEP_EVERY
        return folded

    async def close(self) -> None:
        """Finish what is under way, fold the log, and close. The file is closed even if this fails."""
        try:
            await self._tasks.finished()
            await self._folding.close()
            # Readers get half a second to finish. If they need longer, the log stays, but as good as folded.
            if self._mine and not self._litestream:
                await self._connection.run(("PRAGMA busy_timeout = 500", ()), ("PRAGMA wal_checkpoint(TRUNCATE)", ()))
        finally:
            await self._close()

    async def _close(self) -> None:
        try:
            if self._check:
                await self._check.close()
            await self._connection.close()
        finally:
            if self._mine:
                self._mine.release()


class Folding:
    """Calls `fold` once nothing has been committed for `idle` seconds, at the latest `longest` seconds after the
    first commit that isn't folded. `fold` returns whether it got everything.

    What fails, or is left over, is tried again after `longest` seconds or with the next commit. No task runs meanwhile.
    """

    def __init__(self, fold: Callable[[], Awaitable[bool]], idle: float, longest: float) -> None:
        self._fold = fold
        self._idle = idle
        self._longest = longest
        self._oldest: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def committed(self) -> None:
        """Plan a fold, because something was committed."""
        now = asyncio.get_running_loop().time()
        if self._oldest is None:
            self._oldest = now
        self._start(min(self._idle, max(self._oldest + self._longest - now, 0.0)))

    async def close(self) -> None:
        """Stop, and finish what is under way."""
        self._closed = True  # what is under way could plan another fold, for when the file is closed
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            await asyncio.wait([self._task])

    def _start(self, wait: float) -> None:
        if self._closed:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = in_own_context(asyncio.get_running_loop().call_later, wait, self._run)

    def _run(self) -> None:
        if self._task is not None and not self._task.done():
            self._start(self._idle)
            return
        self._task = asyncio.create_task(self._try())

    async def _try(self) -> None:
        self._oldest = None
        try:
            if await self._fold():
                return
        except ERRORS as error:
            log.warning("The write-ahead log could not be folded into the file, and will be tried again: %s", error)
        if self._oldest is None:  # otherwise a commit has set the timer
            self._oldest = asyncio.get_running_loop().time()
            self._start(self._longest)
