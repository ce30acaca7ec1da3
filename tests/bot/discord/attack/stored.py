"""What is stored, seen from outside of the process, and what the log must not have."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Rows = Mapping[str, frozenset[tuple[Any, ...]]]
PASSING = {"runs", "reach", "processes", "shards", "identifies", "jobs"}
"""The store's tables that are about processes, when they ran, and what they do as time passes."""

COLUMNS = {
    "overviews": "run, guild, channel",
    "people": """run, "user", dms, dms_closed, standing, json_remove(choices, '$.direct')""",
}
"""The columns that don't change by themselves, where others do: a server's list is kept up to date as time passes, and
who has asked for direct messages can wait for the first one."""


class Stored:
    """A reader of the file."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        names = self._connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        self._tables = sorted(name for (name,) in names if name not in PASSING and not name.startswith("sqlite"))
        self.version = -1
        """Grows whenever something is written."""
        self._rows: dict[str, frozenset[tuple[Any, ...]]] = dict.fromkeys(self._tables, frozenset())
        self.changed()

    def changed(self) -> Rows:
        """Rows that are new since the last look, or were there before, by the store's table."""
        [version] = self._connection.execute("PRAGMA data_version").fetchone()
        if version == self.version:
            return {}
        self.version, before = version, self._rows
        self._rows = {name: self._all(name) for name in self._tables}
        return {name: rows ^ before[name] for name, rows in self._rows.items() if rows != before[name]}

    def _all(self, name: str) -> frozenset[tuple[Any, ...]]:
        return frozenset(self._connection.execute(f"SELECT {COLUMNS.get(name, '*')} FROM {name}"))

    def secrets(self) -> list[str]:
        """The seeds of games that aren't over, as they could be written. Each process of a hall makes the same ones."""
        seeds: dict[bool, set[str]] = {True: set(), False: set()}
        for seed, status in self._connection.execute("SELECT seed, status FROM games"):
            seeds[status in ("lobby", "running", "archived")].add(bytes(seed).hex())
        return sorted(seeds[True] - seeds[False])

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


class Faults(logging.Handler):
    """Errors and tracebacks in the log since the last look."""

    def __init__(self) -> None:
        super().__init__()
        self._found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR or record.exc_info:
            self._found.append(f"{record.levelname} {self.format(record)[-1500:]}")

    def taken(self) -> list[str]:
        """What has been found; it is then forgotten."""
        found, self._found = self._found, []
        return found
