"""How fast people decided is counted with the change that ended the decision, and kept as long as the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.store import Change, Store
from bot.store.base import Conflict
from bot.store.sql.upkeep import Deleting
from bot.table.promptness import Decided, Promptness, Tally
from bot.table.table import OVER, Table
from tests.bot.store.conftest import OpenStore
from tests.bot.store.sample import NEW, add

ANN, BOB = 11, 12
IN_HOUR, IN_HOURS, IN_DAY, LONGER, LATE = Promptness


async def new(store: Store, number: int, guild: int = 1) -> Table:
    """A new table in a channel and with an interaction of its own."""
    return await add(store, replace(NEW, guild=guild, channel=number), f"i{number}")


async def count(store: Store, table: Table, *decided: Decided, status: str = OVER) -> Table:
    """Store a change with which these decisions end."""
    changed = replace(table, version=table.version + 1, status=status)
    await store.save(Change(changed, None, (), since=table.version, at=100.0, decided=decided))
    return replace(changed, changes=table.changes + 1)


def tally(counts: Sequence[int], games: int = 1) -> Tally:
    return Tally(dict(zip(Promptness, counts, strict=True)), games)


async def test_decisions_are_counted_by_person_and_server(store: Store, beside: OpenStore) -> None:
    first, second, elsewhere = await new(store, 1), await new(store, 2), await new(store, 3, guild=2)
    for one in Promptness:
        first = await count(store, first, Decided(ANN, one), Decided(BOB, LATE))
    await count(store, first, Decided(ANN, IN_DAY))
    await count(store, second, Decided(ANN, IN_HOUR))
    await count(store, elsewhere, Decided(BOB, LONGER))
    other = await beside("discord")
    assert await other.promptness(1, [ANN, BOB, 13]) == {
        ANN: tally((2, 1, 2, 1, 1), games=2),
        BOB: tally((0, 0, 0, 0, 5)),
    }
    assert await other.promptness(1, [BOB]) == {BOB: tally((0, 0, 0, 0, 5))}
    assert await other.promptness(2, [ANN, BOB]) == {BOB: tally((0, 0, 0, 1, 0))}
    assert await other.promptness(1, []) == await (await beside("another")).promptness(1, [ANN, BOB]) == {}
    assert await other.promptness_by_game(BOB) == [(1, 1, tally((0, 0, 0, 0, 5))), (3, 2, tally((0, 0, 0, 1, 0)))]


async def test_a_change_that_is_not_stored_counts_nothing(store: Store) -> None:
    table = await new(store, 1)
    await count(store, table, Decided(ANN, IN_HOUR))
    with pytest.raises(Conflict):
        await count(store, table, Decided(ANN, IN_HOUR))
    assert await store.promptness(1, [ANN]) == {ANN: tally((1, 0, 0, 0, 0))}


async def test_it_is_forgotten_with_the_person_and_deleted_with_the_game(store: Store, beside: OpenStore) -> None:
    table = await count(store, await new(store, 1), Decided(ANN, IN_HOUR), Decided(BOB, IN_HOUR))
    await (await beside("another")).forget(ANN)
    assert (await store.promptness(1, [ANN, BOB])).keys() == {ANN, BOB}
    await store.forget(ANN)
    assert (await store.promptness(1, [ANN, BOB])).keys() == {BOB}
    assert not await Deleting(store._database, 1, lambda number: None).some()
    assert await store.table(table.number) is None
    assert await store.promptness(1, [ANN, BOB]) == {}
