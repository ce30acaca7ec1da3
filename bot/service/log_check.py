"""Whether the logs of tables lead to the tables as stored. If one doesn't, the program is wrong."""

from __future__ import annotations

from bot.store import Store
from bot.table.log import fold
from bot.table.table import LOBBY, RUNNING
from engine.errors import MalformedInput, RefereeError, ReplayError
from engine.record import Record

MOST = 100
"""Maximum number of tables to check: a long game takes a tenth of a second."""


async def inconsistent_tables(store: Store) -> list[int]:
    """Numbers of the tables whose logs lead elsewhere, among the latest open tables that have a log."""
    looked, found = 0, list[int]()
    for number in reversed(await store.numbers()):
        if looked == MOST:
            break
        follows = await _follows(store, number)
        looked += follows is not None
        if follows is False:
            found.append(number)
    return found


async def _follows(store: Store, number: int) -> bool | None:
    """Whether a table follows from its log; None if that can't be decided. Damage is found elsewhere."""
    try:
        table = await store.any_table(number)
        if table is None or table.status not in (LOBBY, RUNNING) or not table.logged:
            return None
        entries, data = await store.acts(number), await store.records(number)
        records = [Record.from_json(record) for record in data]
        now = await store.any_table(number)
    except (RefereeError, MalformedInput):
        return None
    if now is None or now.changes != table.changes:  # the table has changed meanwhile
        return None
    try:
        return fold(entries, table.config, records) == table
    except ReplayError:
        return False
