"""All games in one SQLite file."""

from __future__ import annotations

from pathlib import Path

from bot.store.sql.store import SqlStore
from bot.store.sqlite.database import IDLE, LONGEST, Database


class SqliteStore(SqlStore):
    """One SQLite file. `Store` says what each method promises."""

    shared = False
    _database: Database

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        namespace: str = "discord",
        exclusive: bool = False,
        idle: float = IDLE,
        longest: float = LONGEST,
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
        return cls(database, namespace, days)
