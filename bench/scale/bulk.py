"""Runs the store's own statements in bulk, so that making a template takes minutes and not hours."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import asyncpg

from bot.settings import StoreAddress
from bot.store import Store, open_store
from bot.store.postgresql.database import numbered
from bot.store.sql.database import Damages, Execute, Within
from bot.store.sql.tables import Statement, StoredRow

T = TypeVar("T")


class BulkStore(Store):
    """A store for adding a lot."""

    shared = False


class _Bulk(Within):
    """One transaction for everything; tasks take turns in it."""

    def __init__(self, run: Execute) -> None:
        super().__init__(run, Damages("The template"))
        self._lock = asyncio.Lock()

    async def read(self, sql: str, *values: Any, game: int | None = None) -> list[StoredRow]:
        async with self._lock:
            return await super().read(sql, *values, game=game)

    async def write(
        self, body: Callable[[Execute], Awaitable[T]], *, durable: bool = True, game: int | None = None
    ) -> T:
        async with self._lock:
            return await body(self.run)


@asynccontextmanager
async def bulk_store(address: StoreAddress) -> AsyncIterator[BulkStore]:
    """Open a bulk store. Everything is committed when the block ends."""
    await (await open_store(address)).close()  # makes the schema
    if isinstance(address, Path):
        file = sqlite3.connect(address, isolation_level=None)
        file.row_factory = sqlite3.Row
        file.execute("PRAGMA synchronous = OFF")

        async def run(*statements: Statement) -> list[list[StoredRow]]:
            return [list(file.execute(sql, values)) for sql, values in statements]

        file.execute("BEGIN IMMEDIATE")
        try:
            yield BulkStore(_Bulk(run), "discord")
            file.execute("COMMIT")
        finally:
            file.close()
        return
    connection: Any = await asyncpg.connect(address)

    async def send(*statements: Statement) -> list[list[StoredRow]]:
        results: list[list[StoredRow]] = []
        for sql, group in itertools.groupby(statements, key=lambda statement: statement[0]):
            alike = [values for _, values in group]
            if len(alike) > 1:
                await connection.executemany(numbered(sql), alike)
                results += [[] for _ in alike]
            else:
                results.append(list(await connection.fetch(numbered(sql), *alike[0])))
        return results

    try:
        async with connection.transaction():
            yield BulkStore(_Bulk(send), "discord")
    finally:
        await connection.close()
