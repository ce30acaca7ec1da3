"""Finished games in few bytes: one compressed row holds all records of a game, in place of a row each.

The table's audit (`acts`) is deleted at the same time: who voted or used their autopilot need not be known for longer.

The row holds lines of text, deflated. The first line says who made the records, and how many milliseconds each came
after the one before (the first: after the epoch). Then comes the JSON of each record. Games are packed an hour after
their end, a few at a time. An action waits for one of them at most, and a process that is killed leaves a game as it
was or packed.
"""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from collections.abc import Sequence
from typing import Any

from bot.store.sql.damage import Unreadable
from bot.store.sql.database import Database, Execute
from bot.store.sql.records import records_in
from bot.store.sql.values import Row, json_text

AFTER = 3600.0
"""Seconds from the last change of a finished game until it is packed."""
AT_ONCE = 50
"""Games that are packed in a row without a pause."""
HISTORY = "SELECT packed, body, histories.checksum FROM games LEFT JOIN histories ON game = number WHERE number = ?"
"""Query for a game's history, if it has one: a row for `history_in`."""


def history_of(game: int, rows: Sequence[Row]) -> tuple[int, bytes, int]:
    """A history's number of records, body and checksum; raises `Unreadable`, also if a record is missing."""
    records_in(game, rows, 0, None)
    if [row["number"] for row in rows] != list(range(len(rows))):
        raise Unreadable("a record is missing")
    times = [round(row["created"] * 1000) for row in rows]
    steps = [time - before for before, time in zip([0, *times], times, strict=False)]
    header = {"by": [row["actor"] for row in rows], "after": steps}
    text = "\n".join([json_text(header), *(row["body"] for row in rows)])
    body = zlib.compress(text.encode(), 9)
    return len(rows), body, _checksum(game, len(rows), body)


def check_history(game: int, row: Row) -> None:
    """Raise `Unreadable` if a row of `HISTORY` isn't what was written."""
    if row["packed"] is None:
        return
    if row["body"] is None:
        raise Unreadable("its records are gone")
    if row["checksum"] != _checksum(game, row["packed"], row["body"]):
        raise Unreadable("its records have a wrong checksum")


def history_in(game: int, row: Row) -> list[Any]:
    """The JSON data of the records in a row of `HISTORY`, in order; raises `Unreadable`."""
    check_history(game, row)
    if row["packed"] is None:
        return []
    try:
        _, *records = map(json.loads, zlib.decompress(row["body"]).decode().split("\n"))
    except (zlib.error, ValueError, RecursionError):
        raise Unreadable("its records are malformed") from None
    return records


class Packing:
    """Packs a database's finished games, a few at a time. Several processes can do it at the same time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._latest = 0

    async def some(self) -> bool:
        """Pack a few games; return whether there are more. Games that can't be read stay as they are until the next
        round."""
        query = (
            "SELECT number, version FROM games WHERE status = 'over' AND packed IS NULL AND number > ? AND updated < ?"
            " ORDER BY number LIMIT ?"
        )
        games = await self._database.read(query, self._latest, time.time() - AFTER, AT_ONCE)
        for game in games:
            await self._pack(*game)
        self._latest = games[-1]["number"] if len(games) == AT_ONCE else 0
        return self._latest > 0

    async def _pack(self, number: int, version: int) -> None:
        self._latest = number
        query = "SELECT * FROM records WHERE game = ? ORDER BY number"
        rows = await self._database.read(query, number, game=number)
        try:
            count, body, checksum = await asyncio.to_thread(history_of, number, rows)
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


def _checksum(game: int, count: int, body: bytes) -> int:
    return zlib.crc32(f"{game}:{count}:".encode() + body)
