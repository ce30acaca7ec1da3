"""Records of games as rows, with checksums that show whether a row is what was written."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from bot.store.base import Change
from bot.store.sql.damage import Unreadable
from bot.store.sql.values import MALFORMED, Row, Statement, json_text, optional
from engine.errors import UnknownInput
from engine.record import Record


def records_of(change: Change) -> Iterator[Statement]:
    """Statements that store a change's new records."""
    game = change.table.number
    for number, actor, data in change.records:
        insert = "INSERT INTO records (game, number, actor, body, created, checksum) VALUES (?, ?, ?, ?, ?, ?)"
        body = json_text(data)
        yield insert, (game, number, actor, body, change.at, record_sum(game, number, actor, body))


def records_in(game: int, rows: Iterable[Row], since: int, revision: int | None) -> list[Any]:
    """The JSON data of a game's records from number `since` on, in order.

    Raises `Unreadable`, also if there aren't `revision` records in all. The data is what was written: if it is no
    record here, a newer version wrote it.
    """
    bodies = []
    for row in rows:
        try:
            number, body = row["number"], row["body"]
            if optional(row, "checksum") not in (None, record_sum(game, number, row["actor"], body)):
                raise Unreadable(f"record {number} has a wrong checksum")
            if optional(row, "checksum") is None:
                _check(body)
            bodies.append(body)
        except MALFORMED:
            raise Unreadable(f"record {since + len(bodies)} is malformed") from None
    records = _parsed(bodies, since)
    if revision not in (None, since + len(records)):
        raise Unreadable(f"there are {since + len(records)} records and not {revision}")
    return records


def _check(body: str) -> None:
    """Raise one of `MALFORMED` if a text that no checksum covers is no record of any version."""
    with suppress(UnknownInput):
        Record.from_json(json.loads(body))


def _parsed(bodies: list[str], since: int) -> list[Any]:
    """Values of JSON texts, parsed together, as a call for each would take longer than parsing its text."""
    with suppress(*MALFORMED):
        parsed: list[Any] = json.loads(f"[{','.join(bodies)}]")
        if len(parsed) == len(bodies):
            return parsed
    values = []
    for number, body in enumerate(bodies, since):  # to find out which one is malformed
        try:
            values.append(json.loads(body))
        except MALFORMED:
            raise Unreadable(f"record {number} is malformed") from None
    return values


def record_sum(game: int, number: int, actor: int, body: str) -> int:
    return zlib.crc32(f"{game}:{number}:{actor}:{body}".encode())
