"""Payloads in which a field is missing, has another type, or is new: one field after the other."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]

REMOVED = object()
WRONG: tuple[Any, ...] = (None, [], {}, "x", -1, True, [None], {"x": None})
"""Values of other types."""


def paths(value: Any, above: Path = ()) -> Iterator[Path]:
    """All fields of a payload, with those of the first object in each list."""
    if isinstance(value, dict):
        for name in value:
            yield (*above, name)
            yield from paths(value[name], (*above, name))
    elif isinstance(value, list) and value:
        yield (*above, 0)
        yield from paths(value[0], (*above, 0))


def without(payload: Any, path: Path) -> Any:
    """A copy without a field."""
    return replaced(payload, path, REMOVED)


def variants(payload: Any) -> Iterator[tuple[str, Any]]:
    """What was changed, and the changed copy."""
    for path in paths(payload):
        yield f"no {path}", without(payload, path)
        for wrong in WRONG:
            yield f"{path}: {wrong!r}", replaced(payload, path, wrong)
    for wrong in WRONG:
        yield f"{wrong!r}", wrong
    yield "more", _more(payload)


def replaced(payload: Any, path: Path, value: Any) -> Any:
    """A copy with another value for a field, or (`REMOVED`) without it."""
    changed = copy.deepcopy(payload)
    holder = changed
    for step in path[:-1]:
        holder = holder[step]
    if value is REMOVED:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return changed


def _more(value: Any) -> Any:
    """The same with an unknown field in each object."""
    if isinstance(value, dict):
        return {**{name: _more(inner) for name, inner in value.items()}, "unknown_field": {"x": [1]}}
    return [_more(inner) for inner in value] if isinstance(value, list) else value
