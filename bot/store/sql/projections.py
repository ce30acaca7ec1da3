"""What is shown of games, and by which process. Marks, which cost no fsync: a power cut may take the latest."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from bot.projections import BARRED, Projection, Shown
from bot.store.base import ProjectionStore, Taken
from bot.store.sql.database import Database
from bot.store.sql.values import Statement

NOT_BARRED = (
    " AND NOT EXISTS (SELECT 1 FROM projections AS bar"
    f" WHERE bar.game = games.number AND bar.what LIKE '{BARRED}%' AND bar.shown >= games.version)"
)
"""Games of which nothing can be shown until Discord says so aren't due (`projections.is_barred`)."""


class SqlProjections(ProjectionStore):
    """Who shows a game, or did so last, stands in `shown_by`; until when, in `shown_until` (0: no longer)."""

    _database: Database
    _namespace: str
    _process: str

    async def note(self, number: int, shown: Iterable[Shown] = (), gone: Iterable[str] = ()) -> None:
        statements = list[Statement]()
        if lost := tuple(dict.fromkeys(gone)):
            some = ", ".join("?" * len(lost))
            statements.append((f"DELETE FROM projections WHERE game = ? AND what IN ({some})", (number, *lost)))
        if noted := {one.what: one for one in shown}:
            upsert = (
                "INSERT INTO projections (game, what, due, shown, channel, message)"
                f" VALUES {', '.join(['(?, ?, ?, ?, ?, ?)'] * len(noted))}"
                " ON CONFLICT (game, what) DO UPDATE SET shown = excluded.shown,"
                " channel = coalesce(excluded.channel, projections.channel),"
                " message = coalesce(excluded.message, projections.message)"
                " WHERE excluded.shown >= projections.shown"
            )
            values = ((number, one.what, one.version, one.version, one.channel, one.message) for one in noted.values())
            statements.append((upsert, tuple(value for row in values for value in row)))
        if len(statements) == 1:
            await self._database.mark(statements[0][0], *statements[0][1], game=number)
        elif statements:
            await self._database.write(lambda run: run(*statements), durable=False, game=number)

    async def visible(self, number: int) -> dict[str, Projection]:
        query = "SELECT what, due, shown, channel, message FROM projections WHERE game = ? ORDER BY what"
        return {row["what"]: Projection(*row) for row in await self._database.read(query, number, game=number)}

    async def pending(self) -> list[int]:
        query = (
            "SELECT DISTINCT game FROM projections JOIN games ON number = game"
            f" WHERE run = ? AND shown < due{NOT_BARRED} ORDER BY game"
        )
        return [row[0] for row in await self._database.read(query, self._namespace)]

    async def take(self, number: int, now: float, until: float) -> Taken:
        again = "UPDATE games SET shown_until = ? WHERE number = ? AND shown_by = ? RETURNING number"
        if await self._database.mark(again, until, number, self._process, game=number):
            return Taken.STILL
        free = (
            "UPDATE games SET shown_by = ?, shown_until = ?"
            " WHERE number = ? AND (shown_by IS NULL OR shown_until < ?) RETURNING number"
        )
        taken = await self._database.mark(free, self._process, until, number, now, game=number)
        return Taken.NEWLY if taken else Taken.NOT

    async def take_pending(self, now: float, until: float, *, since: float, most: int) -> list[int]:
        query = (
            "UPDATE games SET shown_by = ?, shown_until = ? WHERE number IN (SELECT number FROM games"
            " WHERE run = ? AND updated <= ? AND (shown_until IS NULL OR shown_until < ?)"
            " AND (rests_until IS NULL OR rests_until < ?)"
            f" AND number IN (SELECT game FROM projections WHERE shown < due){NOT_BARRED}"
            " ORDER BY number LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING number"
        )
        values = (self._process, until, self._namespace, since, now, now, most)
        return sorted(row[0] for row in await self._database.mark(query, *values))

    async def keep_taken(self, numbers: Collection[int], until: float) -> list[int]:
        if not numbers:
            return []
        some = ", ".join("?" * len(numbers))
        update = (
            f"UPDATE games SET shown_until = ? WHERE number IN (SELECT number FROM games WHERE number IN ({some})"
            " AND shown_by = ? AND shown_until > 0 ORDER BY number FOR UPDATE) RETURNING number"
        )
        return [row[0] for row in await self._database.mark(update, until, *numbers, self._process)]

    async def give_back(self, number: int, rest: float | None = None, *, only: str = "") -> bool:
        update = "UPDATE games SET shown_until = 0, rests_until = ? WHERE number = ? AND shown_by = ?"
        values: tuple[Any, ...] = (rest or 0.0, number, self._process)
        if rest is None or only:
            # PostgreSQL waits for a change under way, and then sees this row as it is now, but what is due as it was.
            update += " AND version = (SELECT version FROM games AS seen WHERE seen.number = games.number)"
            update += " AND NOT EXISTS (SELECT 1 FROM projections WHERE game = number AND shown < due"
            update += " AND (? = 0 OR substr(what, 1, ?) <> ?))"
            values += (len(only), len(only), only)
        rows = await self._database.mark(update + " RETURNING number", *values, game=number)
        return bool(rows) or (rest is not None and not only)
