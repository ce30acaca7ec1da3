"""Checks a file at the start: is it sound, and is every game in it what was written?"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Set
from concurrent.futures import BrokenExecutor, Executor
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from bot.settings import SettingsError
from bot.store.sql.database import Unreadable
from bot.store.sql.rows import OLD_TABLES, TABLES, records_in, seed_in, table_in
from bot.store.sql.tables import optional
from bot.store.sql.upkeep import HISTORY, check_history
from bot.store.sqlite.file import ERRORS, STEP, damage_in, scripts, text_of
from bot.tasks import in_own_context, kill, processes

log = logging.getLogger(__name__)


SMALL_FILE = 8 << 20
"""Bytes: a thread has checked a file of at most this size sooner than a process starts."""


@dataclass
class Findings:
    """What a check of a file has found."""

    whole: str = ""
    """Why the file as a whole is damaged; empty: it isn't."""
    games: dict[int, str] = field(default_factory=dict)
    """Why some games can't be read, by number."""
    step: int = 0
    """Number of the latest migration; 0: the file is new, or isn't Harbormaster's."""
    readable: int = 0
    """How many games can be read."""
    latest: float = 0.0
    """Time of the latest change of any of those, in seconds since the epoch."""


def check(path: Path, stop: threading.Event) -> Findings:
    """Look for damage on a separate, read-only connection, until `stop` is set.

    Raises `sqlite3.Error` if the file can't be checked, or the check was stopped.
    """
    findings = Findings()
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)) as sql:
        sql.row_factory, sql.text_factory = sqlite3.Row, text_of
        sql.set_progress_handler(stop.is_set, 10_000)
        try:
            [first, *_] = sql.execute("PRAGMA integrity_check(1)").fetchone()
            if first != "ok":
                findings.whole = first.splitlines()[-1]
                return findings
            findings.step = sql.execute(STEP).fetchone()[0]
            if findings.step > max(scripts()):
                return findings  # this version doesn't know what it should hold
            if missing := _columns_made_by(findings.step) - _columns(sql):
                findings.whole = "there is no column {}.{}".format(*min(missing))
            elif _columns(sql):
                for row in sql.execute("SELECT number FROM games ORDER BY number").fetchall():
                    _check_game(sql, row["number"], findings)
        except ERRORS as error:
            findings.whole = damage_in(error) or ""
            if not findings.whole:
                raise
    return findings


def examine(path: Path) -> Findings:
    """What `check` finds, for a host who asks; raises `SettingsError` if the file can't be checked."""
    try:
        return check(path, threading.Event())
    except ERRORS as error:
        raise SettingsError(f"The database file {path} can't be checked: {error}.") from None


def _columns(sql: sqlite3.Connection) -> set[tuple[str, str]]:
    """Names of all tables and columns."""
    query = (
        "SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c"
        " WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'"
    )
    return {(table, column) for table, column in sql.execute(query)}


@cache
def _columns_made_by(number: int) -> Set[tuple[str, str]]:
    """Names of all tables and columns that the migrations up to a number make."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as sql:
        for script in [script for n, script in scripts().items() if n <= number]:
            sql.executescript(script)
        return _columns(sql)


def _check_game(sql: sqlite3.Connection, number: int, findings: Findings) -> None:
    sql.execute("BEGIN")  # Harbormaster can write meanwhile: each game is read as of one moment
    try:
        query = TABLES if ("runs", "downtime") in _columns_made_by(findings.step) else OLD_TABLES
        rows = sql.execute(query.format("?"), (number,)).fetchall()
        table = table_in(rows)
        seed_in(number, rows[0])
        records = sql.execute("SELECT * FROM records WHERE game = ? ORDER BY number", (number,))
        packed = optional(rows[0], "packed")
        if packed is not None:
            check_history(number, sql.execute(HISTORY, (number,)).fetchone())
        records_in(number, records, packed or 0, optional(rows[0], "revision"))
        findings.readable, findings.latest = findings.readable + 1, max(findings.latest, table.updated)
    except Unreadable as error:
        findings.games[number] = str(error)
    except ERRORS as error:
        reason = damage_in(error)
        if reason is None:
            raise
        findings.games[number] = reason
    finally:
        sql.execute("COMMIT")


class Check:
    """The check of a file while others work on the file. A large file is checked in a separate process, since in a
    thread it would hold up every click for minutes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stop = threading.Event()
        self._executor = _process() if path.stat().st_size > SMALL_FILE else None
        self._task = in_own_context(asyncio.create_task, self._checked())

    async def findings(self, within: float, late: Callable[[Findings], None]) -> Findings | None:
        """What is found within some seconds; None: the check takes longer, and `late` is called with its findings."""
        done, _ = await asyncio.wait([self._task], timeout=within)
        if done:
            return self._result()
        self._task.add_done_callback(lambda _: late(self._result()))
        return None

    async def close(self) -> None:
        """Stop the check, and wait until it has stopped."""
        self._stop.set()
        if self._executor:
            kill(self._executor)
        await asyncio.wait([self._task])

    async def _checked(self) -> Findings:
        if self._executor is None:
            return await asyncio.to_thread(check, self._path, self._stop)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, _check_at_low_priority, self._path)
        finally:
            self._executor.shutdown(wait=False)

    def _result(self) -> Findings:
        try:
            return self._task.result()
        except (*ERRORS, OSError, BrokenExecutor) as error:
            if not self._stop.is_set():
                log.warning("%s could not be checked for damage: %s", self._path, error)
            return Findings()


def _process() -> Executor | None:
    """An executor with one process; None if no process can be started."""
    try:
        return processes(1)
    except (OSError, ImportError, NotImplementedError):
        return None


def _check_at_low_priority(path: Path) -> Findings:
    """Check a file in a separate process, which lets others go first where it is allowed to."""
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):  # systemd can forbid it
            os.nice(10)
    return check(path, threading.Event())
