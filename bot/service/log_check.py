"""Whether the logs of tables lead to the tables as they are stored: where one doesn't, the program is wrong."""

from __future__ import annotations

from bot.store import Store
from bot.table.log import fold
from bot.table.table import LOBBY, RUNNING
from engine.errors import RefereeError, ReplayError
from engine.record import Record


async def astray(store: Store) -> list[int]:
    """Numbers of the tables, of those that are open, whose logs lead elsewhere; what is damaged is another matter."""
    return [number for number in await store.numbers() if await _is_astray(store, number)]


async def _is_astray(store: Store, number: int) -> bool:
    try:
        table = await store.any_table(number)
        if table is None or table.status not in (LOBBY, RUNNING) or not table.logged:
            return False
        entries, records = await store.acts(number), await store.records(number)
        now = await store.any_table(number)
        if now is None or now.changes != table.changes:  # somebody has played meanwhile
            return False
    except RefereeError:
        return False
    try:
        return fold(entries, table.config, [Record.from_json(record) for record in records]) != table
    except ReplayError:
        return True
