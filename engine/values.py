"""Small values that are made by the million: actions, events, records, parts of views."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Make a class a dataclass with slots, frozen for type checkers only. If that were enforced at run time, making
    each value would cost seven times as much."""
    return dataclass(slots=True, unsafe_hash=True)(cls)
