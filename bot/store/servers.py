"""What the store keeps about servers: their settings, open tables and lists of games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from bot.servers import Overview, ServerSettings


class ServerStore(Protocol):
    """Servers in this namespace. Raises `Unavailable`."""

    async def server(self, guild: int) -> ServerSettings:
        """A server's settings, or the defaults."""

    async def change_server(self, guild: int, change: Callable[[ServerSettings], ServerSettings]) -> ServerSettings:
        """Replace a server's settings by what `change` makes of them; no one else changes them meanwhile. Returns the
        new settings."""

    async def open_in(self, guild: int) -> dict[int, int]:
        """Versions of a server's open tables, by table number in ascending order."""

    async def overview(self, guild: int) -> Overview | None:
        """The message that lists a server's open games; None: there is none."""

    async def overviews(self) -> dict[int, Overview]:
        """The messages that list servers' open games, by server."""

    async def set_overview(self, guild: int, before: Overview | None, after: Overview | None) -> bool:
        """Note the message that lists a server's open games; None: there is none (not both are None). Returns False,
        and changes nothing, if something other than `before` is noted."""
