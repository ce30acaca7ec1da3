"""Stores many actions in one transaction: the way to a position then costs one write, not hundreds."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from bot.service import Services
from bot.store import Change
from bot.store.sql.tables import Statement
from tests.bot.oracle import begin_again


@asynccontextmanager
async def at_once(services: Services) -> AsyncIterator[None]:
    """Store all changes that a game makes in the block together, when it ends. Listeners learn of the last one only.

    Each interaction counts as new. Meanwhile the store counts as not shared: the cache is ahead of it.
    """
    repository: Any = services.repository
    store: Any = repository._store
    changes, notices = dict[int, list[Change]](), dict[int, Any]()
    """By game: a bot can play in another one meanwhile."""

    async def save(change: Change) -> None:
        changes.setdefault(change.table.number, []).append(change)

    def tell(table: Any) -> None:
        notices[table.number] = table

    async def interaction(id: str) -> None:
        """No interaction is known."""

    repository.drop_cache()  # it can be out of date if the store is shared
    store.save, store.interaction, store.shared, repository.tell = save, interaction, False, tell
    try:
        yield
    finally:
        del store.save, store.interaction, store.shared, repository.tell
    for number, made in changes.items():
        together = _together(made)
        await type(store).save(store, together)
        await store.transaction(lambda run, made=made: run(*_lines(made)))
        for time in filter(None, together.jobs.values()):
            repository._expect(time)
        if table := repository._cache.table(number):  # it has counted more changes than the store
            repository._cache.keep(replace(table, changes=table.changes - len(made) + 1))
        begin_again(store, number)
    for table in notices.values():
        repository.tell(table)


def _lines(changes: list[Change]) -> list[Statement]:
    """Statements that say in the audit who made which records. Their numbers are none that a change can have."""
    insert = "INSERT INTO acts (game, number, at, actor, kind, record, records) VALUES (?, ?, ?, ?, ?, ?, ?)"
    made = [(change, change.records[0][0]) for change in changes if change.records]
    return [
        (insert, (change.table.number, -1 - first, change.at, change.user, change.act, first, len(change.records)))
        for change, first in made
    ]


def _together(changes: list[Change]) -> Change:
    """One change with the effect of all of these, one after the other, without their lines in the audit."""
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
        act="",
    )
