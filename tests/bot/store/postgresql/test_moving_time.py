"""All deadlines move in one transaction, while other processes go on changing tables."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.store import Change, Conflict
from bot.store.postgresql.store import PostgresStore
from bot.store.sql.database import Execute
from bot.table.table import DEADLINE, RUNNING, Deadline, Table, Wait
from tests.bot.store.sample import add
from tests.postgres import NewDatabase

MOMENT = 0.2
"""Seconds for which somebody waits for a row, or doesn't."""


async def begun(new_database: NewDatabase) -> tuple[PostgresStore, PostgresStore, Table]:
    """The stores of two processes, and a table with a deadline."""
    address = new_database()
    one, two = await PostgresStore.open(address), await PostgresStore.open(address)
    waits, limit = (Wait(0, 3, 140.0, 400.0),), Deadline(3, 400.0)
    table = replace(await add(one), version=2, status=RUNNING, deadline=limit, waits=waits)
    await one.save(Change(table, "i1", (), since=1, at=150.0, jobs={DEADLINE: 400.0}))
    return one, two, table


async def test_no_change_is_lost_that_is_stored_meanwhile(new_database: NewDatabase) -> None:
    """Else a game waits for who has just acted, and nobody else is reminded."""
    one, two, table = await begun(new_database)
    changed = replace(table, version=3, waits=(Wait(1, 4, 300.0, 560.0),))
    saving = list[asyncio.Task[None]]()

    async def body(run: Execute) -> None:
        async def slowly(*statements: Any) -> Any:
            found = await run(*statements)
            if not saving:  # it has read the tables
                saving.append(asyncio.create_task(two.save(Change(changed, "i2", (), since=2, at=300.0))))
                await asyncio.wait(saving, timeout=MOMENT)
            return found

        await one._moved(slowly, 100.0)

    await one._database.write(body)
    with pytest.raises(Conflict):  # so it is made anew, from what is stored now
        await saving[0]
    found = await one.table(table.number)
    assert found is not None
    assert found.waits == (Wait(0, 3, 240.0, 500.0, asked=140.0),)
    for store in (one, two):
        await store.close()


async def test_a_change_and_the_move_never_wait_for_each_other(new_database: NewDatabase) -> None:
    one, two, table = await begun(new_database)
    moving = list[asyncio.Task[None]]()

    async def body(run: Execute) -> None:
        """What `save` does, in its order."""
        await run(("UPDATE games SET version = 3 WHERE number = ?", (table.number,)))
        moving.append(asyncio.create_task(one.move(100.0)))
        await asyncio.wait(moving, timeout=MOMENT)
        await run(("UPDATE jobs SET at = 420 WHERE game = ?", (table.number,)))

    await two._database.write(body)
    await moving[0]
    assert await one.next_job(1.0) == 520.0
    for store in (one, two):
        await store.close()
