"""The part of the store in memory that knows what is chosen for servers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bot.models import Table
from bot.servers import ServerSettings
from bot.store.servers import ServerStore
from tests.bot.store.memory_contents import Contents


class MemoryServers(ServerStore):
    """By namespace and server in `Contents.servers`."""

    contents: Contents
    _namespace: str
    _numbers: Callable[[Callable[[Table], bool]], Awaitable[list[int]]]

    async def server(self, guild: int) -> ServerSettings:
        await asyncio.sleep(0)
        return self.contents.servers.get((self._namespace, guild), ServerSettings())

    async def change_server(self, guild: int, change: Callable[[ServerSettings], ServerSettings]) -> ServerSettings:
        changed = change(await self.server(guild))
        self.contents.servers[self._namespace, guild] = changed
        return changed

    async def open_in(self, guild: int) -> list[int]:
        return (await self._numbers(lambda table: table.guild == guild and table.open))[::-1]
