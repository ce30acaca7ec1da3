"""Backups with dated names in a folder: their names, removing the oldest, and when the last one was made."""

from __future__ import annotations

import contextlib
import re
import time
from datetime import UTC, datetime
from pathlib import Path

from bot.settings import SettingsError

FORM = "%Y-%m-%dT%H%M%SZ"
ABANDONED = 86_400.0
"""Seconds after which an unfinished copy counts as abandoned."""


def dated(folder: Path, path: Path) -> Path:
    """The path of a new backup of a file; raises `SettingsError` if there is no such folder."""
    if not folder.is_dir():
        raise SettingsError(f"There is no folder {folder}; make it first, where the backups are to be kept.")
    return folder / f"{path.stem}-{datetime.now(UTC):{FORM}}.db"


def remove_old(new: Path, path: Path, keep: int) -> list[Path]:
    """Remove the oldest backups of a file next to a new one, until `keep` are left, and abandoned copies. Returns the
    backups that were removed.

    Files with names that `dated` doesn't give stay. Raises `SettingsError`.
    """
    name = re.compile(re.escape(path.stem) + r"-\d{4}-\d\d-\d\dT\d{6}Z\.db(\.partial)?")
    try:
        files = [file for file in new.parent.iterdir() if name.fullmatch(file.name) and file.is_file() and file != new]
        whole = sorted(file for file in files if file.suffix == ".db")
        abandoned = [file for file in files if file not in whole and time.time() - file.stat().st_mtime > ABANDONED]
        old = whole[: max(len(whole) - keep + 1, 0)]
        for file in old + abandoned:
            file.unlink()
    except OSError as error:
        raise SettingsError(f"{new} is written, but an older one can't be removed: {error.strerror}.") from None
    return old


def note(path: Path, backup: Path) -> None:
    """Note, in a file next to a database file, that it has a new backup. Does nothing if that can't be written."""
    with contextlib.suppress(OSError):
        _note(path).write_text(f"{datetime.now(UTC):{FORM}} {backup.resolve()}\n", "utf-8")


def latest(path: Path) -> tuple[float, str] | None:
    """When the last backup of a file was written, in seconds since the epoch, and its path; None: none is known."""
    try:
        when, _, where = _note(path).read_text("utf-8").strip().partition(" ")
        return datetime.strptime(when, FORM).replace(tzinfo=UTC).timestamp(), where
    except (OSError, ValueError):
        return None


def _note(path: Path) -> Path:
    path = path.resolve()
    return path.with_name(f"{path.name}.last-backup")
