"""A disk with one SQLite file: it can be slow, full or failing, and what was not synced can be lost at a power cut."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from simloom._context import current_host

SECTOR = 512
"""Bytes that a disk writes as a whole or not at all."""
HEADER = 32
"""Bytes before the frames of SQLite's log."""
WRITES = ("INSERT", "UPDATE", "DELETE", "COMMIT", "CREATE", "ALTER", "DROP")


def failure(code: int, text: str) -> sqlite3.OperationalError:
    """An error as SQLite raises it."""
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error


class Disk:
    """The disk of one machine."""

    def __init__(self, path: Path, rng: random.Random) -> None:
        self.path = path
        self.rng = rng
        self.full = False
        self.failing = False
        self.delay = (0.0002, 0.004)
        """Seconds that a transaction takes, at least and at most."""
        self.told: Callable[[bool], None] = lambda durable: None
        """Called after each commit, with whether it was synced."""
        self.lost: Callable[[], None] = lambda: None
        """Called when what was committed is perhaps lost."""
        self._synced: dict[str, bytes] = {}
        self._open = list[Sql]()

    def files(self) -> list[Path]:
        """The file and its log."""
        return [self.path, self.path.with_name(self.path.name + "-wal")]

    def sync(self) -> None:
        """All that was written is now safe from power cuts."""
        self._synced = self._content()

    def sync_log(self) -> None:
        """The log is now safe from power cuts."""
        log = self.files()[1]
        self._synced[log.name] = log.read_bytes() if log.exists() else b""

    def sync_header(self) -> None:
        """A log that begins again has a new header, which SQLite always syncs before it writes more."""
        log = self.files()[1]
        if not log.exists():
            return
        with log.open("rb") as file:
            header = file.read(HEADER)
        synced = self._synced.get(log.name, b"")
        if synced[:HEADER] != header:
            self._synced[log.name] = header + synced[HEADER:]

    def _content(self) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in self.files() if file.exists()}

    def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Rows at this moment, without the process."""
        with contextlib.closing(sqlite3.connect(self.path)) as looking:
            rows = looking.execute(sql, values).fetchall()
        if not self._open:
            self.sync()  # SQLite has moved the log into the file
        return rows

    def crash(self, *, power: bool) -> None:
        """Let go of the file as a killed process does. `power`: each sector that was not synced is perhaps lost."""
        written = self._content()
        left = {
            name: self._torn(self._synced.get(name, b""), data) if power else data for name, data in written.items()
        }
        for connection in self._open:
            connection.drop()
        self._open.clear()
        for file in (*self.files(), self.path.with_name(self.path.name + "-shm")):
            file.unlink(missing_ok=True)
        for name, data in left.items():
            if data or name == self.path.name:
                self.path.with_name(name).write_bytes(data)
        if power:
            self._synced = left
            self.lost()

    def _torn(self, synced: bytes, written: bytes) -> bytes:
        """What is left of a file: of each sector that was not synced, the old or the new content."""
        if synced == written:
            return written
        length = self.rng.choice((len(synced), len(written))) if len(written) >= len(synced) else len(written)
        left = bytearray()
        for at in range(0, length, SECTOR):
            old, new = synced[at : at + SECTOR], written[at : at + SECTOR]
            kept = new if old == new or self.rng.random() < 0.5 else old.ljust(len(new), b"\0")
            left += kept[: min(SECTOR, length - at)]
        return bytes(left)


class Sql:
    """Stands in for aiosqlite's connection and its thread: what is asked is done in order, some time later."""

    disks: ClassVar[dict[str, Disk]] = {}
    """The disks by the path of their file."""

    def __init__(self, path: Path, **how: Any) -> None:
        self._path, self._how = path, how
        self._disk = self.disks.get(str(path)) if current_host.get() else None  # people's looks cost no time
        self._sql: sqlite3.Connection | None = None
        self._free = 0.0
        self._durable = True

    def __await__(self) -> Any:
        return self._opened().__await__()

    async def _opened(self) -> Sql:
        def connect() -> None:
            self._sql = sqlite3.connect(self._path, check_same_thread=False, **self._how)
            if self._disk is not None:
                self._disk._open.append(self)

        await self._execute(connect)
        return self

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._sql is None:
            raise ValueError("no active connection")
        return self._sql

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._connection.in_transaction

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("row_factory", "text_factory"):
            setattr(self._connection, name, value)
        else:
            object.__setattr__(self, name, value)

    def _execute(self, do: Callable[..., Any], *values: Any) -> asyncio.Future[Any]:
        """Do it in order, whether or not the caller waits for it."""
        loop = asyncio.get_running_loop()
        result = loop.create_future()
        if (disk := self._disk) is None:
            _settle(result, *_done(do, values))
            return result
        begin, end = disk.rng.uniform(*disk.delay), disk.rng.uniform(*disk.delay)
        self._free = max(self._free, loop.time()) + begin
        loop.call_at(self._free, self._do, result, end, do, values)
        return result

    def _do(self, result: asyncio.Future[Any], end: float, do: Callable[..., Any], values: tuple[Any, ...]) -> None:
        asyncio.get_running_loop().call_later(end, _settle, result, *_done(do, values))

    def _execute_fetchall(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        disk, words = self._disk, _verb(sql)
        if disk is not None and words in WRITES:
            if disk.full:
                raise failure(sqlite3.SQLITE_FULL, "database or disk is full")
            if disk.failing and disk.rng.random() < 0.5:
                raise failure(sqlite3.SQLITE_IOERR, "disk I/O error")
        rows = self._connection.execute(sql, values).fetchall()
        if sql.startswith("PRAGMA synchronous"):
            self._durable = sql.endswith("FULL")
        elif disk is not None and words == "COMMIT":
            if self._durable:
                disk.sync_log()
            else:
                disk.sync_header()
            disk.told(self._durable)
        elif disk is not None and sql.startswith("PRAGMA wal_checkpoint"):
            disk.sync()
        return rows

    async def executescript(self, script: str) -> None:
        """Run statements that commit by themselves."""

        def run() -> None:
            self._connection.executescript(script)
            if self._disk is not None:
                self._disk.sync()
                self._disk.told(True)

        await self._execute(run)

    async def close(self) -> None:
        """Close after what was asked before."""
        if self._sql is not None:
            await self._execute(self.drop)

    def drop(self) -> None:
        """Close at once."""
        if self._sql is not None:
            self._sql.close()
            object.__setattr__(self, "_sql", None)
            if self._disk is not None and self in self._disk._open:
                self._disk._open.remove(self)
            elif (disk := self.disks.get(str(self._path))) is not None and not disk._open:
                disk.sync()  # someone has looked while no process ran: SQLite has moved the log into the file


@functools.lru_cache(1000)
def _verb(sql: str) -> str:
    return sql.lstrip().split(None, 1)[0].upper()


def _done(do: Callable[..., Any], values: tuple[Any, ...]) -> tuple[Any, Exception | None]:
    try:
        return do(*values), None
    except Exception as raised:
        return None, raised


def _settle(result: asyncio.Future[Any], value: Any, error: Exception | None) -> None:
    if result.done():
        return
    if error is not None:
        result.set_exception(error)
    else:
        result.set_result(value)
