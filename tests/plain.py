"""JSON data, copied: many times faster than `copy.deepcopy`, which half of a simulated Discord's time would go into."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

_SIMPLE = (str, int, bool, type(None), float)


def copied(data: Any) -> Any:
    """A copy of JSON data that shares no dict or list with it. Anything else in it is copied as by `deepcopy`."""
    kind = type(data)
    if kind is dict:
        return {key: copied(value) for key, value in data.items()}
    if kind is list:
        return [copied(value) for value in data]
    return data if kind in _SIMPLE else deepcopy(data)
