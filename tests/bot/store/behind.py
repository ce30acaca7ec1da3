"""What tests ask a database, and change in it, behind the program's back."""

from __future__ import annotations

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


async def tidy(store: Store) -> None:
    """All that has time is done: old interactions go, and games that are over are packed."""
    assert isinstance(store, SqlStore)
    while await store._database.tidy():
        pass
