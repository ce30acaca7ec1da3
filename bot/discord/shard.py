"""One shard's connection to Discord's gateway, which ends when this process lets go of the shard."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import discord
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.shard import EventItem, Shard

from bot.discord.show.channels import FAILED
from bot.tasks import in_own_context

log = logging.getLogger(__name__)

RESUMABLE = 4000
"""Code for closing a connection whose session another process can resume."""
AGAIN = 5.0
"""Seconds after which Discord is asked again if asking failed."""
GOODBYE = 2.0
"""Most seconds that closing a connection can take."""


class HeldShard(Shard):
    """A shard that discord.py reconnects only as long as it is held. Otherwise a reconnection that is under way, or
    waits its turn, when the shard is let go would be a second connection that no one knows."""

    def __init__(
        self,
        ws: DiscordWebSocket,
        client: discord.AutoShardedClient,
        put: Callable[[EventItem], None],
        held: Callable[[Shard], bool],
        session_in: Callable[[], Awaitable[float]],
    ) -> None:
        """`held`: whether this process has a shard. `session_in` returns the seconds until a new session can begin."""
        super().__init__(ws, client, put)
        self._held, self._session_in = held, session_in

    def launch(self) -> None:
        if self._held(self):
            super().launch()

    async def reidentify(self, exc: ReconnectWebSocket) -> None:
        def connect() -> Awaitable[None]:
            return super(HeldShard, self).reidentify(exc)

        await (self._if_held(connect) if exc.resume else self._connect_with_new_session(connect))

    async def reconnect(self) -> None:
        await self._connect_with_new_session(super().reconnect)

    async def _connect_with_new_session(self, connect: Callable[[], Awaitable[None]]) -> None:
        """Connect with a new session, or later if Discord allows only few: other shards don't wait for this one."""
        try:
            wait = await self._session_in()
        except FAILED as error:
            log.warning("Shard %d: how many sessions are left can't be asked: %s", self.id, error)
            wait = AGAIN
        if wait:
            asyncio.get_running_loop().call_later(
                wait, lambda: in_own_context(asyncio.create_task, self._connect_with_new_session(connect))
            )
        else:
            await self._if_held(connect)

    async def let_go(self) -> None:
        """Close the connection so that its session can be resumed."""
        try:
            await asyncio.wait_for(self.ws.close(RESUMABLE), GOODBYE)
        except (OSError, discord.DiscordException) as error:
            log.debug("Shard %d: no goodbye (%s)", self.id, error)

    async def _if_held(self, connect: Callable[[], Awaitable[None]]) -> None:
        if self._held(self):
            await connect()
            if not self._held(self):
                await self.let_go()
