"""Faults to plant: something is lost, done twice, or never shown."""

from __future__ import annotations

import dataclasses
from typing import Any

from tests.sim.planted import planted

ONCE = "what was acknowledged is stored, once"
KEPT = "what was stored stays"


@planted("a change is stored without the id of its interaction", ONCE)
def no_interaction() -> None:
    from bot.store.sql.store import Store

    save = Store.save

    async def without(self: Store, change: Any) -> None:
        await save(self, dataclasses.replace(change, interaction=None))

    Store.save = without  # type: ignore[method-assign]


@planted("actions are stored without waiting for the disk", KEPT, ONCE)
def not_synced() -> None:
    from bot.store.sqlite.database import Database

    write = Database._write

    async def hurried(self: Database, body: Any, durable: bool) -> Any:
        return await write(self, body, False)

    Database._write = hurried  # type: ignore[method-assign]
