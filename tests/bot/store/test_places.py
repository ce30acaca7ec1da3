"""What every store promises about games on servers, and about games that can't be shown until Discord says so."""

from __future__ import annotations

from dataclasses import replace

from bot.projections import CLOSED_THREAD, LEFT, PANEL, TROUBLE, Kind, Move, Name, Place, moved
from bot.store import Change, Store
from bot.store.base import GameLocation
from bot.table.table import CANCELLED, OVER
from tests.bot.noted import noted
from tests.bot.store.conftest import OpenStore
from tests.bot.store.sample import NEW, add


async def test_games_can_be_found_by_server(store: Store, beside: OpenStore) -> None:
    elsewhere = await beside("another")
    tables = [await add(store, replace(NEW, channel=channel, guild=guild), f"i{channel}") for channel, guild in PLACES]
    await add(elsewhere, replace(NEW, channel=5, guild=1), "x")
    await add(store, replace(NEW, channel=9, guild=None), "y")
    await store.note(tables[1].number, [noted(TROUBLE, 1)])
    await store.note(tables[2].number, [noted(CLOSED_THREAD, 1)])
    over = replace(tables[3], version=2, status=CANCELLED)
    await store.save(Change(over, None, (PANEL,), since=1, at=5.0))
    assert (await store.places())[3:] == [GameLocation(over.number, 1, 8, 2, open=False, unseen=False)]
    await store.note(over.number, [noted(PANEL, 2)])
    unseen = (False, True, True)
    every = [GameLocation(t.number, t.guild or 0, t.channel, 1, True, u) for t, u in zip(tables, unseen, strict=False)]
    assert await store.places() == every
    assert await store.places([1]) == [every[0], every[2]]
    assert await store.places([]) == []
    assert await store.places(range(1500)) == every


PLACES = ((5, 1), (6, 2), (7, 1), (8, 1))


async def test_nothing_is_due_for_a_game_that_cannot_be_shown_until_someone_acts(store: Store) -> None:
    table = await add(store)
    number = table.number
    await store.note(number, [noted(LEFT, 1)])
    assert (await store.pending(), (await store.backlog(50.0)).due) == ({}, 0)
    await store.save(Change(replace(table, version=2), None, (PANEL,), since=1, at=5.0))  # the clock
    assert (await store.pending(), (await store.backlog(50.0)).due) == ({}, 0)
    changed = replace(table, version=3, changes=2)
    await store.save(Change(changed, None, (PANEL,), since=2, at=5.0, user=11))
    assert list(await store.pending()) == [number]
    await store.save(Change(replace(table, version=4, changes=3), None, (PANEL,), since=3, at=5.0))
    assert list(await store.pending()) == [number]
    await store.note(number, [noted(LEFT, 4)])
    assert not await store.pending()
    await store.note(number, gone=[LEFT])
    assert list(await store.pending()) == [number]


async def test_the_end_of_a_game_that_cannot_be_shown_is_due(store: Store) -> None:
    table = await add(store)
    await store.note(table.number, [noted(CLOSED_THREAD, 1)])
    await store.save(Change(replace(table, version=2, status=OVER), None, (PANEL,), since=1, at=5.0))
    assert list(await store.pending()) == [table.number]


async def test_who_was_last_notified_of_a_topic_is_known_by_server(store: Store, beside: OpenStore) -> None:
    elsewhere = await beside("another")
    tables = [await add(store, replace(NEW, channel=channel, guild=guild), f"i{channel}") for channel, guild in PLACES]
    other = await add(elsewhere, replace(NEW, channel=5, guild=1), "x")
    there = [(tables[0], "a", 11, 70), (tables[2], "a", 11, 80), (tables[3], "a", 11, 75), (tables[3], "b", 11, 90)]
    there += [(tables[1], "a", 11, 99), (other, "a", 11, 98), (tables[0], "a", 12, 60), (tables[0], "a", 14, 65)]
    for table, topic, user, message in there:
        name = Name(Kind.NOTIFIED, topic, user)
        await store.note(table.number, [moved(None, name, Move.COVER, 1, Place(0, message))])
    await store.note(tables[0].number, [moved(None, Name(Kind.NOTIFIED, "a", 13), Move.COVER, 1)])
    await store.note(tables[0].number, [moved(None, Name(Kind.OWED, "a", 11), Move.COVER, 1, Place(0, 97))])
    assert await store.notified(1, "a", [11, 12, 13]) == {11: 80, 12: 60}
    assert await store.notified(2, "a", [11, 12]) == {11: 99}
    assert await store.notified(1, "a", []) == {}
