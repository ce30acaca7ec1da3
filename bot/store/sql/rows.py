"""Converts rows of tables, records and results to values and back, with checksums that show whether a row is what was
written. Data that earlier versions wrote in another form is brought into the present one."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

from bot.plaintext import safe_name
from bot.ratings import GameResult, PersonResult
from bot.store.base import Change, Job
from bot.store.sql.database import Unreadable, WrittenByNewer
from bot.store.sql.due import barred_statement, due_statement, job_of
from bot.store.sql.promptness import promptness_of
from bot.store.sql.tables import (
    MALFORMED,
    Statement,
    StoredRow,
    chosen_in,
    json_text,
    known,
    known_in,
    optional,
    people_in,
    sparse,
)
from bot.table.options import TableOptions
from bot.table.orders import Orders
from bot.table.parts import REPLACE, SEATED, Member
from bot.table.table import OVER, Table, by_present_clock
from bot.table.time import Deadline, Interval, Wait
from engine.chance import commitment
from engine.codec import decode, encode, fields_of
from engine.config import Config
from engine.errors import UnknownInput
from engine.record import Record

# --- tables and results

_ROWS = (
    "SELECT g.*, m.*{} FROM games g LEFT JOIN members m ON m.game = g.number WHERE g.number = ({}) ORDER BY position"
)
TABLES = _ROWS.format(", (SELECT downtime FROM runs WHERE runs.run = g.run) AS downtime", "{}")
"""Query for one table with its members, a row each; a subquery gives the table's number."""
OLD_TABLES = _ROWS.format("", "{}")
"""The same query for files of earlier versions, in which no downtime was stored."""
LINES = "SELECT game, at, actor, kind, record, records FROM acts"
"""Beginning of a query for lines of audits."""
LIMITED = "(deadline IS NOT NULL OR choices LIKE '%\"pace\":%')"
"""A condition: time runs for people at the table."""

_DROPPED = ("spoken", "late", "begun", "away", "asked")
"""Fields of a wait that version 0.2.0 stored and that no longer exist."""
_COLUMNS = (
    *("number", "guild", "channel", "status", "host", "anyone_starts", "config", "members", "commitment", "entropy"),
    *("version", "created", "updated", "deadline", "ended_by", "warned", "options", "waits", "orders", "downtime"),
    "changes",
)
"""Fields of a `Table` that `choices` doesn't hold by name. In place of `options` it holds the options' fields."""
_FIXED = ("number", "run", "guild", "channel", "status", "host", "anyone_starts", "config", "commitment", "entropy")
_MEMBERS = ("user", "color", "asked", "phrase", "interaction")
"""What the checksums of earlier versions cover of a table and its members."""
_COVERED = (*_FIXED, "updated", "deadline", "deadline_serial", "ended_by", "warned", "choices", "waits", "orders")
"""The columns that a checksum covers. If it covers more one day, rows with one of today must stay readable."""


DISCORDS_EPOCH, SHORTEST_ID = 1420070400.0, 17
"""When Discord's ids begin to count, in seconds since the epoch, and how many digits they have at least."""


def _came(interaction: str, at: float) -> float:
    """When an interaction came, in seconds since the epoch. Discord's ids say when by Discord's clock: this machine's
    can be set, and must not decide how long a repeated interaction is recognized. `at`: for all others."""
    discords = interaction.isdecimal() and len(interaction) >= SHORTEST_ID
    return (int(interaction) >> 22) / 1000 + DISCORDS_EPOCH if discords else at


def changes_of(namespace: str, change: Change) -> list[Statement]:
    """Statements that store a change of a table. The first one returns the table's number, and locks its row, if no one
    has changed the table since."""
    table, at = change.table, change.at
    statements = [_update_of(namespace, change)]
    statements += records_of(change)
    made = change.records[0][0] if change.records else None
    if change.act:
        insert = "INSERT INTO acts (game, number, at, actor, kind, record, records) VALUES (?, ?, ?, ?, ?, ?, ?)"
        what = (at, change.user, change.act, made, len(change.records))
        statements.append((insert, (table.number, table.changes, *what)))
    if change.interaction is not None:
        insert = "INSERT INTO interactions (run, id, game, record, created) VALUES (?, ?, ?, ?, ?)"
        statements.append((insert, (namespace, change.interaction, table.number, made, _came(change.interaction, at))))
    if due := dict.fromkeys(change.due):
        statements.append(due_statement(table.number, due, table.version))
    if not change.user and change.since < table.version and table.status != OVER:  # an end is shown in any case
        statements.append(barred_statement(table.number, change.since, table.version))
    for name, time in change.jobs.items():
        if time is None:
            statements.append(("DELETE FROM jobs WHERE game = ? AND name = ?", (table.number, name)))
        else:
            statements.append(job_of(namespace, Job(table.number, name, time)))
    if change.result is not None:
        statements.append(result_statement(namespace, change.result))
    statements += promptness_of(namespace, change)
    if change.members:
        statements.append(("DELETE FROM members WHERE game = ?", (table.number,)))
        insert = (
            'INSERT INTO members (game, position, "user", name, color, asked, phrase, interaction, level)'
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        for place, m in enumerate(table.members):
            values = (table.number, place, m.user, m.name, m.color, int(m.asked), m.phrase, m.interaction, m.level)
            statements.append((insert, values))
    return statements


def result_statement(namespace: str, result: GameResult) -> Statement:
    """Statement that stores the result of a game."""
    upsert = (
        "INSERT INTO results (game, run, guild, ended, scenario, people) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (game) DO UPDATE SET guild = excluded.guild, ended = excluded.ended,"
        " scenario = excluded.scenario, people = excluded.people"
    )
    people = json_text(encode(result.people))
    return upsert, (result.game, namespace, result.guild, result.ended, result.scenario, people)


def results_in(rows: Iterable[StoredRow]) -> list[GameResult]:
    """The results in rows, without malformed ones, which can be worked out again from the games."""
    results = list[GameResult]()
    for row in rows:
        with suppress(*MALFORMED):
            people = decode(tuple[PersonResult, ...], people_in(row["people"]))
            results.append(GameResult(row["game"], row["guild"], row["ended"], row["scenario"], people))
    return results


def _update_of(namespace: str, change: Change) -> Statement:
    """Statement that stores a table, except its members and its seed."""
    table, deadline = change.table, change.table.deadline
    fixed = {"number": table.number, "run": namespace, "guild": table.guild}
    row: dict[str, Any] = {
        "channel": table.channel,
        "status": table.status,
        "host": table.host,
        "anyone_starts": int(table.anyone_starts),
        "config": json_text(encode(table.config)),
        "commitment": table.commitment,
        "entropy": json_text(table.entropy),
        "updated": float(table.updated),
        "deadline": deadline and float(deadline.at),
        "deadline_serial": deadline and deadline.serial,
        "ended_by": table.ended_by,
        "warned": None if table.warned is None else float(table.warned),
        "choices": json_text(sparse(table.options) | sparse(table, without=_COLUMNS)),
        "waits": json_text(sparse(table.waits)),
        "orders": json_text(sparse(table.orders)),
    }
    members = [(m.user, m.color, int(m.asked), m.phrase, m.interaction, m.level) for m in table.members]
    row |= {"checksum": _checksum(fixed | row, members), "version": table.version}
    update = (
        f"UPDATE games SET {' = ?, '.join(row)} = ?, revision = coalesce(?, revision), changes = changes + 1"
        " WHERE number = ? AND version = ? AND changes = ? RETURNING number"
    )
    revision = change.records[-1][0] + 1 if change.records else None
    return update, (*row.values(), revision, table.number, change.since, table.changes)


def _orders_in(text: str) -> list[Orders]:
    """The autopilots in JSON, without malformed ones."""
    valid = list[Orders]()
    with suppress(*MALFORMED):
        for orders in json.loads(text):
            with suppress(*MALFORMED):
                valid.append(cast(Orders, decode(Orders, known_in(Orders, orders))))
    return valid


def _other_choices_in(text: str) -> dict[str, Any]:
    """Fields of a table that are in its choices, apart from its options; raises `UnknownInput`."""
    try:
        data = dict(people_in(text))
    except MALFORMED:
        return {}
    kinds = ((name, kind) for name, kind in fields_of(Table) if name in data and name not in _COLUMNS)
    return {name: known(kind, data[name]) for name, kind in kinds}


def downtime_in(text: str) -> list[Interval]:
    """Intervals of downtime in JSON; malformed JSON gives none."""
    try:
        return [(float(begin), float(end)) for begin, end in json.loads(text)]
    except MALFORMED:
        return []


def table_in(rows: Sequence[StoredRow]) -> Table:
    """The table in rows of `TABLES`; raises `Unreadable`."""
    sound = False
    try:
        first = rows[0]
        members = [row for row in rows if row["user"] is not None]
        if not _is_whole(first, members):
            raise Unreadable("its table has a wrong checksum")
        waits = json.loads(optional(first, "waits") or "[]")  # in earlier versions, no checksum covers these
        sound = optional(first, "checksum") is not None
        choices = choices_now(optional(first, "choices") or "{}")
        table = Table(
            number=first["number"],
            guild=first["guild"],
            channel=first["channel"],
            status=first["status"],
            host=first["host"],
            anyone_starts=bool(first["anyone_starts"]),
            config=decode(Config, json.loads(first["config"])),
            members=tuple(
                Member(
                    m["user"],
                    safe_name(m["name"]),
                    m["color"],
                    bool(m["asked"]),
                    m["phrase"],
                    m["interaction"],
                    optional(m, "level") or "",
                )
                for m in members
            ),
            commitment=first["commitment"],
            entropy=decode(tuple[str, ...], json.loads(first["entropy"])),
            version=first["version"],
            changes=optional(first, "changes") or 0,
            created=first["created"],
            updated=first["updated"],
            deadline=None if first["deadline"] is None else Deadline(first["deadline_serial"], first["deadline"]),
            ended_by=optional(first, "ended_by"),
            warned=optional(first, "warned"),
            options=chosen_in(TableOptions, choices, whole=True),
            waits=known(tuple[Wait, ...], [{k: v for k, v in wait.items() if k not in _DROPPED} for wait in waits]),
            orders=tuple(_orders_in(optional(first, "orders") or "[]")),
            downtime=tuple(downtime_in(optional(first, "downtime") or "[]")),
            **_other_choices_in(choices),
        )
        invited = tuple(guest for guest in table.invited if table.place_of(guest.user) is None)
        return by_present_clock(replace(table, invited=invited))
    except UnknownInput:
        raise WrittenByNewer from None
    except MALFORMED:
        if sound:
            raise WrittenByNewer from None
        raise Unreadable("its configuration is malformed") from None


def seed_in(number: int, row: StoredRow) -> bytes:
    """A game's secret seed, from a row with its seed and its commitment; raises `Unreadable`."""
    seed = row["seed"]
    if not isinstance(seed, bytes) or commitment(seed, str(number)) != row["commitment"]:
        raise Unreadable("its seed doesn't fit its commitment")
    return seed


def _checksum(row: Mapping[str, Any], members: Iterable[Sequence[Any]]) -> int:
    """Checksum of a table. It leaves out counters, and names, which are made safe when they are read."""
    return zlib.crc32(json.dumps([*(row[name] for name in _COVERED), *members]).encode())


def _is_whole(row: StoredRow, members: Sequence[StoredRow]) -> bool:
    """Whether a row is what was written, as far as it has a checksum. In earlier versions it covered less."""
    stored, people = optional(row, "checksum"), [[m[name] for name in _MEMBERS] for m in members]
    whole = {name: optional(row, name) for name in _COVERED}
    if stored in (None, _checksum(whole, [(*p, optional(m, "level")) for p, m in zip(people, members, strict=True)])):
        return True
    return bool(stored == zlib.crc32(json.dumps([*(row[name] for name in _FIXED), *people]).encode()))


# --- records


def records_of(change: Change) -> Iterator[Statement]:
    """Statements that store a change's new records."""
    game = change.table.number
    for number, actor, data in change.records:
        insert = "INSERT INTO records (game, number, actor, body, created, checksum) VALUES (?, ?, ?, ?, ?, ?)"
        body = json_text(data)
        yield insert, (game, number, actor, body, change.at, record_sum(game, number, actor, body))


def records_in(game: int, rows: Iterable[StoredRow], since: int, revision: int | None) -> list[Any]:
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
                _check_record(body)
            bodies.append(body)
        except MALFORMED:
            raise Unreadable(f"record {since + len(bodies)} is malformed") from None
    records = _parsed(bodies, since)
    if revision not in (None, since + len(records)):
        raise Unreadable(f"there are {since + len(records)} records and not {revision}")
    return records


def _check_record(body: str) -> None:
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


# --- earlier versions


def choices_now(text: str) -> str:
    """A table's choices in JSON, in their present form."""
    if not any(name in text for name in ('"left":', '"proposals":', '"replacing":', '"invited":')):
        return text
    with suppress(*MALFORMED):
        data = json.loads(text)
        if "invited" in data:  # numbers of users in version 0.2.0, also of those who had joined
            data["invited"] = [{"user": one} if isinstance(one, int) else one for one in data["invited"]]
        _seats_in_news(data)
        _motions_of_proposals(data)
        return json_text(data)
    return text


def _motions_of_proposals(data: Any) -> None:
    """Make motions of what used to be separate: votes to replace a player, and proposals, whose fields had other
    names."""
    motions = list[Any]()
    for absent, by in data.pop("replacing", []):
        about = {"kind": REPLACE, "absent": absent}
        replacement = next((motion for motion in motions if motion["absent"] == absent), None)
        if replacement is None:
            motions.append(replacement := {**about, "ayes": []})
        replacement["ayes"].append(by)
    for proposal in data.pop("proposals", []):
        motions.append({_NEW_NAMES.get(name, name): value for name, value in proposal.items()})
    if motions:
        data["motions"] = motions


_NEW_NAMES = {"what": "kind", "agreed": "ayes", "against": "noes"}


def _seats_in_news(data: Any) -> None:
    """Move into the news what version 0.2.0 kept separately: who had left which seat, and how many records there were
    when someone last took a seat over."""
    if "left" not in data:
        return
    left, taken, news = data.pop("left"), dict(data.pop("taken", [])), data.setdefault("news", [])
    seated = [seating for seating in news if seating["what"] == SEATED]
    for place, user, name in reversed(left):
        if not seated:  # only the latest news was kept, and this isn't among it
            news.insert(0, {"what": SEATED, "made": 0, "turn": 0, "revision": 0, "name": name, "newcomer": "…"})
        seating = seated.pop() if seated else news[0]
        seating |= {"place": place, "about": user, "recorded": taken.pop(place, 0)}
