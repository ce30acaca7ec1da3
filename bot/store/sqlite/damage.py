"""What can be wrong with the file, how it is recognised, and what host and players are told of it."""

from __future__ import annotations

import logging
import re
import sqlite3
import time
from pathlib import Path

from bot.store.base import Damaged

log = logging.getLogger(__name__)

TELL_AGAIN = 3600.0
"""Seconds after which the host is told of the same game's damage again."""

ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What `sqlite3` raises; the latter instead of a message that quotes a damaged schema."""

_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_TOOBIG)


class Unreadable(Exception):
    """What is stored can't be what was written; the text says why, without hands or seeds."""


class Damages:
    """Tells the host of damage, of the same game's once an hour."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._told: dict[int | None, float] = {}

    def found(self, number: int | None, reason: str) -> Damaged:
        """Log what was found in a game (None: it isn't known in which); what its players are told."""
        now = time.monotonic()
        if now - self._told.get(number, -TELL_AGAIN) >= TELL_AGAIN:
            self._told[number] = now
            where = "A game" if number is None else f"Game {number}"
            log.error(
                "%s can't go on: what %s holds of it is damaged (%s). Stop the bot, keep a copy of the file and restore"
                " a backup; docs/hosting.md says more.",
                *(where, self._path, reason),
            )
        return Damaged(number)


def advice(path: Path, reason: str) -> str:
    """What the host is told when the file as a whole is damaged."""
    return (
        f"The database file {path} can't be used, because it is damaged ({reason}). Keep a copy of it, then restore a "
        f'backup, or save what can still be read: sqlite3 {path} ".recover" | sqlite3 new.db'
    )


def damage_in(error: Exception) -> str | None:
    """Why an error of `ERRORS` means a damaged file; None: it doesn't, as a lock, a full disk and a failing one."""
    if isinstance(error, UnicodeDecodeError):
        return "malformed database schema"
    text = str(error)
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and code & 0xFF in _CODES:
        return text
    # The program's own statements fit what the migrations made, unless that was damaged.
    return text if re.search(r"no such (table|column)|no column named", text) else None
