"""Settings of servers and their lists of games, a row each; an index finds their games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple

from bot.servers import Overview, ServerSettings
from bot.store.sql.database import Execute, StorePart
from bot.store.sql.tables import Statement, chosen_in, chosen_text

_SERVER = "SELECT settings FROM servers WHERE run = ? AND guild = ?"


class ServerStore(StorePart):
    """Servers in this namespace: their settings, open tables and lists of games."""

    async def server(self, guild: int) -> ServerSettings:
        """A server's settings, or the defaults."""
        rows = await self._database.read(_SERVER, self._namespace, guild)
        return chosen_in(ServerSettings, rows[0]["settings"]) if rows else ServerSettings()

    async def change_server(self, guild: int, change: Callable[[ServerSettings], ServerSettings]) -> ServerSettings:
        """Replace a server's settings by what `change` makes of them; no one else changes them meanwhile. Returns the
        new settings."""

        async def body(run: Execute) -> ServerSettings:
            key = (self._namespace, guild)
            insert = (
                "INSERT INTO servers (run, guild, settings) VALUES (?, ?, '{}') ON CONFLICT (run, guild) DO NOTHING"
            )
            _, [row] = await run((insert, key), (_SERVER + " FOR UPDATE", key))
            settings = change(chosen_in(ServerSettings, row["settings"]))
            update = "UPDATE servers SET settings = ? WHERE run = ? AND guild = ?"
            await run((update, (chosen_text(settings), *key)))
            return settings

        return await self._database.write(body)

    async def open_in(self, guild: int) -> dict[int, int]:
        """Versions of a server's open tables, by table number in ascending order."""
        query = (
            "SELECT number, version FROM games WHERE run = ? AND guild = ? AND status IN ('lobby', 'running')"
            " ORDER BY number"
        )
        return {row["number"]: row["version"] for row in await self._database.read(query, self._namespace, guild)}

    async def overviews(self) -> dict[int, Overview]:
        """The messages that list servers' open games, by server."""
        query = "SELECT guild, channel, message, edited, shows FROM overviews WHERE run = ? ORDER BY guild"
        rows = await self._database.read(query, self._namespace)
        return {row["guild"]: Overview(*tuple(row)[1:]) for row in rows}

    async def overview(self, guild: int) -> Overview | None:
        """The message that lists a server's open games; None: there is none."""
        query = "SELECT channel, message, edited, shows FROM overviews WHERE run = ? AND guild = ?"
        rows = await self._database.read(query, self._namespace, guild)
        return Overview(*rows[0]) if rows else None

    async def set_overview(self, guild: int, before: Overview | None, after: Overview | None) -> bool:
        """Note the message that lists a server's open games; None: there is none (not both are None). Returns False,
        and changes nothing, if something other than `before` is noted. That it was edited is only as durable as a
        mark."""
        key = (self._namespace, guild)
        unchanged = (
            " WHERE run = ? AND guild = ? AND channel = ? AND message = ? AND edited = ? AND shows = ? RETURNING guild"
        )
        if before is None:
            assert after is not None
            insert = (
                "INSERT INTO overviews (run, guild, channel, message, edited, shows) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (run, guild) DO NOTHING RETURNING guild"
            )
            statement: Statement = insert, (*key, *astuple(after))
        elif after is None:
            statement = f"DELETE FROM overviews{unchanged}", (*key, *astuple(before))
        else:
            update = f"UPDATE overviews SET channel = ?, message = ?, edited = ?, shows = ?{unchanged}"
            statement = update, (*astuple(after), *key, *astuple(before))
        edited = before is not None and after is not None and before.message == after.message
        [rows] = await self._database.write(lambda run: run(statement), durable=not edited)
        return bool(rows)
