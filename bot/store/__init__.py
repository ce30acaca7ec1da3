"""The store: all games, kept in one place. `Store` says what it promises; a database driver is its own affair."""

from __future__ import annotations

from pathlib import Path

from bot.store.base import Conflict, Damaged, Marks, Store, Unavailable
from bot.store.sqlite import SqliteStore

__all__ = ["Conflict", "Damaged", "Marks", "Store", "Unavailable", "open_store"]


async def open_store(path: Path, *, namespace: str = "discord", exclusive: bool = False) -> Store:
    """Open or make the SQLite file of all games; raises `SettingsError`.

    `exclusive`: for who plays on it. Nobody else can open it like this until it is closed, and it is checked for
    damage.
    """
    return await SqliteStore.open(path, namespace=namespace, exclusive=exclusive)
