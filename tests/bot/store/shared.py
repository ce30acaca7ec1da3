"""A SQLite store that claims to be shared, for tests of several processes without a server."""

from __future__ import annotations

from bot.store.sqlite.store import SqliteStore


class SharedStore(SqliteStore):
    """Callers can't rely on their memory, since other processes can change the database."""

    shared = True
