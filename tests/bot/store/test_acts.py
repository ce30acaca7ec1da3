"""A table's log, as every store keeps it: stored with each change; a change without an entry is noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.store import Change, Conflict, Damaged, Newer, Store
from bot.table.acts.lobby import Cancel, Leave
from bot.table.acts.seats import OfferSeat
from bot.table.log import Entry, snapshot_entry
from bot.table.table import Table
from tests.bot.store.behind import ask
from tests.bot.store.conftest import OpenStore
from tests.bot.store.sample import NEW, add


async def test_a_tables_log_is_stored_with_its_changes(store: Store, beside: OpenStore) -> None:
    table = await add(store)
    [first] = await store.acts(1)
    assert first == snapshot_entry(table)
    entries = [
        Entry(n, 1, n + 1, 100.5, 1 << 60, act, "i", (), ((1.0, 2.0),)) for n, act in ((1, Leave()), (2, Cancel()))
    ]
    for n, entry in enumerate(entries, 1):
        after = replace(table, changes=n, version=n + 1)
        await store.save(
            Change(after, f"a{n}", (), since=n, at=100.5, records=[(0, -1, {})] if n == 1 else (), acts=[entry])
        )
    other = await beside("discord")
    assert await store.acts(1) == await other.acts(1) == [first, *entries]
    late_change = Change(
        replace(table, changes=1, version=3), "a3", (), since=2, at=100.0, acts=[replace(first, number=2)]
    )
    with pytest.raises(Conflict):  # another change, with another entry, was faster
        await store.save(late_change)
    assert await store.acts(1) == [first, *entries]
    table = await known(store)
    assert (table.logged, table.records, table.changes) == (True, 1, 3)
    await store.save(Change(replace(table, version=4), "a4", (), since=3, at=100.0))
    table = await known(store)
    assert not table.logged, "what is stored without an entry is noticed"
    again = snapshot_entry(table)
    await store.save(Change(replace(table, version=5), "a5", (), since=4, at=100.0, acts=[again]))
    assert await store.acts(1) == [again]
    assert await store.logged_of(1 << 60) == []


async def known(store: Store) -> Table:
    """The table with number 1, as it is stored."""
    table = await store.table(1)
    assert table is not None
    return table


async def test_games_with_a_log_that_mentions_a_user_can_be_found(store: Store, beside: OpenStore) -> None:
    gus, elsewhere = 812_345_678_901_234_567, await beside("another")
    acts = (Leave(), OfferSeat(gus), OfferSeat(3), Leave())
    for n, act in enumerate(acts, 1):
        where = elsewhere if n == 4 else store
        table = await add(where, replace(NEW, channel=n), f"i{n}")
        entry = Entry(1, 0, 2, 100.5, gus if isinstance(act, Leave) else 11, act)
        await where.save(Change(replace(table, version=2), f"a{n}", (), since=1, at=100.5, acts=[entry]))
    assert await store.logged_of(gus) == [1, 2]
    assert await elsewhere.logged_of(gus) == [4]


async def test_a_game_can_be_read_even_if_an_entry_of_its_log_cannot(store: Store) -> None:
    await add(store)
    await ask(store, "UPDATE acts SET version = 3")
    with pytest.raises(Damaged) as refused:
        await store.acts(1)
    assert not isinstance(refused.value, Newer)
    assert await known(store) == replace(NEW, number=1, commitment=(await known(store)).commitment)


async def test_an_act_of_a_newer_version_is_not_called_damage(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await add(store)
    with monkeypatch.context() as newer:
        newer.setattr(Leave, "kind", "vanish")
        entry = Entry(1, 0, 2, 100.5, 11, Leave())
        await store.save(Change(replace(table, version=2), "a", (), since=1, at=100.5, acts=[entry]))
    with pytest.raises(Newer):
        await store.acts(1)
