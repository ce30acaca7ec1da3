"""Upkeep of a database from time to time, in small pieces: an action waits for one of them at most."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from bot.store.errors import Conflict, Damaged, Unavailable
from bot.store.sql.database import Database, Execute
from bot.store.sql.histories import AT_ONCE, Packing

KEEP_INTERACTIONS = 3600.0
"""Seconds for which a repeated interaction is recognized (Discord's own last 15 minutes)."""
ROWS = 2_000
"""Interactions that one piece looks at; it takes a few milliseconds."""
PIECES = 50
"""Pieces in a row without a pause."""
CLOSED = "('over', 'cancelled', 'archived')"
"""Statuses of games that a host can have deleted after some days."""


class Upkeep:
    """Packs finished games, forgets old interactions, and deletes games that are over, canceled or archived `days` days
    after their last change (0: never). Several processes can do it at the same time."""

    def __init__(self, database: Database, days: int = 0) -> None:
        self._parts: list[Callable[[], Awaitable[bool]]] = [Packing(database).some, Forgetting(database).some]
        if days:
            self._parts.append(Deleting(database, days).some)
        self._left = self._parts

    async def some(self) -> bool:
        """Go on for a moment; return whether more of this round is left. If not, the next call begins a new round."""
        try:
            self._left = [part for part in self._left if await part()]
        except (Conflict, Damaged, Unavailable):  # the next round goes on from there
            self._left = []
        more = bool(self._left)
        self._left = self._left or self._parts
        return more


class Forgetting:
    """Goes through all interactions in the order of their key, and deletes old ones.

    No index covers their times, as it would add cost to each action. An interaction is old if it was stored
    `KEEP_INTERACTIONS` before the newest one found so far, or before the newest table. So the only clock that counts is
    the one by which they were stored.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._latest = ("", "")
        self._newest = 0.0

    async def some(self) -> bool:
        """Look at some interactions; return whether there are more."""
        for row in await self._database.read("SELECT created FROM games ORDER BY number DESC LIMIT 1"):
            self._newest = max(self._newest, row["created"])
        for _ in range(PIECES):
            if not await self._piece():
                self._latest = ("", "")
                return False
        return True

    async def _piece(self) -> bool:
        after = self._latest
        query = "SELECT run, id, created FROM interactions WHERE (run, id) > (?, ?) ORDER BY run, id LIMIT ?"
        rows = await self._database.read(query, *after, ROWS)
        if not rows:
            return False
        times = [row["created"] for row in rows]
        self._newest = max(self._newest, *times)
        self._latest = rows[-1]["run"], rows[-1]["id"]
        old = self._newest - KEEP_INTERACTIONS
        if min(times) < old:
            delete = "DELETE FROM interactions WHERE (run, id) > (?, ?) AND (run, id) <= (?, ?) AND created < ?"
            await self._database.mark(delete, *after, *self._latest, old)
        return len(rows) == ROWS


class Deleting:
    """Deletes `CLOSED` games that haven't changed for `days` days, with all that belongs to them."""

    def __init__(self, database: Database, days: int) -> None:
        self._database = database
        self._seconds = days * 86_400.0

    async def some(self) -> bool:
        """Delete a few games; return whether there are more."""
        query = f"SELECT number FROM games WHERE status IN {CLOSED} AND updated < ? ORDER BY number LIMIT ?"
        games = await self._database.read(query, time.time() - self._seconds, AT_ONCE)
        for game in games:
            await self._delete(game["number"])
        return len(games) == AT_ONCE

    async def _delete(self, number: int) -> None:
        async def change(run: Execute) -> None:
            claim = f"SELECT number FROM games WHERE number = ? AND status IN {CLOSED} FOR UPDATE"
            [claimed] = await run((claim, (number,)))
            if claimed:
                parts = (
                    "histories",
                    "records",
                    "acts",
                    "interactions",
                    "shown",
                    "members",
                    "orders",
                    "jobs",
                    "results",
                )
                deletes = [(f"DELETE FROM {part} WHERE game = ?", (number,)) for part in parts]
                await run(*deletes, ("DELETE FROM games WHERE number = ?", (number,)))

        await self._database.write(change, durable=False, game=number)
