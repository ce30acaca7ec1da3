"""A note next to a file: the latest change that was stored in it. A file that lacks this change is an older copy, which
the host has put in its place."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from bot.table.table import Table
from bot.tasks import in_own_context

SOON = 1.0
"""Seconds after a change until it is noted."""


def latest(path: Path) -> tuple[int, int] | None:
    """Number of the game that was changed last, and its number of changes; None: that isn't known."""
    try:
        number, changes = _note(path).read_text("ascii").split()
        return int(number), int(changes)
    except (OSError, ValueError):
        return None


def forget(path: Path) -> None:
    """Remove the note about a file that was replaced."""
    with contextlib.suppress(OSError):
        _note(path).unlink(missing_ok=True)


def _note(path: Path) -> Path:
    path = path.resolve()
    return path.with_name(path.name + ".latest")


class Trail:
    """Keeps the note up to date. Does nothing if it can't be written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._text = ""
        self._timer: asyncio.TimerHandle | None = None

    def changed(self, table: Table) -> None:
        """Note that a change of a table was stored, which counts `table.changes` as they were before."""
        self._text = f"{table.number} {table.changes + 1}\n"
        if self._timer is None:
            self._timer = in_own_context(asyncio.get_running_loop().call_later, SOON, self.write)

    def write(self) -> None:
        """Write what is to be noted."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            with contextlib.suppress(OSError):
                _note(self._path).write_text(self._text, "ascii")
