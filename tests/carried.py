"""Work as another process does it: with copies of what it gets and gives back. Not everything can be copied over."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def carried(work: Callable[..., T], values: tuple[Any, ...], named: dict[str, Any]) -> T:
    """Do the work with copies of the values. Returns a copy of its result; raises what `pickle` raises, too."""
    values, named = pickle.loads(pickle.dumps((values, named)))
    result: T = pickle.loads(pickle.dumps(work(*values, **named)))
    return result
