"""Until when games were out of reach, and when shards were last heard, in a separate table."""

from __future__ import annotations

from collections.abc import Collection

from bot.projections import Kind
from bot.store.reach import GameLocation, ReachStore
from bot.store.sql.database import Database
from bot.store.sql.values import Statement

ALL, GAME, SHARD, DIRECT, OPENED, GREETING = "all", "game", "shard", "direct", "opened", "greeting"
MOST = 500
"""Servers that one query asks about."""

_LATEST = (
    "INSERT INTO reach (run, kind, number, at) VALUES (?, ?, ?, ?) ON CONFLICT (run, kind, number) DO UPDATE"
    " SET at = excluded.at WHERE reach.at < excluded.at"
)


class SqlReach(ReachStore):
    """All that is noted here is a mark: it outlives the process, and costs no fsync."""

    _database: Database
    _namespace: str

    async def lost(self, number: int | None, at: float) -> None:
        kind = ALL if number is None else GAME
        await self._database.mark(_LATEST, self._namespace, kind, number or 0, at, game=number)

    async def unseen(self, number: int) -> float:
        query = "SELECT at FROM reach WHERE run = ? AND (kind = ? OR kind = ? AND number = ?)"
        rows = await self._database.read(query, self._namespace, ALL, GAME, number, game=number)
        return max((row["at"] for row in rows), default=0.0)

    async def places(self, guilds: Collection[int] | None = None) -> list[GameLocation]:
        if guilds is None:
            return await self._places("guild IS NOT NULL")
        remaining, places = sorted(guilds), list[GameLocation]()
        while remaining:
            batch, remaining = remaining[:MOST], remaining[MOST:]
            places += await self._places(f"guild IN ({', '.join('?' * len(batch))})", *batch)
        return sorted(places, key=lambda place: place.number)

    async def _places(self, where: str, *values: int) -> list[GameLocation]:
        query = (
            "SELECT number, guild, channel, games.version, EXISTS (SELECT 1 FROM shown WHERE game = number"
            f" AND kind IN ('{Kind.TROUBLE}', '{Kind.BARRED}')) AS unseen FROM games WHERE run = ? AND {where}"
            " AND number IN (SELECT number FROM games WHERE run = ? AND status IN ('lobby', 'running')"
            " UNION SELECT game FROM shown WHERE version < due) ORDER BY number"
        )
        rows = await self._database.read(query, self._namespace, *values, self._namespace)
        return [
            GameLocation(row["number"], row["guild"], row["channel"], row["version"], bool(row["unseen"]))
            for row in rows
        ]

    async def note_opened(self, number: int, at: float) -> None:
        await self._database.mark(_LATEST, self._namespace, OPENED, number, at, game=number)

    async def opened(self, number: int) -> float:
        return await self._at(OPENED, number)

    async def heard(self, shard: int) -> float:
        return await self._at(SHARD, shard)

    async def stopped(self) -> float:
        return await self._at(DIRECT, 0)

    async def stop(self, until: float) -> None:
        await self._database.mark(_LATEST, self._namespace, DIRECT, 0, until)

    async def promise(self, user: int, at: float | None) -> None:
        if at is None:
            delete = "DELETE FROM reach WHERE run = ? AND kind = ? AND number = ?"
            await self._database.mark(delete, self._namespace, GREETING, user)
            return
        upsert = (
            "INSERT INTO reach (run, kind, number, at) VALUES (?, ?, ?, ?) ON CONFLICT (run, kind, number) DO UPDATE"
            " SET at = excluded.at"
        )
        await self._database.mark(upsert, self._namespace, GREETING, user, at)

    async def promised(self) -> dict[int, float]:
        query = "SELECT number, at FROM reach WHERE run = ? AND kind = ? ORDER BY at, number"
        rows = await self._database.read(query, self._namespace, GREETING)
        return {row["number"]: row["at"] for row in rows}

    async def _at(self, kind: str, number: int) -> float:
        query = "SELECT at FROM reach WHERE run = ? AND kind = ? AND number = ?"
        rows = await self._database.read(query, self._namespace, kind, number)
        return rows[0]["at"] if rows else 0.0

    def _unseen_later(self, seconds: float) -> Statement:
        """Statement that moves the times of this process's clock with a clock that was set."""
        update = "UPDATE reach SET at = at + ? WHERE run = ? AND kind NOT IN (?, ?)"
        return update, (seconds, self._namespace, SHARD, OPENED)
