"""The store: all games in one SQLite file; all SQL is in this package."""

from bot.store.damage import Conflict, Damaged
from bot.store.store import Store

__all__ = ["Conflict", "Damaged", "Store"]
