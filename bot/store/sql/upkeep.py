"""Upkeep of a database from time to time, in small pieces: an action waits for one of them at most.

Finished games are packed into few bytes: one compressed row holds all records of a game, in place of a row each. The
table's audit (`acts`) is deleted at the same time: who voted or went away need not be known for longer.

The row holds lines of text, deflated. The first line says who made the records, how many milliseconds each came after
the one before (the first: after the epoch), and which member made it themselves, for reviews. Then comes the JSON of
each record. Games are packed an hour after their end, a few at a time. A process that is killed leaves a game as it was
or packed.
"""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from bot.store.base import Conflict, Damaged, Unavailable
from bot.store.sql.database import Database, Execute, Unreadable
from bot.store.sql.rows import downtime_in, records_in
from bot.store.sql.tables import StoredRow, json_text
from bot.table.options import DAY
from bot.table.time import since_which

# --- packing

PACK_AFTER = 3600.0
"""Seconds from the last change of a finished game until it is packed."""
SETTLED = "updated NOT BETWEEN ? AND ?"
"""Condition for tables that weren't changed just now; its values are from `_just_now`."""
GAMES_AT_ONCE = 50
"""Games that are packed in a row without a pause."""
HISTORY = "SELECT packed, body, histories.checksum FROM games LEFT JOIN histories ON game = number WHERE number = ?"
"""Query for a game's history, if it has one: a row for `history_in`."""
MADE = (
    'SELECT record, records, position FROM acts JOIN members ON members.game = acts.game AND members."user" = actor'
    " WHERE acts.game = ? AND record IS NOT NULL"
)
"""Query for what members did in a game themselves: rows for `makers_of`."""
NO_ONE = -1
"""In place of a member: the referee, a bot, an autopilot, or someone who is no longer at the table."""


def makers_of(rows: Sequence[StoredRow]) -> dict[int, int]:
    """Which member made a record themselves, by the record's number, from rows of `MADE`; members in order of
    joining."""
    return {row["record"] + n: row["position"] for row in rows for n in range(row["records"])}


def history_of(game: int, rows: Sequence[StoredRow], made: Sequence[StoredRow]) -> tuple[int, bytes, int]:
    """A history's number of records, body and checksum, from the records and the rows of `MADE`; raises `Unreadable`,
    also if a record is missing."""
    records_in(game, rows, 0, None)
    numbers = range(len(rows))
    if [row["number"] for row in rows] != [*numbers]:
        raise Unreadable("a record is missing")
    times = [round(row["created"] * 1000) for row in rows]
    steps = [time - before for before, time in zip([0, *times], times, strict=False)]
    makers = makers_of(made)
    header = {"by": [row["actor"] for row in rows], "after": steps, "made": [makers.get(n, NO_ONE) for n in numbers]}
    text = "\n".join([json_text(header), *(row["body"] for row in rows)])
    body = zlib.compress(text.encode(), 9)
    return len(rows), body, _history_checksum(game, len(rows), body)


def check_history(game: int, row: StoredRow) -> None:
    """Raise `Unreadable` if a row of `HISTORY` isn't what was written."""
    if row["packed"] is None:
        return
    if row["body"] is None:
        raise Unreadable("its records are gone")
    if row["checksum"] != _history_checksum(game, row["packed"], row["body"]):
        raise Unreadable("its records have a wrong checksum")


def history_in(game: int, row: StoredRow) -> list[Any]:
    """The JSON data of the records in a row of `HISTORY`, in order; raises `Unreadable`."""
    return _lines_in(game, row)[1:]


def makers_in(game: int, row: StoredRow) -> dict[int, int] | None:
    """As `makers_of`, from a row of `HISTORY`; None: an earlier version packed the game without that. Raises
    `Unreadable`."""
    [header, *_] = _lines_in(game, row) or [{"made": ()}]
    return dict(enumerate(header["made"])) if "made" in header else None


def _lines_in(game: int, row: StoredRow) -> list[Any]:
    """The JSON data of the lines in a row of `HISTORY`; none if the game isn't packed."""
    check_history(game, row)
    if row["packed"] is None:
        return []
    try:
        return [*map(json.loads, zlib.decompress(row["body"]).decode().split("\n"))]
    except (zlib.error, ValueError, RecursionError):
        raise Unreadable("its records are malformed") from None


class Packing:
    """Packs a database's finished games, a few at a time. Several processes can do it at the same time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._latest = 0

    async def some(self) -> bool:
        """Pack a few games; return whether there are more. Games that can't be read stay as they are until the next
        round."""
        query = (
            "SELECT number, version FROM games WHERE status = 'over' AND packed IS NULL AND number > ?"
            f" AND {SETTLED} ORDER BY number LIMIT ?"
        )
        games = await self._database.read(query, self._latest, *_just_now(), GAMES_AT_ONCE)
        for game in games:
            await self._pack(*game)
        self._latest = games[-1]["number"] if len(games) == GAMES_AT_ONCE else 0
        return self._latest > 0

    async def _pack(self, number: int, version: int) -> None:
        self._latest = number
        query = "SELECT * FROM records WHERE game = ? ORDER BY number"
        rows = await self._database.read(query, number, game=number)
        made = await self._database.read(MADE, number, game=number)
        try:
            count, body, checksum = await asyncio.to_thread(history_of, number, rows, made)
        except Unreadable:
            return  # reported when someone reads the game

        async def change(run: Execute) -> None:
            claim = (
                "UPDATE games SET packed = ?"
                " WHERE number = ? AND version = ? AND status = 'over' AND packed IS NULL RETURNING number"
            )
            [claimed] = await run((claim, (count, number, version)))
            if claimed:
                insert = "INSERT INTO histories (game, body, checksum) VALUES (?, ?, ?)"
                delete = "DELETE FROM records WHERE game = ? AND number < ?"
                acts = ("DELETE FROM acts WHERE game = ?", (number,))
                await run((insert, (number, body, checksum)), (delete, (number, count)), acts)

        await self._database.write(change, durable=False, game=number)


def _just_now() -> tuple[float, float]:
    """From when to when a change counts as just made. A change that is later was made before the clock was set back."""
    now = time.time()
    return now - PACK_AFTER, now + PACK_AFTER


def _history_checksum(game: int, count: int, body: bytes) -> int:
    return zlib.crc32(f"{game}:{count}:".encode() + body)


# --- all of the upkeep

KEEP_INTERACTIONS = 3600.0
"""Seconds for which a repeated interaction is recognized (Discord's own last 15 minutes)."""
INTERACTIONS_AT_ONCE = 2_000
"""Interactions that one piece looks at; it takes a few milliseconds."""
TABLES_AT_ONCE = 500
"""Canceled tables that one piece looks at."""
PIECES_AT_ONCE = 50
"""Pieces in a row without a pause."""
OLD = "(status IN ('over', 'cancelled') AND updated < ? OR status = 'archived' AND updated < ?)"
"""Condition for games that a host has deleted. Archived ones end before that (`bot.service.clock`), so that their seeds
are published. Those that can't be read can't end, so they are deleted later."""
LATER = 7.0
"""Days by which they are deleted later; the same if no process was there to end them."""


class Clearing:
    """Deletes the audits of canceled tables, a few at a time; those of games go when they are packed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._latest = 0

    async def some(self) -> bool:
        """Delete a few; return whether there are more."""
        query = (
            f"SELECT number FROM games WHERE status = 'cancelled' AND number > ? AND {SETTLED} ORDER BY number LIMIT ?"
        )
        tables = await self._database.read(query, self._latest, *_just_now(), TABLES_AT_ONCE)
        if tables:
            first, last = tables[0]["number"], tables[-1]["number"]
            which = f"SELECT number FROM games WHERE status = 'cancelled' AND number BETWEEN ? AND ? AND {SETTLED}"
            delete = f"DELETE FROM acts WHERE game BETWEEN ? AND ? AND game IN ({which})"
            await self._database.mark(delete, first, last, first, last, *_just_now())
        self._latest = tables[-1]["number"] if len(tables) == TABLES_AT_ONCE else 0
        return self._latest > 0


class Upkeep:
    """Packs finished games, clears canceled tables, forgets old interactions, and deletes games that are over, canceled
    or archived `days` days after their last change (0: never). Several processes can do it at the same time. `deleted`
    is called with the number of each game that this one deletes."""

    def __init__(self, database: Database, days: int = 0, deleted: Callable[[int], None] = lambda number: None) -> None:
        self._parts: list[Callable[[], Awaitable[bool]]] = [
            Packing(database).some,
            Clearing(database).some,
            Forgetting(database).some,
        ]
        if days:
            self._parts.append(Deleting(database, days, deleted).some)
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

    No index covers their times, as it would add cost to each action. An interaction is old if it came
    `KEEP_INTERACTIONS` before the newest one of its run that has a number: people's have, and these numbers are in
    order. So the only clock that counts is Discord's. If none has a number, all count.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._latest = ("", "")

    async def some(self) -> bool:
        """Look at some interactions; return whether there are more."""
        for _ in range(PIECES_AT_ONCE):
            if not await self._piece():
                self._latest = ("", "")
                return False
        return True

    async def _piece(self) -> bool:
        after = self._latest
        query = "SELECT run, id, created FROM interactions WHERE (run, id) > (?, ?) ORDER BY run, id LIMIT ?"
        found = await self._database.read(query, *after, INTERACTIONS_AT_ONCE)
        if not found:
            return False
        rows = [row for row in found if row["run"] == found[0]["run"]]
        self._latest = rows[-1]["run"], rows[-1]["id"]
        times = [row["created"] for row in rows]
        newest = "SELECT created FROM interactions WHERE run = ? AND id < 'a' ORDER BY id DESC LIMIT 1"
        numbered = await self._database.read(newest, found[0]["run"])
        old = (numbered[0]["created"] if numbered else max(times)) - KEEP_INTERACTIONS
        if min(times) < old:
            delete = "DELETE FROM interactions WHERE (run, id) > (?, ?) AND (run, id) <= (?, ?) AND created < ?"
            await self._database.mark(delete, *after, *self._latest, old)
        return len(rows) < len(found) or len(found) == INTERACTIONS_AT_ONCE


class Deleting:
    """Deletes games that don't go on and haven't changed for `days` days, with all that belongs to them."""

    def __init__(self, database: Database, days: int, deleted: Callable[[int], None]) -> None:
        self._database = database
        self._days = days
        self._deleted = deleted

    async def some(self) -> bool:
        """Delete a few games; return whether there are more."""
        before = await self._unchanged_since()
        query = f"SELECT number FROM games WHERE {OLD} ORDER BY number LIMIT ?"
        games = await self._database.read(query, *before, GAMES_AT_ONCE)
        for game in games:
            await self._delete(game["number"], before)
            self._deleted(game["number"])
        return len(games) == GAMES_AT_ONCE

    async def _unchanged_since(self) -> tuple[float, float]:
        """Since when games that are over or canceled, and archived ones, must not have changed. Downtime doesn't count:
        archived games have had no time to end meanwhile. Nor does what the machine's clock has been ahead of the last
        sign of life: it can be wrong by years."""
        runs = await self._database.read("SELECT seen, downtime FROM runs")
        seen = max((run["seen"] for run in runs), default=0.0)
        now = min(time.time(), seen + DAY) if seen else time.time()
        gaps = [gap for run in runs for gap in downtime_in(run["downtime"]) if gap[0] < gap[1]]
        over, archived = (since_which(now, days * DAY, gaps) for days in (self._days, self._days + LATER))
        return over, archived

    async def _delete(self, number: int, before: Sequence[float]) -> None:
        async def change(run: Execute) -> None:
            claim = f"SELECT number FROM games WHERE number = ? AND {OLD} FOR UPDATE"
            [claimed] = await run((claim, (number, *before)))
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
                    "promptness",
                )
                deletes = [(f"DELETE FROM {part} WHERE game = ?", (number,)) for part in parts]
                await run(*deletes, ("DELETE FROM games WHERE number = ?", (number,)))

        await self._database.write(change, durable=False, game=number)
