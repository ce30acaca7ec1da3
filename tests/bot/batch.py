"""A long way to a position, stored at once: what an action costs in a database is paid once, not hundreds of times."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from bot.service import Services
from bot.store import Change


@asynccontextmanager
async def at_once(services: Services) -> AsyncIterator[None]:
    """Changes of one game in here are stored together when all is done, each interaction as if it were new. Who listens
    is told of the last.

    Meanwhile the store is taken to be this process's alone: others would read what is no longer so.
    """
    repository: Any = services.repository
    store: Any = repository._store
    kept, told = list[Change](), list[Any]()
    number = ahead = 0  # by so many changes memory is ahead of the store, which has counted several as one

    async def stored(change: Change) -> None:
        await type(store).save(
            store, replace(change, table=replace(change.table, changes=change.table.changes - ahead))
        )

    async def flush() -> None:
        nonlocal number, ahead
        if kept:
            together, many = _together(kept), len(kept)
            number = together.table.number
            kept.clear()
            await stored(together)
            ahead += many - 1
            for time in filter(None, together.jobs.values()):
                repository._expect(time)

    async def save(change: Change) -> None:
        kept.append(change)

    def tell(*change: Any) -> None:
        told[:] = change

    async def interaction(id: str) -> None:
        """Nothing is known of any."""

    repository.drop_cache()  # of a store that is shared, it may be old
    store.save, store.interaction, store.shared, repository.tell = save, interaction, False, tell
    try:
        yield
    finally:
        del store.save, store.interaction, store.shared, repository.tell
    await flush()
    if number and (table := repository._cache.table(number)):
        repository._cache.keep(replace(table, changes=table.changes - ahead, logged=False))
    if told:
        repository.tell(*told)


def _together(changes: list[Change]) -> Change:
    """One that does what all of these do, one after the other."""
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
        acts=(),  # whose numbers wouldn't fit: the log begins anew afterwards
    )
