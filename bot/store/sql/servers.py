"""Settings of servers and their lists of games, a row each; an index finds their games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.servers import Overview, ServerSettings
from bot.store.sql.database import Execute, StorePart
from bot.store.sql.tables import Statement, StoredRow, chosen_in, chosen_text

_SERVER = "SELECT settings FROM servers WHERE run = ? AND guild = ?"
_OVERVIEW = "channel, message, edited, shows, perhaps_in"


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
        query = f"SELECT guild, {_OVERVIEW} FROM overviews WHERE run = ? ORDER BY guild"
        rows = await self._database.read(query, self._namespace)
        return {row["guild"]: _overview_in(row) for row in rows}

    async def overview(self, guild: int) -> Overview | None:
        """The message that lists a server's open games; None: there is none."""
        query = f"SELECT {_OVERVIEW} FROM overviews WHERE run = ? AND guild = ?"
        rows = await self._database.read(query, self._namespace, guild)
        return _overview_in(rows[0]) if rows else None

    async def set_overview(self, guild: int, before: Overview | None, after: Overview | None) -> bool:
        """Note the message that lists a server's open games; None: there is none (not both are None). Returns False,
        and changes nothing, if something other than `before` is noted. That it was edited is only as durable as a
        mark."""
        key = (self._namespace, guild)
        unchanged = f" WHERE run = ? AND guild = ? AND ({_OVERVIEW}) = (?, ?, ?, ?, ?) RETURNING guild"
        if before is None:
            assert after is not None
            insert = (
                f"INSERT INTO overviews (run, guild, {_OVERVIEW}) VALUES (?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (run, guild) DO NOTHING RETURNING guild"
            )
            statement: Statement = insert, (*key, *_overview_row(after))
        elif after is None:
            statement = f"DELETE FROM overviews{unchanged}", (*key, *_overview_row(before))
        else:
            update = f"UPDATE overviews SET ({_OVERVIEW}) = (?, ?, ?, ?, ?){unchanged}"
            statement = update, (*_overview_row(after), *key, *_overview_row(before))
        edited = before is not None and after is not None and _places(before) == _places(after)
        [rows] = await self._database.write(lambda run: run(statement), durable=not edited)
        return bool(rows)


def _overview_row(overview: Overview) -> tuple[Any, ...]:
    """The values of `_OVERVIEW`."""
    perhaps_in = " ".join(map(str, overview.perhaps_in))
    return overview.channel, overview.message, overview.edited, overview.shows, perhaps_in


def _overview_in(row: StoredRow) -> Overview:
    perhaps_in = tuple(map(int, row["perhaps_in"].split()))
    return Overview(row["channel"], row["message"], row["edited"], row["shows"], perhaps_in)


def _places(overview: Overview) -> tuple[int, tuple[int, ...]]:
    return overview.message, overview.perhaps_in
