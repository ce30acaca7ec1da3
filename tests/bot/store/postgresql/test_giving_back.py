"""A process stops showing a game in the moment in which something of it becomes due."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.projections import HAND, PANEL, hand_name
from bot.store import Change
from bot.store.postgresql.store import PostgresStore
from bot.store.sql.database import Execute
from tests.bot.store.sample import add
from tests.postgres import NewDatabase

MOMENT = 0.2
"""Seconds for which somebody waits for a row."""


@pytest.mark.parametrize(("rest", "only"), [(None, ""), (21_600.0, HAND)])
async def test_a_change_under_way_is_shown_although_its_process_dies(
    new_database: NewDatabase, rest: float | None, only: str
) -> None:
    """Else the game would rest, with the panel of before, until somebody does something again."""
    store = await PostgresStore.open(new_database())
    table = await add(store)
    hand = hand_name(11)
    await store.save(Change(replace(table, version=2), "i1", (hand,), since=1, at=100.0))
    await store.shown(table.number, PANEL, 2)
    if rest is None:
        await store.shown(table.number, hand, 2)
    await store.take(table.number, now=100.0, until=115.0)
    giving = list[asyncio.Task[bool]]()

    async def body(run: Execute) -> None:
        """What `save` does, in its order."""
        number = table.number
        await run(("UPDATE games SET version = 3, rests_until = 0 WHERE number = ?", (number,)))
        await run(("UPDATE projections SET due = 3 WHERE game = ? AND what = ?", (number, PANEL)))
        giving.append(asyncio.create_task(store.give_back(number, rest, only=only)))
        await asyncio.wait(giving, timeout=MOMENT)

    await store._database.write(body)
    assert not await giving[0]
    assert await store.take_pending(116.0, 131.0, since=116.0, most=9) == [table.number]
    await store.close()
