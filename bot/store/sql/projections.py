"""What is shown of games, a row each. These are marks, which cost no fsync: a power cut can take the latest."""

from __future__ import annotations

from collections.abc import Iterable

from bot.projections import BARRED, Projection, Shown
from bot.store.base import ProjectionStore, Shards
from bot.store.sql.database import Database
from bot.store.sql.values import Statement, on_shards

NOT_BARRED = (
    " AND NOT EXISTS (SELECT 1 FROM projections AS bar"
    f" WHERE bar.game = games.number AND bar.what LIKE '{BARRED}%' AND bar.shown >= games.version)"
)
"""A condition: leaves out games that can't be shown until Discord says so (`projections.is_barred`)."""


class SqlProjections(ProjectionStore):
    """Projections by game and name."""

    _database: Database
    _namespace: str

    async def note(self, number: int, shown: Iterable[Shown] = (), gone: Iterable[str] = ()) -> None:
        statements = list[Statement]()
        if names := tuple(dict.fromkeys(gone)):
            placeholders = ", ".join("?" * len(names))
            statements.append(
                (f"DELETE FROM projections WHERE game = ? AND what IN ({placeholders})", (number, *names))
            )
        if noted := {mark.what: mark for mark in shown}:
            upsert = (
                "INSERT INTO projections (game, what, due, shown, channel, message)"
                f" VALUES {', '.join(['(?, ?, ?, ?, ?, ?)'] * len(noted))}"
                " ON CONFLICT (game, what) DO UPDATE SET shown = excluded.shown,"
                " channel = coalesce(excluded.channel, projections.channel),"
                " message = coalesce(excluded.message, projections.message)"
                " WHERE excluded.shown >= projections.shown"
            )
            values = (
                (number, mark.what, mark.version, mark.version, mark.channel, mark.message) for mark in noted.values()
            )
            statements.append((upsert, tuple(value for row in values for value in row)))
        if len(statements) == 1:
            await self._database.mark(statements[0][0], *statements[0][1], game=number)
        elif statements:
            await self._database.write(lambda run: run(*statements), durable=False, game=number)

    async def visible(self, number: int) -> dict[str, Projection]:
        query = "SELECT what, due, shown, channel, message FROM projections WHERE game = ? ORDER BY what"
        return {row["what"]: Projection(*row) for row in await self._database.read(query, number, game=number)}

    async def pending(self, shards: Shards | None = None) -> list[int]:
        on, values = on_shards(shards)
        query = (
            "SELECT DISTINCT game FROM projections JOIN games ON number = game"
            f" WHERE run = ? AND shown < due{NOT_BARRED}{on} ORDER BY game"
        )
        return [row[0] for row in await self._database.read(query, self._namespace, *values)]
