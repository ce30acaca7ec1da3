"""Results of games, for ratings: a row for each game that counts."""

from __future__ import annotations

import asyncio

from bot.results import Result
from bot.store.sql.database import StorePart
from bot.store.sql.rows import results_in, statement_of


class ResultStore(StorePart):
    """Results, which are read all together: the rows are short, and ratings follow from all of them."""

    async def results(self, guild: int | None = None) -> list[Result]:
        """Results of a server's games in this namespace (None: of all servers), in the order of their ends."""
        where, values = ("", ()) if guild is None else (" AND guild = ?", (guild,))
        query = f"SELECT * FROM results WHERE run = ?{where} ORDER BY ended, game"
        rows = await self._database.read(query, self._namespace, *values)
        return await asyncio.to_thread(results_in, rows)  # years of a server's games take milliseconds

    async def set_result(self, number: int, result: Result | None) -> None:
        """Replace the stored result of a game of this namespace that is over; None: remove it."""
        delete = ("DELETE FROM results WHERE run = ? AND game = ?", (self._namespace, number))
        statement = delete if result is None else statement_of(self._namespace, result)
        await self._database.write(lambda run: run(statement), game=number)
