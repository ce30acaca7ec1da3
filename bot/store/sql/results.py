"""Results of games, for ratings: a row for each game that counts."""

from __future__ import annotations

import asyncio

from bot.results import Result
from bot.store.base import ResultStore
from bot.store.sql.database import Database
from bot.store.sql.rows import results_in, statement_of


class SqlResults(ResultStore):
    """Results, which are read all together: the rows are short, and ratings follow from all of them."""

    _database: Database
    _namespace: str

    async def results(self, guild: int | None = None) -> list[Result]:
        where, values = ("", ()) if guild is None else (" AND guild = ?", (guild,))
        query = f"SELECT * FROM results WHERE run = ?{where} ORDER BY ended, game"
        rows = await self._database.read(query, self._namespace, *values)
        return await asyncio.to_thread(results_in, rows)  # years of a server's games take milliseconds

    async def set_result(self, number: int, result: Result | None) -> None:
        delete = ("DELETE FROM results WHERE run = ? AND game = ?", (self._namespace, number))
        statement = delete if result is None else statement_of(self._namespace, result)
        await self._database.write(lambda run: run(statement), game=number)
