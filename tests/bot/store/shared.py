"""A file as several processes would share it, if they could."""

from __future__ import annotations

from bot.store.sqlite.store import SqliteStore


class SharedStore(SqliteStore):
    """Nothing in memory is more than a guess."""

    shared = True
