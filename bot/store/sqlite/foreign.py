"""Recognizes what isn't Harbormaster's file, before anything in it is changed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.settings import SettingsError
from bot.store.errors import NothingYet
from bot.store.sql.tables import KEYS
from bot.store.sqlite.damage import ERRORS
from bot.store.sqlite.migrations import NUMBER


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
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro{alone}", uri=True)) as sql:
            [(number,)] = sql.execute(NUMBER).fetchall()
            names = sql.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            return number, {name for (name,) in names}
    except ERRORS:
        return -1, set()
