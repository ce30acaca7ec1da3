"""What is chosen for servers, and which games they have, as the store keeps it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from bot.servers import Overview, ServerSettings


class ServerStore(Protocol):
    """What is kept of servers in this namespace. Raises `Unavailable`."""

    async def server(self, guild: int) -> ServerSettings:
        """What was chosen for a server, or the defaults."""

    async def change_server(self, guild: int, change: Callable[[ServerSettings], ServerSettings]) -> ServerSettings:
        """Store what `change` makes of a server's settings, which nobody else changes meanwhile; the new ones."""

    async def open_in(self, guild: int) -> dict[int, int]:
        """The versions of a server's open tables, by their rising numbers."""

    async def overview(self, guild: int) -> Overview | None:
        """The message that lists a server's open games; None: there is none."""

    async def overviews(self) -> dict[int, Overview]:
        """The messages that list the open games of a server, by server."""

    async def set_overview(self, guild: int, before: Overview | None, after: Overview | None) -> bool:
        """Note the message that lists a server's open games, or that there is none any more (not both are None); False
        where somebody else has noted another than `before`."""
