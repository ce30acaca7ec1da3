"""One shard's connection to Discord's gateway, which ends with this process's hold on the shard."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import discord
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.shard import EventItem, Shard

log = logging.getLogger(__name__)

RESUMABLE = 4000
"""Code for closing a connection whose session somebody goes on with."""
GOODBYE = 2.0
"""Seconds that closing a connection may take."""


class HeldShard(Shard):
    """A shard that discord.py connects anew as long as it is held: what is under way, or waits its turn, when the
    shard is let go would be a second connection that nobody knows."""

    def __init__(
        self,
        ws: DiscordWebSocket,
        client: discord.AutoShardedClient,
        put: Callable[[EventItem], None],
        held: Callable[[Shard], bool],
    ) -> None:
        super().__init__(ws, client, put)
        self._held = held

    def launch(self) -> None:
        if self._held(self):
            super().launch()

    async def reidentify(self, exc: ReconnectWebSocket) -> None:
        await self._if_held(lambda: super(HeldShard, self).reidentify(exc))

    async def reconnect(self) -> None:
        await self._if_held(super().reconnect)

    async def let_go(self) -> None:
        """Close the connection; its session stays."""
        try:
            await asyncio.wait_for(self.ws.close(RESUMABLE), GOODBYE)
        except (OSError, discord.DiscordException) as error:
            log.debug("Shard %d: no goodbye (%s)", self.id, error)

    async def _if_held(self, connect: Callable[[], Awaitable[None]]) -> None:
        if self._held(self):
            await connect()
            if not self._held(self):
                await self.let_go()
