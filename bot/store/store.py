"""What is kept of tables, games and people."""

from __future__ import annotations

from pathlib import Path


class Store:
    """One SQLite file. `run` names the world that ids of users, channels and interactions belong to: always
    "discord" on Discord; at the offline table a name per simulated world, because its ids start anew."""

    @classmethod
    async def open(cls, path: Path, *, run: str = "discord") -> Store:
        """Open or make the file and bring it up to date."""
        raise NotImplementedError

    async def close(self) -> None:
        """Finish what is under way and close."""

    async def backup(self, path: Path) -> None:
        """Write a consistent copy while games go on."""
