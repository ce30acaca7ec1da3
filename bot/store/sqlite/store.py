"""All games in one SQLite file, and a note next to it: the latest change that was stored in it. A file that lacks this
change is an older copy, which the host has put in its place."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from pathlib import Path

from bot.store.sql.store import Store
from bot.store.sql.tables import SKIPPED_NUMBERS, repost_statements
from bot.store.sqlite.database import FOLD_WHEN_IDLE, FOLD_WITHIN, Database
from bot.table.table import Table
from bot.tasks import in_own_context

log = logging.getLogger(__name__)

LATEST_NUMBER = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'games'"
COUNT_ON = "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'games'"
"""`Store` says what both do."""
NOTED_AFTER = 1.0
"""Seconds after a change until it is noted."""


def latest_change(path: Path) -> tuple[int, int] | None:
    """Number of the game that was changed last, and its number of changes (0: see `Trail.begin_at`); None: that isn't
    known."""
    try:
        number, changes = _latest_change_file(path).read_text("ascii").split()
        return int(number), int(changes)
    except (OSError, ValueError):
        return None


def forget_latest_change(path: Path) -> None:
    """Remove the note about a file that was replaced."""
    with contextlib.suppress(OSError):
        _latest_change_file(path).unlink(missing_ok=True)


def _latest_change_file(path: Path) -> Path:
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
        self._note(table.number, table.changes + 1)

    def begin_at(self, number: int) -> None:
        """Note, until the next change, that a file in which no game can have had this number yet is an older copy."""
        self._note(number, 0)

    def _note(self, number: int, changes: int) -> None:
        self._text = f"{number} {changes}\n"
        if self._timer is None:
            self._timer = in_own_context(asyncio.get_running_loop().call_later, NOTED_AFTER, self.write)

    def write(self) -> None:
        """Write what is to be noted."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            with contextlib.suppress(OSError):
                note = _latest_change_file(self._path)
                note.touch(mode=0o600)
                note.write_text(self._text, "ascii")


class SqliteStore(Store):
    """One SQLite file. `Store` says what each method promises."""

    shared = False
    latest_number = LATEST_NUMBER
    count_on = COUNT_ON
    _database: Database
    _trail: Trail | None = None
    _others: int = 0
    """What SQLite counts of other connections' changes."""

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        namespace: str = "discord",
        exclusive: bool = False,
        idle: float = FOLD_WHEN_IDLE,
        longest: float = FOLD_WITHIN,
        litestream: bool = False,
        days: int = 0,
        make: bool = True,
    ) -> SqliteStore:
        """Open or make the file and bring it up to date; raises `SettingsError`.

        `exclusive`: no one else can open the file like this until it is closed, and it is checked for damage. `idle`
        and `longest`: seconds until commits are folded into the file itself, see `Folding`. `litestream`: leave that to
        Litestream alone. `days` and `make` are as for
        `open_store`.
        """
        database = await Database.open(
            path, exclusive=exclusive, idle=idle, longest=longest, litestream=litestream, make=make
        )
        store = cls(database, namespace, days)
        await store.changed_elsewhere()
        if exclusive and make:
            await store._follow(path)
        return store

    async def _follow(self, path: Path) -> None:
        """From now on, note the latest change next to the file. If the file lacks the one that was noted before, have
        all open games shown in new messages."""
        self._trail = Trail(path)
        if (noted := latest_change(path)) is None:
            return
        number, changes = noted
        # 0 is a new file. A game with the noted number can be missing because upkeep has deleted it.
        query = f"SELECT ({LATEST_NUMBER}) AS latest, (SELECT changes FROM games WHERE number = ?) AS changes"
        [row] = await self._database.read(query, number)
        latest = row["latest"]
        if not latest or not (number > latest or (row["changes"] or changes) < changes):
            return
        log.warning("%s is older than what was last used here: all open games get new messages.", path)
        latest = max(latest, number) + SKIPPED_NUMBERS
        await self._database.write(lambda run: run(*repost_statements(time.time()), (COUNT_ON, (latest,))))
        self._trail.begin_at(latest)

    async def changed_elsewhere(self) -> bool:
        [row] = await self._database.read("PRAGMA data_version")
        before, self._others = self._others, row[0]
        return before != self._others

    def _stored(self, table: Table) -> None:
        if self._trail is not None:
            self._trail.changed(table)

    async def close(self) -> None:
        if self._trail is not None:
            self._trail.write()
        await super().close()
