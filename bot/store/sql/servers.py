"""What is chosen for servers, a row for each; their games are found by an index."""

from __future__ import annotations

from collections.abc import Callable

from bot.servers import ServerSettings
from bot.store.servers import ServerStore
from bot.store.sql.database import Database, Execute
from bot.store.sql.values import chosen_in, chosen_text

_SERVER = "SELECT settings FROM servers WHERE run = ? AND guild = ?"


class SqlServers(ServerStore):
    """Rows by namespace and server."""

    _database: Database
    _namespace: str

    async def server(self, guild: int) -> ServerSettings:
        rows = await self._database.read(_SERVER, self._namespace, guild)
        return chosen_in(ServerSettings, rows[0]["settings"]) if rows else ServerSettings()

    async def change_server(self, guild: int, change: Callable[[ServerSettings], ServerSettings]) -> ServerSettings:
        async def body(run: Execute) -> ServerSettings:
            which = (self._namespace, guild)
            insert = (
                "INSERT INTO servers (run, guild, settings) VALUES (?, ?, '{}') ON CONFLICT (run, guild) DO NOTHING"
            )
            _, [row] = await run((insert, which), (_SERVER + " FOR UPDATE", which))
            changed = change(chosen_in(ServerSettings, row["settings"]))
            update = "UPDATE servers SET settings = ? WHERE run = ? AND guild = ?"
            await run((update, (chosen_text(changed), *which)))
            return changed

        return await self._database.write(body)

    async def open_in(self, guild: int) -> list[int]:
        query = (
            "SELECT number FROM games WHERE run = ? AND guild = ? AND status IN ('lobby', 'running') ORDER BY number"
        )
        return [row["number"] for row in await self._database.read(query, self._namespace, guild)]
