"""One process per database file: a lock file next to it, which the operating system releases when its holder dies."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import filelock

from bot.settings import NotNow, SettingsError
from bot.store.sqlite.damage import passes


def take(path: Path) -> filelock.FileLock:
    """Lock a database file until `release()`.

    Raises `NotNow` if another process holds the lock, or if what is wrong can pass, otherwise `SettingsError`: one
    sentence that says who holds it, or why it can't be taken.
    """
    lock, name = _lock(path, _sign)
    if not name.parent.is_dir():  # `filelock` would make it
        raise SettingsError(f"There is no folder {name.parent}; make it first.")
    try:
        lock.acquire()
    except filelock.Timeout:
        raise NotNow(
            f"The database file {path} is in use by {_holder(name)}; stop it first, or use another file."
        ) from None
    except OSError as error:
        kind = NotNow if passes(error) else SettingsError
        raise kind(f"The lock file {name} can't be used: {error.strerror or error}.") from None
    return lock


def holder(path: Path) -> str | None:
    """Who has locked a database file; None: no one. Raises `OSError` if that can't be found out."""
    lock, name = _lock(path, None)
    if not name.exists():
        return None
    try:
        with lock:
            return None
    except filelock.Timeout:
        return _holder(name)


def _lock(path: Path, signing: Callable[[int], None] | None) -> tuple[filelock.FileLock, Path]:
    name = path.resolve()  # the same lock, whichever link or relative path the file is opened by
    name = name.with_name(name.name + ".lock")
    lock = filelock.FileLock(
        name,
        timeout=0,
        mode=0o600,
        thread_local=False,
        fallback_to_soft=False,  # a file that merely exists would outlive kill -9
        on_acquired=signing,
    )
    return lock, name


def _sign(file: int) -> None:
    """Write who holds the lock, after the first byte of the lock file: Windows lets no one else read that byte."""
    since = datetime.now().strftime("%Y-%m-%d %H:%M")
    os.ftruncate(file, 0)
    os.lseek(file, 1, os.SEEK_SET)
    os.write(file, f"process {os.getpid()} on host {socket.gethostname()} since {since}".encode())


def _holder(name: Path) -> str:
    try:
        with name.open("rb", buffering=0) as file:
            file.seek(1)
            return file.read(300).decode(errors="replace") or "another process"
    except OSError:
        return "another process"
