"""Ways to damage a file, and the sentence that players get."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

SENTENCE = "Game 1 is unavailable: its data can't be read. The bot's host has been told. Nothing was changed."


def change(path: Path, sql: str, *values: Any) -> None:
    """Change one row of a file behind the program's back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert connection.execute(sql, values).rowcount == 1
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def zero_page_of(path: Path, table: str) -> None:
    """Overwrite a table's root page with zeros."""
    with closing(sqlite3.connect(path)) as connection:
        [(page,)] = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchall()
        [(size,)] = connection.execute("PRAGMA page_size").fetchall()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(bytes(size))
