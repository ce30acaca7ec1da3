"""Stores many actions in one transaction: the way to a position then costs one write, not hundreds."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from bot.service import Services
from bot.store import Change
from tests.bot.oracle import begin_again


@asynccontextmanager
async def at_once(services: Services) -> AsyncIterator[None]:
    """Store all changes that one game makes in the block together, when it ends. Listeners learn of the last one only.

    Each interaction counts as new. Meanwhile the store counts as not shared: the cache is ahead of it.
    """
    repository: Any = services.repository
    store: Any = repository._store
    changes, notice = list[Change](), list[Any]()
    number = ahead = 0  # `ahead`: how many more changes the cache has counted than the store, where several are one

    async def stored(change: Change) -> None:
        await type(store).save(
            store, replace(change, table=replace(change.table, changes=change.table.changes - ahead))
        )

    async def flush() -> None:
        nonlocal number, ahead
        if changes:
            together, many = _together(changes), len(changes)
            number = together.table.number
            changes.clear()
            await stored(together)
            ahead += many - 1
            for time in filter(None, together.jobs.values()):
                repository._expect(time)

    async def save(change: Change) -> None:
        changes.append(change)

    def tell(*change: Any) -> None:
        notice[:] = change

    async def interaction(id: str) -> None:
        """No interaction is known."""

    repository.drop_cache()  # it can be out of date if the store is shared
    store.save, store.interaction, store.shared, repository.tell = save, interaction, False, tell
    try:
        yield
    finally:
        del store.save, store.interaction, store.shared, repository.tell
    await flush()
    if number and (table := repository._cache.table(number)):
        repository._cache.keep(replace(table, changes=table.changes - ahead))
        begin_again(store, number)
    if notice:
        repository.tell(*notice)


def _together(changes: list[Change]) -> Change:
    """One change with the effect of all of these, one after the other."""
    first, last = changes[0], changes[-1]
    jobs: dict[str, float | None] = {}
    for change in changes:
        jobs |= change.jobs
    return replace(
        last,
        table=replace(last.table, changes=first.table.changes),
        interaction=None,
        due=tuple(dict.fromkeys(name for change in changes for name in change.due)),
        since=first.since,
        members=any(change.members for change in changes),
        records=[record for change in changes for record in change.records],
        jobs=jobs,
        decided=[decided for change in changes for decided in change.decided],
        act="",  # their numbers wouldn't fit
    )
