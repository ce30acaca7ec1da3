"""The logs of tables as rows."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from bot.store.base import Change
from bot.store.sql.damage import Unreadable, WrittenByNewer
from bot.store.sql.values import MALFORMED, Row, Statement, json_text, people_in
from bot.table.log import FORMAT, Entry, Snapshot, entry_in

ACTS = "SELECT * FROM acts WHERE game = ? ORDER BY number"


def acts_of(change: Change) -> Iterator[Statement]:
    """Statements that add a change's entries to its table's log. If the first is a snapshot, they replace the log."""
    number = change.table.number
    if change.acts and isinstance(change.acts[0].act, Snapshot):
        yield "DELETE FROM acts WHERE game = ?", (number,)
    for entry in change.acts:
        insert = (
            "INSERT INTO acts (game, number, records, version, at, actor, kind, body, checksum)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        values = _values(number, entry)
        yield insert, (*values, _checksum(values))


def reached(version: int, changes: int, records: int) -> str:
    """How far a log goes that has all changes of a table, and is of the present format: the value of `games.logged`."""
    return f"{FORMAT}.{version}.{changes}.{records}"


def entries_in(rows: Iterable[Row]) -> list[Entry]:
    """The entries in rows of `ACTS`; raises `Unreadable`."""
    entries = []
    for row in rows:
        *values, checksum = row
        if checksum != _checksum(values):
            raise Unreadable(f"entry {row['number']} of its log has a wrong checksum")
        try:
            _, number, records, version, at, user, kind, body = values
            entries.append(entry_in(number, records, version, at, user, kind, people_in(body)))
        except MALFORMED:
            raise WrittenByNewer from None
    return entries


def _values(game: int, entry: Entry) -> list[Any]:
    what = entry.act.kind, json_text(entry.body())
    return [game, entry.number, entry.records, entry.version, entry.at, entry.user, *what]


def _checksum(values: list[Any]) -> int:
    return zlib.crc32(json.dumps(values).encode())
