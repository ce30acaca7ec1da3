"""Until when games were out of reach, and when shards were last heard: a table of its own."""

from __future__ import annotations

from bot.store.reach import ReachStore
from bot.store.sql.database import Database
from bot.store.sql.values import Statement

ALL, GAME, SHARD = "all", "game", "shard"


class SqlReach(ReachStore):
    """What is noted is a mark: it outlives the process, and costs no fsync."""

    _database: Database
    _namespace: str

    async def lost(self, number: int | None, at: float) -> None:
        upsert = (
            "INSERT INTO reach (run, kind, number, at) VALUES (?, ?, ?, ?) ON CONFLICT (run, kind, number) DO UPDATE"
            " SET at = excluded.at WHERE reach.at < excluded.at"
        )
        kind = ALL if number is None else GAME
        await self._database.mark(upsert, self._namespace, kind, number or 0, at, game=number)

    async def unseen(self, number: int) -> float:
        query = "SELECT at FROM reach WHERE run = ? AND (kind = ? OR kind = ? AND number = ?)"
        rows = await self._database.read(query, self._namespace, ALL, GAME, number, game=number)
        return max((row["at"] for row in rows), default=0.0)

    async def heard(self, shard: int) -> float:
        query = "SELECT at FROM reach WHERE run = ? AND kind = ? AND number = ?"
        rows = await self._database.read(query, self._namespace, SHARD, shard)
        return rows[0]["at"] if rows else 0.0

    def _unseen_later(self, seconds: float) -> Statement:
        """Moves all of it with the clock that was set."""
        return "UPDATE reach SET at = at + ? WHERE run = ? AND kind <> ?", (seconds, self._namespace, SHARD)
