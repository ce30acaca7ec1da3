"""Faults that are planted, one at a time, to see that the simulation finds them. Each is a small patch of the program,
which only `python -m tests.sim --planted` and tests apply."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Planted:
    """A fault."""

    name: str
    """What the program does wrong."""
    invariant: str
    """The name of the invariant that finds it."""
    begin: Callable[[], None]
    """Plants it in this process."""


FAULTS: dict[str, Planted] = {}
LEAKS: dict[str, Planted] = {}


def fault(name: str, invariant: str, kind: dict[str, Planted] = FAULTS) -> Callable[[Callable[[], None]], None]:
    """Declare a fault; its key is the name of the function that plants it."""

    def declare(begin: Callable[[], None]) -> None:
        kind[begin.__name__] = Planted(name, invariant, begin)

    return declare


ONCE = "what was acknowledged is stored, once"
KEPT = "what was stored stays"


@fault("a change is stored without the id of its interaction", ONCE)
def no_interaction() -> None:
    from bot.store.sql.store import Store

    save = Store.save

    async def without(self: Store, change: Any) -> None:
        await save(self, dataclasses.replace(change, interaction=None))

    Store.save = without  # type: ignore[method-assign]


@fault("actions are stored without waiting for the disk", KEPT)
def not_synced() -> None:
    from bot.store.sqlite.database import Database

    write = Database._write

    async def hurried(self: Database, body: Any, durable: bool) -> Any:
        return await write(self, body, False)

    Database._write = hurried  # type: ignore[method-assign]
