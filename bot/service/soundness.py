"""Whether what is stored of tables fits together. If it doesn't, the program is wrong."""

from __future__ import annotations

from collections.abc import Container

from bot.store import Damaged, Newer, Store
from bot.table.invariants import faults
from bot.table.table import LOBBY, RUNNING
from engine.errors import ConfigError, MalformedInput, ReplayError
from engine.game import Game
from engine.record import Record

MOST = 100
"""Maximum number of tables to check: a long game takes a tenth of a second."""
DAMAGED = "it isn't what was written"


async def unsound_tables(store: Store, known: Container[int] = ()) -> dict[int, str]:
    """What is wrong with tables by number, among the latest open ones; those already `known` are left out."""
    looked, found = 0, dict[int, str]()
    for number in reversed(await store.numbers()):
        if looked == MOST:
            break
        fault = "" if number in known else await _fault(store, number)
        looked += fault is not None
        if fault:
            found[number] = fault
    return found


async def _fault(store: Store, number: int) -> str | None:
    """What is wrong with an open table; empty: nothing. None: it isn't open, or can't be judged here or now."""
    try:
        table = await store.any_table(number)
        if table is None or table.status not in (LOBBY, RUNNING):
            return None
        data = await store.records(number)
        if await store.any_table(number) != table:  # it has changed meanwhile
            return None
        game = Game.replay(table.config, [Record.from_json(record) for record in data]) if data else None
    except (Newer, MalformedInput, ConfigError):  # a newer version wrote it
        return None
    except Damaged:
        return DAMAGED
    except ReplayError:
        return "it can't be replayed"
    return next(faults(table, game), "")
