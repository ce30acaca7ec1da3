"""The store: all games, kept in one place. `Store` says what it promises, whichever database keeps it."""

from __future__ import annotations

from pathlib import Path

from bot.settings import StoreAddress
from bot.store.base import CLOCK_WAS_SET, Change, Conflict, Damaged, MustEnd, Newer, NothingYet, Shards, Unavailable
from bot.store.sql.due import ProjectionStore
from bot.store.sql.store import Store

__all__ = [
    "CLOCK_WAS_SET",
    "Change",
    "Conflict",
    "Damaged",
    "MustEnd",
    "Newer",
    "NothingYet",
    "ProjectionStore",
    "Shards",
    "Store",
    "Unavailable",
    "open_store",
]


async def open_store(
    database: StoreAddress,
    *,
    namespace: str = "discord",
    exclusive: bool = False,
    patient: bool = False,
    litestream: bool = False,
    days: int = 0,
    make: bool = True,
    update: bool = True,
) -> Store:
    """Open the store in a file, or at an address that begins with postgresql://; raises `SettingsError`.

    `exclusive`: no one else can open the file like this until it is closed; a database on a server is always shared.
    `patient`: keep trying for a while to reach a server. `litestream`: leave folding a file's log to Litestream.
    `days`: games that are over, canceled or archived are deleted this many days after their last change; 0: never.
    `make`: whether an empty or missing place gets its tables; otherwise raises `NothingYet`, and `NotNow` where a
    process runs on tables of an earlier version. `update`: whether such tables are brought up to date if no process
    runs; a file's always are.
    """
    if isinstance(database, Path):
        from bot.store.sqlite.store import SqliteStore

        return await SqliteStore.open(
            database, namespace=namespace, exclusive=exclusive, litestream=litestream, days=days, make=make
        )
    from bot.store.postgresql.store import PostgresStore

    return await PostgresStore.open(database, namespace=namespace, patient=patient, days=days, make=make, update=update)
