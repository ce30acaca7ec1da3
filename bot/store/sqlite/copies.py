"""Copies of a file: a backup while Harbormaster runs, one that replaces the file, and backups with dated names."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from bot.settings import SettingsError
from bot.store.sql.tables import SKIPPED_NUMBERS, repost_statements
from bot.store.sqlite.check import Findings, check
from bot.store.sqlite.file import ERRORS, advice, damage_in, lock, refuse_foreign, scripts
from bot.store.sqlite.store import COUNT_ON, LATEST_NUMBER, forget_latest_change, latest_change

DATE_FORM = "%Y-%m-%dT%H%M%SZ"
"""A moment in a name or a note."""
ABANDONED_AFTER = 86_400.0
"""Seconds after which an unfinished copy counts as abandoned."""


def back_up(source: Path, target: Path) -> Findings:
    """Write a consistent copy of a file, even while games go on in it. Returns what is wrong with games in the copy.

    An incomplete copy never has the target's name. Raises `SettingsError`, one sentence, if the target exists, if the
    file is damaged as a whole, isn't Harbormaster's or belongs to a newer version, or if something can't be read or
    written.
    """
    _refuse_existing(target)
    partial, findings = _copy(source, target)
    with _sentences(target, target, partial):
        _refuse_existing(target)  # another backup may have been faster
        partial.replace(target)
        _sync(target.parent)
    return findings


def restore(source: Path, path: Path) -> tuple[Findings, Path | None]:
    """Replace a file with a copy of a backup. Returns what is wrong with games in it, and where the old file is now.

    The source stays as it is. The old file is moved aside, never overwritten. Raises `SettingsError` as `back_up` does,
    and also if Harbormaster runs on the file.
    """
    path = path.resolve()
    if not source.is_file():
        raise SettingsError(f"There is no file {source}.")
    if source.resolve() == path:
        raise SettingsError(f"{source} is the database file itself; name a backup of it.")
    refuse_foreign(path)
    with _locked(path):
        partial, findings = _copy(source, path)
        with _sentences(path, path, partial):
            _show_anew(partial, findings.step, latest_change(path))
            aside = _move_aside(path) if path.exists() else None
            partial.replace(path)
            forget_latest_change(path)
            _sync(path.parent)
    return findings, aside


def _show_anew(path: Path, step: int, noted: tuple[int, int] | None) -> None:
    """Have all open games shown in new messages: the backup doesn't have what was posted after it. A backup by an
    earlier version is brought up to date first; `step` is its latest migration. `noted`: the latest change of the file
    that is replaced."""
    with closing(sqlite3.connect(path)) as sql, sql:
        for script in [script for number, script in scripts().items() if number > step]:
            sql.executescript(script)
        for statement, values in repost_statements(time.time()):
            sql.execute(statement, values)
        [(latest,)] = sql.execute(LATEST_NUMBER)
        sql.execute(COUNT_ON, (max(latest, noted[0] if noted else 0) + SKIPPED_NUMBERS,))


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Yield the path at which to write a new file. It gets its name when this ends; if anything fails, nothing is left.

    If the file exists already, its own path is given. Raises `SettingsError` if Harbormaster, or another call of this,
    uses the path.
    """
    if path.exists():
        refuse_foreign(path)
        yield path
        forget_latest_change(path)
        return
    partial = path.with_name(path.name + ".partial")
    with _locked(path):
        try:
            _remove(partial)
            yield partial
            with _sentences(path, path, partial):
                with closing(sqlite3.connect(partial)) as sql:
                    sql.execute("PRAGMA journal_mode = DELETE")  # one file, without companions
                _refuse_existing(path)
                partial.replace(path)
                forget_latest_change(path)
                _sync(path.parent)
        finally:
            _remove(partial)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep others from using a file that is about to be written. If there is none in the end, no lock file is left."""
    mine = lock(path)
    try:
        yield
    finally:
        if not path.exists():
            with contextlib.suppress(OSError):  # Windows, while it is locked
                Path(mine.lock_file).unlink()
        mine.release()


def _remove(path: Path) -> None:
    """Remove an unused file, with its companions."""
    for suffix in ("", "-wal", "-shm", ".lock"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def _refuse_existing(target: Path) -> None:
    if os.path.lexists(target):
        raise SettingsError(f"{target} exists already, and nothing is overwritten; choose another name.")


def _copy(source: Path, target: Path) -> tuple[Path, Findings]:
    """Make a complete and sound copy next to the target, readable only by its owner. Returns its path, and what is
    wrong with games in it."""
    refuse_foreign(source)
    partial = target.with_name(target.name + ".partial")
    with _sentences(source, target, partial):
        partial.unlink(missing_ok=True)
        partial.touch(mode=0o600)
        # A separate connection: a reader of the WAL sees one state and holds no one up.
        address = f"{source.resolve().as_uri()}?mode=rw"
        with closing(sqlite3.connect(address, uri=True)) as old, closing(sqlite3.connect(partial)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")  # one file, without companions
        findings = check(partial, threading.Event())
        if findings.step > max(scripts()):
            raise SettingsError(f"{source} belongs to a newer version of Harbormaster.")
        if findings.whole:
            raise SettingsError(advice(source, findings.whole))
        if findings.step == 0:
            raise SettingsError(f"{source} is empty, so there is nothing to copy.")
    return partial, findings


@contextlib.contextmanager
def _sentences(source: Path, target: Path, partial: Path) -> Iterator[None]:
    """Turn what fails while a file is read or written into `SettingsError`, and leave no incomplete copy."""
    try:
        yield
    except BaseException as error:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise SettingsError(f"{target} can't be written: {error.strerror or error}.") from None
        if not isinstance(error, ERRORS):
            raise
        if damage := damage_in(error):
            raise SettingsError(advice(source, damage)) from None
        raise SettingsError(f"{source} can't be copied: {error}.") from None


def _move_aside(path: Path) -> Path:
    """Rename the file and its log, unopened, since what is damaged can be worth a look. Returns the new name."""
    aside = next(name for n in count(1) if not os.path.lexists(name := path.with_stem(f"{path.stem}.before-{n}")))
    for suffix in ("-wal", ""):
        if (old := Path(f"{path}{suffix}")).exists():
            try:
                Path(f"{aside}{suffix}").hardlink_to(old)  # never without a file, or Harbormaster makes a new one
            except OSError:
                old.rename(f"{aside}{suffix}")  # on a file system without links
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)  # they must be gone before another file has this name
    return aside


def _sync(folder: Path) -> None:
    """Make a new name outlive a power cut, where the operating system can do that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def dated_target(folder: Path, path: Path) -> Path:
    """The path of a new backup of a file; raises `SettingsError` if there is no such folder."""
    if not folder.is_dir():
        raise SettingsError(f"There is no folder {folder}; make it first, where the backups are to be kept.")
    return folder / f"{path.stem}-{datetime.now(UTC):{DATE_FORM}}.db"


def remove_old(new: Path, path: Path, keep: int) -> list[Path]:
    """Remove the oldest backups of a file next to a new one, until `keep` are left, and abandoned copies. Returns the
    backups that were removed.

    Files with names that `dated_target` doesn't give stay. Raises `SettingsError`.
    """
    name = re.compile(re.escape(path.stem) + r"-\d{4}-\d\d-\d\dT\d{6}Z\.db(\.partial)?")
    try:
        files = [file for file in new.parent.iterdir() if name.fullmatch(file.name) and file.is_file() and file != new]
        whole = sorted(file for file in files if file.suffix == ".db")
        abandoned = [
            file for file in files if file not in whole and time.time() - file.stat().st_mtime > ABANDONED_AFTER
        ]
        old = whole[: max(len(whole) - keep + 1, 0)]
        for file in old + abandoned:
            file.unlink()
    except OSError as error:
        raise SettingsError(f"{new} is written, but an older one can't be removed: {error.strerror}.") from None
    return old


def note_backup(path: Path, backup: Path) -> None:
    """Note, in a file next to a database file, that it has a new backup. Does nothing if that can't be written."""
    note = _latest_backup_file(path)
    new = note.with_name(f"{note.name}.new")
    with contextlib.suppress(OSError):
        new.write_text(f"{datetime.now(UTC):{DATE_FORM}} {backup.resolve()}\n", "utf-8")
        new.replace(note)  # which can be another user's


def latest_backup(path: Path) -> tuple[float, str] | None:
    """When the last backup of a file was written, in seconds since the epoch, and its path; None: none is known."""
    try:
        when, _, where = _latest_backup_file(path).read_text("utf-8").strip().partition(" ")
        return datetime.strptime(when, DATE_FORM).replace(tzinfo=UTC).timestamp(), where
    except (OSError, ValueError):
        return None


def _latest_backup_file(path: Path) -> Path:
    path = path.resolve()
    return path.with_name(f"{path.name}.last-backup")
