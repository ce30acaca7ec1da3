"""A SQLite file: whose it is, in whose use, at which step, and what can be wrong with it. And a connection to it, with
its own thread: a whole transaction takes one trip to that thread."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import socket
import sqlite3
import stat
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
import filelock

from bot.settings import NotNow, SettingsError
from bot.store.base import NothingYet, Unavailable
from bot.store.sql import tables
from bot.store.sql.database import Execute
from bot.store.sql.tables import KEYS, Statement, StoredRow

# --- the file

ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""Errors that `sqlite3` raises; the latter in place of a message that quotes a damaged schema."""

_PASSING = (
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL),
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM),
)
_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_TOOBIG)

STEP = "PRAGMA user_version"
"""Query for the number of a file's latest step."""
_TYPES = {
    "BIGINT": "INTEGER",
    "DOUBLE PRECISION": "REAL",
    "BYTEA": "BLOB",
    "\n);": "\n) STRICT;",
    "string_agg": "group_concat",
    "LOCK TABLE games, projections;": "",  # the transaction has locked the file
}


def advice(path: Path, reason: str) -> str:
    """What the host is told when the file as a whole is damaged."""
    return (
        f"The database file {path} can't be used, because it is damaged ({reason}). Keep a copy of it, then restore a "
        f'backup, or save what can still be read: sqlite3 {path} ".recover" | sqlite3 new.db'
    )


def damage_in(error: Exception) -> str | None:
    """Why an error of `ERRORS` means a damaged file; None: it doesn't, like those for locks, full and failing disks."""
    if isinstance(error, UnicodeDecodeError):
        return "malformed database schema"
    text = str(error)
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and code & 0xFF in _CODES:
        return text
    # The program's own statements fit what the migrations made, unless that was damaged.
    return text if re.search(r"no such (table|column)|no column named", text) else None


def passes(error: Exception) -> bool:
    """Whether an error of `ERRORS`, or of the operating system, can pass by itself."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF in _PASSING


text_of: Callable[[bytes], str] = partial(str, encoding="utf-8", errors="replace")
"""A stored text. Text that isn't UTF-8 is read, too, and then has a wrong checksum. An error raised here, in the middle
of a row, would leave a statement open, which keeps the log from being folded."""


def scripts() -> Mapping[int, str]:
    """SQL of all steps by number, in order; each is one transaction and stores its number."""
    return {
        number: f"BEGIN IMMEDIATE;\n{_translated(text)}\nPRAGMA user_version = {number};\nCOMMIT;"
        for number, text in tables.steps(__package__).items()
    }


@cache
def _translated(text: str) -> str:
    """A step with SQLite's names for types, in STRICT tables, which enforce them."""
    return re.sub("|".join(map(re.escape, _TYPES)), lambda found: _TYPES[found[0]], text)


def refuse_foreign(path: Path) -> None:
    """Raise `SettingsError` for a folder, and for another program's database. A file that is missing, empty or damaged
    passes."""
    if path.is_dir():
        raise SettingsError(f"The database file {path} can't be used: it is a folder.")
    number, names = _read(path)
    if names and (number == 0 or names.isdisjoint(KEYS)):
        raise SettingsError(f"{path} isn't a database file of Harbormaster's.")


def refuse_empty(path: Path) -> None:
    """Raise `NothingYet` for a file that is missing or has no tables; one that can't be read passes."""
    if not path.exists():
        raise NothingYet(f"There is no file {path} yet; play a game first, or name it with --database.")
    number, names = _read(path)
    if number == 0 and not names:
        raise NothingYet(f"The file {path} is empty: no game has been played in it yet.")


def _read(path: Path) -> tuple[int, set[str]]:
    """Number of the latest migration, and names of all tables; (-1, none) if the file can't be read."""
    try:
        log = Path(f"{path}-wal")
        alone = "" if log.exists() else "&immutable=1"  # otherwise SQLite would make the files that go with it
        with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro{alone}", uri=True)) as sql:
            [(number,)] = sql.execute(STEP).fetchall()
            names = sql.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            return number, {name for (name,) in names}
    except ERRORS:
        return -1, set()


def keep_private(path: Path) -> None:
    """Take a database file, and what goes with it, from all but its owner. Where that can't be done, nothing happens:
    `harbormaster doctor` reports it."""
    for suffix in ("", "-wal", "-shm", ".latest"):
        with contextlib.suppress(OSError):
            file = Path(f"{path.resolve()}{suffix}")
            mode = stat.S_IMODE(file.stat().st_mode)
            if mode & 0o077:
                file.chmod(mode & ~0o077)


def lock(path: Path) -> filelock.FileLock:
    """Lock a database file until `release()`.

    Raises `NotNow` if another process holds the lock, or if what is wrong can pass, otherwise `SettingsError`: one
    sentence that says who holds it, or why it can't be taken.
    """
    held, name = _lock(path, _sign)
    if not name.parent.is_dir():  # `filelock` would make it
        raise SettingsError(f"There is no folder {name.parent}; make it first.")
    try:
        held.acquire()
    except filelock.Timeout:
        raise NotNow(
            f"The database file {path} is in use by {_holder(name)}; stop it first, or use another file."
        ) from None
    except OSError as error:
        kind = NotNow if passes(error) else SettingsError
        raise kind(f"The lock file {name} can't be used: {error.strerror or error}.") from None
    return held


def holder(path: Path) -> str | None:
    """Who has locked a database file; None: no one. Raises `OSError` if that can't be found out."""
    held, name = _lock(path, None)
    if not name.exists():
        return None
    try:
        with held:
            return None
    except filelock.Timeout:
        return _holder(name)


def _lock(path: Path, signing: Callable[[int], None] | None) -> tuple[filelock.FileLock, Path]:
    name = path.resolve()  # the same lock, whichever link or relative path the file is opened by
    name = name.with_name(name.name + ".lock")
    held = filelock.FileLock(
        name,
        timeout=0,
        mode=0o600,
        thread_local=False,
        fallback_to_soft=False,  # a file that merely exists would outlive kill -9
        on_acquired=signing,
    )
    return held, name


def _sign(file: int) -> None:
    """Write who holds the lock, after the first byte of the lock file: Windows lets no one else read that byte."""
    since = datetime.now().strftime("%Y-%m-%d %H:%M")
    os.ftruncate(file, 0)
    os.lseek(file, 1, os.SEEK_SET)
    os.write(file, f"process {os.getpid()} on host {socket.gethostname()} since {since}".encode())


def _holder(name: Path) -> str:
    try:
        with name.open("rb", buffering=0) as file:
            file.seek(1)
            return file.read(300).decode(errors="replace") or "another process"
    except OSError:
        return "another process"


# --- a connection

T = TypeVar("T")


class Connection:
    """A connection to a SQLite file. All access is serial, so no one ever sees another's open transaction."""

    def __init__(self, path: Path) -> None:
        """Prepare the connection without opening it. From now on, failures are among `file.ERRORS`."""
        self._connection = aiosqlite.connect(path, isolation_level=None)
        self._durable: bool | None = None
        self._closing = False

    async def open(self) -> None:
        """Open the file."""
        await self._connection
        self._connection.row_factory = sqlite3.Row
        self._connection.text_factory = text_of

    async def close(self) -> None:
        """Close the connection after what was asked before; what isn't committed is rolled back."""
        self._closing = True  # the driver would still take a statement that comes while it closes, and fail in it
        await self._connection.close()

    async def ask(self, sql: str, *values: Any) -> list[StoredRow]:
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

    async def run(self, *statements: Statement) -> list[list[StoredRow]]:
        """Run statements in order; return the rows of each."""
        return await self._in_thread(lambda: [self._fetch(sql, values) for sql, values in statements])

    # --- in the thread

    async def _in_thread(self, do: Callable[..., T], *values: Any) -> T:
        if self._closing:  # nothing was done; Harbormaster is stopping
            raise Unavailable("it is closed")
        # aiosqlite has no public way to run several statements there; the event loop would have to wait for each.
        result: T = await self._connection._execute(do, *values)  # type: ignore[no-untyped-call]
        return result

    def _fetch(self, sql: str, values: tuple[Any, ...] = ()) -> list[StoredRow]:
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

    async def _now(self, *statements: Statement) -> list[list[StoredRow]]:
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
