"""Copies of a file: a backup beside a running bot, and a backup that takes the file's place."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

from bot.settings import SettingsError
from bot.store.sql.restored import SKIPPED, shown_anew
from bot.store.sqlite import lock
from bot.store.sqlite.check import Findings, check
from bot.store.sqlite.damage import ERRORS, advice, damage_in
from bot.store.sqlite.migrations import scripts


def back_up(source: Path, target: Path) -> Findings:
    """Write a consistent copy of a file, also while games go on in it; what is wrong with single games in the copy.

    A half copy never stands under the target's name. Raises `SettingsError` with one sentence: the target is there
    already, the file is damaged as a whole or isn't Harbormaster's, something can't be read or written.
    """
    _refuse_existing(target)
    partial, found = _copy(source, target)
    with _sentences(target, target, partial):
        _refuse_existing(target)  # somebody may have been faster
        partial.replace(target)
        _sync(target.parent)
    return found


def restore(source: Path, path: Path) -> tuple[Findings, Path | None]:
    """Put a copy of a backup in a file's place; what is wrong with single games in it, and where the old file is now.

    The source stays as it is, and the file that was there is moved aside, never overwritten. Raises `SettingsError`
    as `back_up` does, when a bot runs on the file, and when the source belongs to a newer version.
    """
    path = path.resolve()
    if not source.is_file():
        raise SettingsError(f"There is no file {source}.")
    if source.resolve() == path:
        raise SettingsError(f"{source} is the database file itself; name a backup of it.")
    mine = lock.take(path)
    try:
        partial, found = _copy(source, path)
        with _sentences(path, path, partial):
            _show_anew(partial)
            aside = _move_aside(path) if path.exists() else None
            partial.replace(path)
            _sync(path.parent)
    finally:
        mine.release()
    return found, aside


def _show_anew(path: Path) -> None:
    """What was posted after the backup was made is of a time that never was."""
    with closing(sqlite3.connect(path)) as sql, sql:
        for statement, values in shown_anew(time.time()):
            sql.execute(statement, values)
        sql.execute("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'games'", (SKIPPED,))


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Where to put what becomes a new file when this ends, whole; if anything fails, nothing is left there.

    A file that is there already is used itself. Raises `SettingsError` when a bot, or another such, uses the path.
    """
    if path.exists():
        yield path
        return
    partial, mine = path.with_name(path.name + ".partial"), lock.take(path)
    try:
        _remove(partial)
        yield partial
        with _sentences(path, path, partial):
            with closing(sqlite3.connect(partial)) as sql:
                sql.execute("PRAGMA journal_mode = DELETE")  # one file, without companions
            _refuse_existing(path)
            partial.replace(path)
            _sync(path.parent)
    finally:
        _remove(partial)
        if not path.exists():
            with contextlib.suppress(OSError):  # Windows, while it is locked
                Path(f"{path}.lock").unlink()
        mine.release()


def _remove(path: Path) -> None:
    """Remove a file that nobody uses, with its companions."""
    for suffix in ("", "-wal", "-shm", ".lock"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def _refuse_existing(target: Path) -> None:
    if os.path.lexists(target):
        raise SettingsError(f"{target} exists already, and a backup overwrites nothing; choose another name.")


def _copy(source: Path, target: Path) -> tuple[Path, Findings]:
    """A whole and sound copy beside the target, readable for its owner only."""
    partial = target.with_name(target.name + ".partial")
    with _sentences(source, target, partial):
        partial.unlink(missing_ok=True)
        partial.touch(mode=0o600)
        # A connection of its own: a reader of the WAL sees one state and holds nobody up.
        address = f"{source.resolve().as_uri()}?mode=rw"
        with closing(sqlite3.connect(address, uri=True)) as old, closing(sqlite3.connect(partial)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")  # one file, without companions
        found = check(partial, threading.Event())
        if found.step > max(scripts()):
            raise SettingsError(f"{source} belongs to a newer version of Harbormaster.")
        if found.whole:
            raise SettingsError(advice(source, found.whole))
        if found.step == 0:
            raise SettingsError(f"{source} isn't a database file of Harbormaster's.")
    return partial, found


@contextlib.contextmanager
def _sentences(source: Path, target: Path, partial: Path) -> Iterator[None]:
    """Whatever fails while a file is read or written becomes `SettingsError`, and leaves no half copy."""
    try:
        yield
    except BaseException as error:
        partial.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise SettingsError(f"{target} can't be written: {error.strerror or error}.") from None
        if not isinstance(error, ERRORS):
            raise
        if damage := damage_in(error):
            raise SettingsError(advice(source, damage)) from None
        raise SettingsError(f"{source} can't be copied: {error}.") from None


def _move_aside(path: Path) -> Path:
    """Give the file and its log another name, unopened, since what is damaged may be worth a look; the new name."""
    aside = next(name for n in count(1) if not os.path.lexists(name := path.with_stem(f"{path.stem}.before-{n}")))
    for suffix in ("-wal", ""):
        if (old := Path(f"{path}{suffix}")).exists():
            try:
                Path(f"{aside}{suffix}").hardlink_to(old)  # there is a file at every moment: else a bot makes a new one
            except OSError:
                old.rename(f"{aside}{suffix}")  # on a file system without links
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)  # they must be gone before another file has this name
    return aside


def _sync(folder: Path) -> None:
    """Have a new name outlive a power cut, where the operating system can do that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
