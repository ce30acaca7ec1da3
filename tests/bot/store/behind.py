"""What tests ask a database, and change in it, behind the program's back."""

from __future__ import annotations

import json
from typing import Any

from bot.store import Store
from bot.store.sql.database import Execute
from bot.store.sql.store import SqlStore
from bot.store.sql.values import Row


async def ask(store: Store, sql: str, *values: Any) -> list[Row]:
    """What a statement finds; a change is committed."""
    assert isinstance(store, SqlStore)

    async def body(run: Execute) -> list[Row]:
        [found] = await run((sql, values))
        return found

    return await store.transaction(body)


async def hasten(store: Store, seconds: float) -> None:
    """All that games wait for began so many seconds earlier, and what was to be done or couldn't be seen is as much
    earlier."""
    for row in await ask(store, "SELECT number, waits FROM games WHERE status = 'running'"):
        waits = [{**wait, "since": wait["since"] - seconds} for wait in json.loads(row["waits"])]
        update = "UPDATE games SET waits = ?, changes = changes + 1, version = version + 1 WHERE number = ?"
        await ask(store, update, json.dumps(waits), row["number"])
    await ask(store, "UPDATE jobs SET at = at - ?", seconds)
    await ask(store, "UPDATE reach SET at = at - ? WHERE kind <> 'shard'", seconds)


async def tidy(store: Store) -> None:
    """All that has time is done: old interactions go, and games that are over are packed."""
    assert isinstance(store, SqlStore)
    while await store._database.tidy():
        pass
