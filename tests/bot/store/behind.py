"""Read and change a database directly, behind the program's back."""

from __future__ import annotations

import json
from math import inf
from typing import Any

from bot.store import Store
from bot.store.sql.database import Execute
from bot.store.sql.tables import StoredRow
from bot.store.sqlite.store import SqliteStore


async def ask(store: Store, sql: str, *values: Any) -> list[StoredRow]:
    """The rows of a statement's result; a change is committed."""

    async def body(run: Execute) -> list[StoredRow]:
        [rows] = await run((sql, values))
        return rows

    return await store.transaction(body)


async def hasten(store: Store, seconds: float) -> None:
    """Let running games have waited that many seconds longer, and move jobs and outages that much earlier."""
    for row in await ask(store, "SELECT number, waits FROM games WHERE status = 'running'"):
        waits = [{**wait, "since": wait["since"] - seconds} for wait in json.loads(row["waits"])]
        update = "UPDATE games SET waits = ?, changes = changes + 1, version = version + 1, checksum = NULL"
        await ask(store, f"{update} WHERE number = ?", json.dumps(waits), row["number"])
    await ask(store, "UPDATE jobs SET at = at - ?", seconds)
    await ask(store, "UPDATE reach SET at = at - ? WHERE kind <> 'shard'", seconds)


def tidy_only_when_asked(store: Store) -> None:
    """Keep upkeep from beginning by itself, which SQLite's does as soon as nothing has been written for a while."""
    if isinstance(store, SqliteStore):
        store._database._tidy_due = inf


async def tidy(store: Store) -> None:
    """Do all the upkeep that can wait: delete old interactions, and pack games that are over."""
    while await store._database.tidy():
        pass
