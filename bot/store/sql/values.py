"""Values in columns: rows by name, and JSON of what may have been written by other versions of the program."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from typing import Any, Protocol, TypeVar, cast

from bot.sparse import sparse
from bot.store.base import Shards
from engine.codec import decode, fields_of
from engine.errors import UnknownInput

C = TypeVar("C")


class Row(Protocol):
    """A row, by the place or the name of a column."""

    def __getitem__(self, column: Any, /) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...

    def keys(self) -> Iterable[str]: ...


Statement = tuple[str, tuple[Any, ...]]
"""SQL and the values of its question marks. It is SQL that all databases here understand alike."""

MALFORMED = (ValueError, TypeError, LookupError, RecursionError)
"""What values of a wrong kind raise; `MalformedInput` is a `ValueError`."""


def json_text(data: Any) -> str:
    """JSON as it is stored."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def chosen_text(choices: Any) -> str:
    """What of choices isn't as by default, as JSON by name."""
    return json_text(sparse(choices))


def chosen_in(kind: type[C], text: str, *, whole: bool = False) -> C:
    """The choices in that JSON, without those that aren't known; what is malformed is all as by default. Where they
    must be `whole`, `UnknownInput` is raised for what stands in a choice and is nothing that is known."""
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
    """The value of JSON data that no checksum covers; raises `UnknownInput` for whatever does not fit: a newer version
    of the program may have another type for it."""
    try:
        return decode(kind, data)
    except MALFORMED:
        raise UnknownInput(f"no {kind}") from None


def known_in(kind: Any, data: Any) -> Any:
    """What of JSON data are fields of a kind: other versions of the program may have written more."""
    if not (isinstance(kind, type) and is_dataclass(kind) and isinstance(data, dict)):
        return data
    return {name: known_in(known, data[name]) for name, known in fields_of(kind) if name in data}


def optional(row: Row, column: str) -> Any:
    """A value that files of earlier versions, which are checked before they are migrated, don't have."""
    return row[column] if column in row.keys() else None  # noqa: SIM118


def on_shards(shards: Shards | None) -> tuple[str, tuple[int, ...]]:
    """A condition for the games of servers on some shards, to be added to others, and its values; None: for all."""
    if shards is None:
        return "", ()
    some = ", ".join("?" * len(shards.some)) or "NULL"
    return f" AND (coalesce(games.guild, 0) >> 22) % ? IN ({some})", (shards.of, *shards.some)
