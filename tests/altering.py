"""Exported files with one thing altered."""

from __future__ import annotations

import copy
from typing import Any

Data = dict[str, Any]
Path_ = tuple[str | int, ...]
"""The way to a value in a file."""


def leaves(value: Any, path: Path_ = ()) -> list[Path_]:
    """Paths of all values in the data except lists and objects that aren't empty."""
    if isinstance(value, dict) and value:
        return [leaf for key, inner in value.items() for leaf in leaves(inner, (*path, key))]
    if isinstance(value, list) and value:
        return [leaf for index, inner in enumerate(value) for leaf in leaves(inner, (*path, index))]
    return [path]


def opened(data: Data, path: Path_) -> tuple[Data, Any]:
    """A copy of the data, and in it the container of the value at the path. A change there leaves the original as it
    is."""
    twin = copy.copy(data)
    place: Any = twin
    for key in path[:-1]:
        place[key] = copy.copy(place[key])
        place = place[key]
    return twin, place


def altered(data: Data, path: Path_, change: int = 1) -> Data:
    """A copy with another value at the path, of the same type if it is a boolean, number or text."""
    twin, place = opened(data, path)
    old, key = place[path[-1]], path[-1]
    if isinstance(old, bool):
        place[key] = not old
    elif isinstance(old, int):
        place[key] = old + change
    elif isinstance(old, str):
        at = change % (len(old) or 1)
        place[key] = old[:at] + ("1" if old[at : at + 1] != "1" else "0") + old[at + 1 :]
    else:
        place[key] = "else" if old is None else None
    return twin
