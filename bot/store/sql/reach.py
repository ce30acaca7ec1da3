"""Until when games were out of reach: a column of the games, of the namespace and of the shards."""

from __future__ import annotations

from bot.store.reach import ReachStore
from bot.store.sql.database import Database
from bot.store.sql.values import Statement


class SqlReach(ReachStore):
    """What is noted is a mark: it outlives the process, and costs no fsync."""

    _database: Database
    _namespace: str

    async def lost(self, number: int | None, at: float) -> None:
        mine = self._namespace
        if number is None:
            upsert = (
                "INSERT INTO runs (run, seen, unseen) VALUES (?, 0, ?) ON CONFLICT (run) DO UPDATE"
                " SET unseen = excluded.unseen WHERE coalesce(runs.unseen, 0) < excluded.unseen"
            )
            await self._database.mark(upsert, mine, at)
        else:
            update = "UPDATE games SET unseen = ? WHERE run = ? AND number = ? AND coalesce(unseen, 0) < ?"
            await self._database.mark(update, at, mine, number, at, game=number)

    async def unseen(self, number: int) -> float:
        query = "SELECT unseen FROM games WHERE run = ? AND number = ? UNION ALL SELECT unseen FROM runs WHERE run = ?"
        rows = await self._database.read(query, self._namespace, number, self._namespace, game=number)
        return max((row["unseen"] or 0.0 for row in rows), default=0.0)

    async def heard(self, shard: int) -> float:
        query = "SELECT heard FROM shards WHERE run = ? AND shard = ?"
        rows = await self._database.read(query, self._namespace, shard)
        return (rows[0]["heard"] or 0.0) if rows else 0.0

    def _unseen_later(self, seconds: float) -> list[Statement]:
        """Moves all of it with the clock that was set; games that are put away go by no time."""
        later, values = "SET unseen = unseen + ? WHERE run = ?", (seconds, self._namespace)
        open_games = f"UPDATE games {later} AND status IN ('lobby', 'running') AND unseen IS NOT NULL"
        return [(open_games, values), (f"UPDATE runs {later}", values)]
