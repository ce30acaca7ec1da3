"""What can be wrong with the file, how it is recognized, and what the host is told about it."""

from __future__ import annotations

import errno
import re
import sqlite3
from pathlib import Path

ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""Errors that `sqlite3` raises; the latter in place of a message that quotes a damaged schema."""

_PASSING = (
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL),
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM),
)
_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_TOOBIG)


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


def text_of(data: bytes) -> str:
    """A stored text. Text that isn't UTF-8 is read, too, and then has a wrong checksum. An error raised here, in the
    middle of a row, would leave a statement open, which keeps the log from being folded.
    """
    return data.decode(errors="replace")
