"""Checks that each table's log leads to the stored table; used at the end of tests."""

from __future__ import annotations

from bot.store import Store
from bot.table.log import fold
from engine.record import Record


async def check_log(store: Store, number: int) -> list[str]:
    """Check that a table's log leads to what is stored of it. Returns the kinds of its entries; empty without a log."""
    table = await store.any_table(number)
    assert table is not None
    if not table.logged:
        return []
    entries = await store.acts(number)
    folded = fold(entries, table.config, [Record.from_json(data) for data in await store.records(number)])
    assert folded == table
    assert (folded.orders, folded.changes, folded.records) == (table.orders, table.changes, table.records)
    return [entry.act.kind for entry in entries]


async def check_logs(store: Store) -> None:
    """Check the logs of all tables."""
    for number in await store.numbers():
        await check_log(store, number)
