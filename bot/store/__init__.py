"""The store: all games, kept in one place. `Store` says what it promises; which database keeps it is its own affair."""

from bot.store.base import Change, Conflict, Damaged, ProjectionStore, Store, Unavailable
from bot.store.sqlite.store import SqliteStore

__all__ = ["Change", "Conflict", "Damaged", "ProjectionStore", "Store", "Unavailable", "open_store"]

open_store = SqliteStore.open
"""Opens the store in a file."""
