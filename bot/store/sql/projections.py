"""What is shown of games, and by which process. Marks, which cost no fsync: a power cut may take the latest."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from bot.projections import BARRED, Projection
from bot.store.base import ProjectionStore, Taken
from bot.store.sql.database import Database

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

    async def shown(
        self, number: int, what: str, version: int, channel: int | None = None, message: int | None = None
    ) -> None:
        await self._database.mark(
            "INSERT INTO projections (game, what, due, shown, channel, message) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (game, what) DO UPDATE SET shown = excluded.shown,"
            " channel = coalesce(excluded.channel, projections.channel),"
            " message = coalesce(excluded.message, projections.message)"
            " WHERE excluded.shown >= projections.shown",
            *(number, what, version, version, channel, message),
            game=number,
        )

    async def all_shown(self, number: int, names: Collection[str], version: int) -> None:
        some = ", ".join("?" * len(names))
        update = f"UPDATE projections SET shown = ? WHERE game = ? AND what IN ({some}) AND shown < ?"
        await self._database.mark(update, version, number, *names, version, game=number)

    async def gone(self, number: int, what: str) -> None:
        await self._database.mark("DELETE FROM projections WHERE game = ? AND what = ?", number, what, game=number)

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
