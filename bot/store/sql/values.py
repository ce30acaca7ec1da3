"""Values in columns: rows by name, and JSON of what may have been written by other versions of the program."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeVar, cast

from engine.codec import decode, encode, fields_of

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
    default = encode(type(choices)())
    return json_text({name: value for name, value in encode(choices).items() if value != default[name]})


def chosen_in(kind: type[C], text: str) -> C:
    """The choices in that JSON, without what isn't known any more; what is malformed is all as by default."""
    try:
        return cast(C, decode(kind, known_in(kind, text)))
    except MALFORMED:
        return kind()


def known_in(kind: Any, text: str) -> dict[str, Any]:
    """What of that JSON are fields of a kind: other versions of the program may have written more."""
    known = dict(fields_of(kind))
    return {name: value for name, value in json.loads(text).items() if name in known}


def optional(row: Row, column: str) -> Any:
    """A value that files of earlier versions, which are checked before they are migrated, don't have."""
    return row[column] if column in row.keys() else None  # noqa: SIM118
