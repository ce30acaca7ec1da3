"""The store in one SQLite file: all SQL is in this package."""

from bot.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
