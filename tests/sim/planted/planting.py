"""Faults that are planted, one at a time, to see that the simulation finds them. Each is a small patch of the program,
which only `python -m tests.sim --planted` and tests apply."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Planted:
    """A fault."""

    name: str
    """What the program does wrong."""
    invariants: tuple[str, ...]
    """The names of the invariants that find it."""
    begin: Callable[[], None]
    """Plants it in this process."""


PLANTED: dict[str, Planted] = {}
"""By the name of the function that plants it."""


def planted(name: str, *invariants: str) -> Callable[[Callable[[], None]], None]:
    """Declare what the decorated function plants."""

    def declare(begin: Callable[[], None]) -> None:
        PLANTED[begin.__name__] = Planted(name, invariants, begin)

    return declare


def put(place: Any, **parts: Any) -> None:
    """Replace parts of a module or a class."""
    for name, part in parts.items():
        getattr(place, name)  # a part that is gone can't be replaced
        setattr(place, name, part)
