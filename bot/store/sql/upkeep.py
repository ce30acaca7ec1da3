"""What a database has done to it from time to time, in small pieces: an action waits for no more than one of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.store.base import Conflict, Damaged, Unavailable
from bot.store.sql.database import Database
from bot.store.sql.histories import Packing

KEEP_INTERACTIONS = 3600.0
"""Seconds for which a repeated interaction is recognised (Discord's own last 15 minutes)."""
ROWS = 2_000
"""Interactions that are looked at in one piece; a few milliseconds."""
PIECES = 50
"""Pieces without a pause."""


class Upkeep:
    """Packs finished games and forgets old interactions; several processes may do it at once."""

    def __init__(self, database: Database) -> None:
        self._parts: list[Callable[[], Awaitable[bool]]] = [Packing(database).some, Forgetting(database).some]
        self._left = self._parts

    async def some(self) -> bool:
        """Go on for a moment; whether more is left of this round. The next call after that begins a new one."""
        try:
            self._left = [part for part in self._left if await part()]
        except (Conflict, Damaged, Unavailable):  # the next round goes on from there
            self._left = []
        more = bool(self._left)
        self._left = self._left or self._parts
        return more


class Forgetting:
    """Goes through all interactions in the order of their key, and deletes old ones.

    No index knows their times: it would cost something in each action. Old is what is older than the newest that was
    met, or the newest table, by so much; so no clock counts but the one by which they were stored.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._latest = ("", "")
        self._newest = 0.0

    async def some(self) -> bool:
        """Look at some; whether there are more."""
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
