"""The tables: their keys, the numbered SQL files that make them, the values in their columns (rows by name, and JSON
that other versions of the program can have written), and what is changed after a backup was restored.

Each SQL file brings a database up to date and is applied once. Up to the fourth step, each database has its own files
in its own folder. Since then all databases take the same steps, written with PostgreSQL's names for types.

After a backup was restored, people see messages of actions that the database no longer has.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from importlib import resources
from typing import Any, Protocol, TypeVar, cast

from bot.plaintext import safe_name
from bot.projections import Kind, State
from bot.store.base import Shards
from engine.codec import decode, encode, fields_of
from engine.errors import UnknownInput

# --- tables

KEYS = {
    "games": ("number",),
    "members": ("game", "position"),
    "records": ("game", "number"),
    "histories": ("game",),
    "acts": ("game", "number"),
    "interactions": ("run", "id"),
    "shown": ("game", "kind", "key", "user"),
    "jobs": ("game", "name"),
    "orders": ("game", "user"),
    "results": ("game",),
    "promptness": ("game", "user"),
    "people": ("run", "user"),
    "runs": ("run",),
    "reach": ("run", "kind", "number"),
    "servers": ("run", "guild"),
    "overviews": ("run", "guild"),
    "subscriptions": ("run", "guild", "user"),
}
"""Primary keys of the tables that are moved; games come before what refers to them. The others hold what is worth
nothing without the processes that wrote it."""


@cache
def steps(package: str) -> dict[int, str]:
    """SQL of all steps by number, in order: those in the package of one database, and those that all databases take."""
    texts = {}
    for folder in (resources.files(package), resources.files(__package__)):
        for file in (folder / "migrations").iterdir():
            if file.name.endswith(".sql"):
                texts[int(file.name[:4])] = file.read_text("utf-8")
    return dict(sorted(texts.items()))


# --- columns

C = TypeVar("C")


class StoredRow(Protocol):
    """A row of a query's result; its values are found by position or name of the column."""

    def __getitem__(self, column: Any, /) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...

    def keys(self) -> Iterable[str]: ...


Statement = tuple[str, tuple[Any, ...]]
"""SQL that all databases here understand alike, and the values of its question marks."""

MALFORMED = (ValueError, TypeError, LookupError, RecursionError)
"""Errors that values of a wrong kind raise; `MalformedInput` is a `ValueError`."""


def json_text(data: Any) -> str:
    """JSON as it is stored."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def people_in(text: str) -> Any:
    """The data of JSON in which people are named, with names that are safe now: earlier versions could have stored
    others."""
    return json.loads(text, object_hook=_with_safe_names)


def _with_safe_names(found: dict[str, Any]) -> dict[str, Any]:
    names = {key: safe_name(name) for key in _NAMES if isinstance(name := found.get(key), str) and name}
    return found | names


_NAMES = ("name", "newcomer", "manager")


def sparse(value: Any, without: Collection[str] = ()) -> Any:
    """JSON data of a value without fields at their default, as `decode` reads it: other versions of the program can
    have fewer fields, or more. `without`: names of fields to leave out."""
    if is_dataclass(value) and not isinstance(value, type):
        pairs = ((one, getattr(value, one.name)) for one in fields(value) if one.name not in without)
        return {one.name: sparse(held) for one, held in pairs if held != _default(one)}
    if isinstance(value, (tuple, list)):
        return [sparse(one) for one in value]
    return encode(value)


def _default(one: Field[Any]) -> Any:
    return one.default_factory() if one.default_factory is not MISSING else one.default


def chosen_text(choices: Any) -> str:
    """The choices that differ from the default, as JSON by name."""
    return json_text(sparse(choices))


def chosen_in(kind: type[C], text: str, *, whole: bool = False) -> C:
    """The choices in JSON of `chosen_text`, without those that this version doesn't know; malformed JSON gives the
    defaults. With `whole`, raises `UnknownInput` if a known choice has a value that this version doesn't know."""
    try:
        data = json.loads(text)
        return cast(C, known(kind, known_in(kind, data)) if whole else decode(kind, known_in(kind, data)))
    except UnknownInput:
        if whole:
            raise
        return kind()
    except MALFORMED:
        return kind()


def known(kind: Any, data: Any) -> Any:
    """The value of JSON data that no checksum covers. Raises `UnknownInput` for anything that doesn't fit: a newer
    version of the program can have another type for it."""
    try:
        return decode(kind, data)
    except MALFORMED:
        raise UnknownInput(f"no {kind}") from None


def known_in(kind: Any, data: Any) -> Any:
    """JSON data without fields that `kind` doesn't have: other versions of the program can have written more."""
    if not (isinstance(kind, type) and is_dataclass(kind) and isinstance(data, dict)):
        return data
    return {name: known_in(field_kind, data[name]) for name, field_kind in fields_of(kind) if name in data}


def optional(row: StoredRow, column: str) -> Any:
    """A column's value; None if there is no such column: files of earlier versions are checked before they are
    migrated."""
    return row[column] if column in row.keys() else None  # noqa: SIM118


def on_shards(shards: Shards | None) -> tuple[str, tuple[int, ...]]:
    """A condition for games of servers on some shards, to be appended to others, and its values; None: all games."""
    if shards is None:
        return "", ()
    placeholders = ", ".join("?" * len(shards.ids)) or "NULL"
    return f" AND (coalesce(games.guild, 0) >> 22) % ? IN ({placeholders})", (shards.count, *shards.ids)


# --- after a restore

SKIPPED_NUMBERS = 1_000
"""How many numbers of games are skipped: more than a large host gives in the day since its last backup, but not many
more, because people read and type these numbers."""
EPOCH = 1_767_225_600
"""The beginning of 2026, in seconds since the epoch. Versions rise by the seconds since then: so they stay small."""


def repost_statements(now: float) -> list[Statement]:
    """Statements that have all open games shown in new messages, and have channels searched for messages that were
    posted after the backup was made, so that those are put away.

    Versions go on far above any that was posted, so that nothing new is mistaken for a message of that time. For the
    same reason, new games must get numbers above those that were opened then: `SKIPPED_NUMBERS` above the latest that
    is known, be it of a deleted game. Channels without an open game are searched, too: after the backup a game could
    have been resumed or opened there. Lists of games are posted again, and those from then deleted; posts get their
    tags again. So does Discord the commands: a newer version can have changed them.
    """
    ahead = int(now) - EPOCH
    going_on = "(SELECT number FROM games WHERE status IN ('lobby', 'running'))"
    set_due = "due = (SELECT games.version FROM games WHERE number = game)"
    set_shown = "version = (SELECT games.version FROM games WHERE number = game) - 1"
    return [
        ("UPDATE runs SET commands = NULL", ()),
        ("UPDATE overviews SET shows = '', perhaps_in = CAST(channel AS TEXT)", ()),
        (f"DELETE FROM shown WHERE kind = '{Kind.TAG}'", ()),
        ("UPDATE games SET version = version + ? WHERE status IN ('lobby', 'running')", (ahead,)),
        (
            f"UPDATE shown SET {set_shown}, state = '{State.POSTING}', channel = NULL, message = NULL"
            f" WHERE game IN {going_on} AND kind IN ('{Kind.TURN}', '{Kind.PING}')",
            (),
        ),
        (
            f"UPDATE shown SET {set_due}, {set_shown}"
            f" WHERE game IN {going_on} AND kind IN ('{Kind.PANEL}', '{Kind.HAND}')",
            (),
        ),
        (
            'INSERT INTO shown (game, kind, key, "user", state, due, version)'
            f" SELECT number, '{Kind.SEARCH}', '', 0, '{State.WANTED}', version, version - 1 FROM games"
            " WHERE status IN ('lobby', 'running')"
            " OR number IN (SELECT max(number) FROM games GROUP BY run, channel)"
            ' ON CONFLICT (game, kind, key, "user") DO UPDATE SET due = excluded.due, version = excluded.version',
            (),
        ),
    ]
