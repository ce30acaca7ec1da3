"""The part of the store in memory that knows what is chosen for servers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bot.models import Table
from bot.servers import Overview, ServerSettings
from bot.store.servers import ServerStore
from tests.bot.store.memory_contents import Contents


class MemoryServers(ServerStore):
    """By namespace and server in `Contents.servers` and `Contents.overviews`."""

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

    async def open_in(self, guild: int) -> dict[int, int]:
        numbers = await self._numbers(lambda table: table.guild == guild and table.open)
        return {number: self.contents.tables[number].table.version for number in reversed(numbers)}

    async def overview(self, guild: int) -> Overview | None:
        await asyncio.sleep(0)
        return self.contents.overviews.get((self._namespace, guild))

    async def overviews(self) -> dict[int, Overview]:
        await asyncio.sleep(0)
        return {guild: found for (name, guild), found in self.contents.overviews.items() if name == self._namespace}

    async def set_overview(self, guild: int, before: Overview | None, after: Overview | None) -> bool:
        if await self.overview(guild) != before:
            return False
        if after is None:
            self.contents.overviews.pop((self._namespace, guild), None)
        else:
            self.contents.overviews[self._namespace, guild] = after
        return True
