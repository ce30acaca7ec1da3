"""What is chosen for servers, and which games they have, as the store keeps it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from bot.servers import ServerSettings


class ServerStore(Protocol):
    """What is kept of servers in this namespace. Raises `Unavailable`."""

    async def server(self, guild: int) -> ServerSettings:
        """What was chosen for a server, or the defaults."""

    async def change_server(self, guild: int, change: Callable[[ServerSettings], ServerSettings]) -> ServerSettings:
        """Store what `change` makes of a server's settings, which nobody else changes meanwhile; the new ones."""

    async def open_in(self, guild: int) -> list[int]:
        """Open tables of a server, in rising order."""
