"""Records of games as rows, with the checksums that tell when a row isn't what was written."""

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
    """Writes the new records of a game."""
    game = change.table.number
    for number, actor, data in change.records:
        insert = "INSERT INTO records (game, number, actor, body, created, checksum) VALUES (?, ?, ?, ?, ?, ?)"
        body = json_text(data)
        yield insert, (game, number, actor, body, change.at, record_sum(game, number, actor, body))


def records_in(game: int, rows: Iterable[Row], since: int, revision: int | None) -> list[Any]:
    """The JSON data of a game's records from number `since` on, in order.

    Raises `Unreadable`, also where all records aren't `revision`. What is returned is what was written: where it is no
    record, a newer version has written it.
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
    found = _parsed(bodies, since)
    if revision not in (None, since + len(found)):
        raise Unreadable(f"there are {since + len(found)} records and not {revision}")
    return found


def _check(body: str) -> None:
    """Raise `MALFORMED` where a text that no checksum covers is no record of any version."""
    with suppress(UnknownInput):
        Record.from_json(json.loads(body))


def _parsed(bodies: list[str], since: int) -> list[Any]:
    """The values of JSON texts; together, as a call for each takes longer than what is in it."""
    with suppress(*MALFORMED):
        found: list[Any] = json.loads(f"[{','.join(bodies)}]")
        if len(found) == len(bodies):
            return found
    values = []
    for number, body in enumerate(bodies, since):  # which of them it is
        try:
            values.append(json.loads(body))
        except MALFORMED:
            raise Unreadable(f"record {number} is malformed") from None
    return values


def record_sum(game: int, number: int, actor: int, body: str) -> int:
    return zlib.crc32(f"{game}:{number}:{actor}:{body}".encode())
