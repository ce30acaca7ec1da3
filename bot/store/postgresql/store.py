"""All games in one PostgreSQL database."""

from __future__ import annotations

from bot.store.postgresql.database import Database
from bot.store.sql.store import UPKEEP, SqlStore


class PostgresStore(SqlStore):
    """One PostgreSQL database, which many processes may share. What each method promises stands in `Store`."""

    _database: Database

    @classmethod
    async def open(cls, url: str, *, namespace: str = "discord", connections: int = 8) -> PostgresStore:
        """Connect, and bring the schema up to date; raises `SettingsError`."""
        return cls(await Database.open(url, upkeep=UPKEEP, connections=connections), namespace)
