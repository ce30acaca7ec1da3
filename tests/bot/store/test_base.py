"""What every store promises: whole changes, refused ones without a trace, and nothing of another namespace."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from bot.models import CANCELLED, LOBBY, OVER, PANEL, RUNNING, Deadline, Member, Projection, Table, UserSettings
from bot.store import Change, Conflict, Store, Taken, open_store
from bot.store.base import Session
from engine.chance import commitment
from engine.config import Config
from tests.bot.store.memory_store import Contents, MemoryStore

SEED = bytes(range(32))
MEMBERS = (
    Member(11, "Ann ✨", "red", True, "a phrase", "i1"),
    Member(12, "Bob", "blue", False, "", "i2"),
)
NEW = Table(
    number=0,
    guild=1,
    channel=5,
    status=LOBBY,
    host=11,
    anyone_starts=True,
    config=Config(("red", "blue"), target=8, options=(("a", "b"),)),
    members=MEMBERS,
    commitment="",
    entropy=(),
    version=1,
    created=100.0,
    updated=100.0,
)


OpenStore = Callable[[str], Awaitable[Store]]


@pytest_asyncio.fixture(params=["sqlite", "postgresql", "memory"])
async def beside(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[OpenStore]:
    """Opens the store of a namespace, as one more process would."""
    stores: list[Store] = []
    contents = Contents()
    where: Path | str = tmp_path / "games.db"
    if request.param == "postgresql":
        where = request.getfixturevalue("new_database")()

    async def open_one(namespace: str) -> Store:
        if request.param == "memory":
            stores.append(MemoryStore(namespace, contents))
        else:
            stores.append(await open_store(where, namespace=namespace))
        return stores[-1]

    yield open_one
    for store in stores:
        await store.close()


@pytest_asyncio.fixture
async def store(beside: OpenStore) -> Store:
    return await beside("discord")


async def add(store: Store, table: Table = NEW, interaction: str = "i0") -> Table:
    return await store.add_table(table, SEED, interaction, (PANEL,))


def promise(number: int) -> str:
    return commitment(SEED, str(number))


async def test_a_table_comes_back_as_it_was_stored(store: Store) -> None:
    table = await add(store)
    assert table == replace(NEW, number=1, commitment=promise(1))
    assert await store.table(1) == await store.open_table(5) == await store.latest_table(5) == table
    assert await store.seed(1) == SEED
    changed = replace(
        table, status=RUNNING, host=12, entropy=("i1", "ß"), version=2, updated=101.5, members=MEMBERS[1:]
    )
    await store.save(Change(changed, "i3", (PANEL,), since=1, at=100.0, members=True, records=[(0, -1, {"a": [1]})]))
    assert await store.table(1) == changed
    assert await store.records(1) == [{"a": [1]}]
    assert await store.progress(1) == (2, 1)
    assert await store.interaction("i0") == (1, None)
    assert await store.interaction("i3") == (1, 0)
    assert await store.interaction("i4") is None


async def test_the_games_of_a_channel_the_newest_first(store: Store, beside: OpenStore) -> None:
    tables = [(OVER, 5), (CANCELLED, 5), (OVER, 6), (OVER, 5), (LOBBY, 5)]
    for number, (status, channel) in enumerate(tables):
        await add(store, replace(NEW, status=status, channel=channel), interaction=f"i{number}")
    assert await store.tables_in(5, [OVER], 10) == [4, 1]
    assert await store.tables_in(5, [OVER, LOBBY], 2) == [5, 4]
    assert await store.tables_in(5, [RUNNING], 10) == []
    assert await (await beside("another")).tables_in(5, [OVER], 10) == []


async def test_a_table_without_members_is_a_table(store: Store) -> None:
    table = await add(store, replace(NEW, members=(), config=Config(())))
    assert await store.table(1) == table


async def test_a_channel_has_one_open_table(store: Store) -> None:
    table = await add(store)
    with pytest.raises(Conflict):
        await add(store, interaction="other")
    assert await store.interaction("other") is None  # nothing of it is left
    await store.save(Change(replace(table, status=CANCELLED, version=2), "i5", (), since=1, at=100.0))
    assert await store.open_table(5) is None
    assert (await add(store, interaction="other")).number > table.number
    with pytest.raises(Conflict):
        await store.save(Change(replace(table, status=RUNNING, version=3), "i6", (), since=2, at=100.0))
    assert await store.progress(1) == (2, 0)


async def test_a_change_of_an_older_version_leaves_no_trace(store: Store, beside: OpenStore) -> None:
    table = await add(store)
    other = await beside("discord")
    await other.save(Change(replace(table, version=2), "i5", (), since=1, at=100.0, records=[(0, -1, [])]))
    late = replace(table, version=2, host=12)
    with pytest.raises(Conflict):
        await store.save(Change(late, "i6", (PANEL, "hand:11"), since=1, at=100.0, members=True, records=[(1, 0, [])]))
    with pytest.raises(Conflict):  # a record that is there
        await store.save(Change(replace(late, version=3), "i6", (), since=2, at=100.0, records=[(0, 0, [])]))
    assert await store.table(1) == await other.table(1) == replace(table, version=2)
    assert await store.records(1) == [[]]
    assert await store.interaction("i6") is None
    assert list(await store.visible(1)) == [PANEL]


async def test_a_repeated_interaction_undoes_all_of_its_transaction(store: Store) -> None:
    table = await add(store)
    await store.save(Change(replace(table, version=2), "i5", (), since=1, at=100.0, records=[(0, -1, [])]))
    with pytest.raises(Conflict):
        await store.save(Change(replace(table, version=3, host=12), "i5", (), since=2, at=100.0, records=[(1, 0, [])]))
    assert (await store.table(1)) == replace(table, version=2)
    assert await store.progress(1) == (2, 1)


async def test_namespaces_share_numbers_and_nothing_else(store: Store, beside: OpenStore) -> None:
    await add(store)
    other = await beside("offline 2")
    assert await other.open_table(5) is None
    assert await other.interaction("i0") is None
    assert await other.table(1) is None
    assert await other.any_table(1) is not None
    assert (await add(other)).number == 2  # numbers go on, ids start anew
    assert await store.pending() == [1]
    assert await other.pending() == [2]
    assert await other.numbers() == [1, 2]
    await store.save_settings(UserSettings(11, standing=6))
    assert await other.settings(11) == UserSettings(11)


async def test_marks_of_what_is_shown(store: Store) -> None:
    table = await add(store)
    assert await store.visible(1) == {PANEL: Projection(PANEL, 1, 0, None, None)}
    for _ in range(2):
        await store.shown(1, PANEL, 1, 5, 77)
    await store.shown(1, "ping:11", 1, 5, 78)
    assert await store.pending() == []
    await store.save(Change(replace(table, version=2), "i5", (PANEL,), since=1, at=100.0))
    assert await store.pending() == [1]
    await store.shown(1, PANEL, 2, None, None)  # edited in place
    await store.shown(1, PANEL, 1, 5, 99)  # late: an older one
    ping = Projection("ping:11", 1, 1, 5, 78)
    assert await store.visible(1) == {PANEL: Projection(PANEL, 2, 2, 5, 77), "ping:11": ping}
    for _ in range(2):
        await store.gone(1, "ping:11")
    assert list(await store.visible(1)) == [PANEL]


async def test_a_new_name_changes_no_version(store: Store) -> None:
    table = await add(store)
    await store.rename(1, 12, "Bobby")
    members = (MEMBERS[0], replace(MEMBERS[1], name="Bobby"))
    assert await store.table(1) == replace(table, members=members)
    await store.save(Change(replace(table, version=2), None, (), since=1, at=100.0))  # the members are not written
    assert await store.table(1) == replace(table, members=members, version=2)


async def test_time_in_which_nobody_was_there_does_not_count(store: Store, beside: OpenStore) -> None:
    other = await beside("another")
    tables = [await add(store, replace(NEW, channel=channel), f"i{channel}") for channel in (5, 6, 7)]
    tables.append(await add(other, NEW, "i8"))
    for table in (tables[2], tables[0]):
        limited = replace(table, version=2, status=RUNNING, updated=150.0, deadline=Deadline(3, 400.0))
        await store.save(Change(limited, f"d{table.number}", (), since=1, at=150.0))
    assert await store.with_deadline() == [1, 3]
    assert await store.played_by(12) == [1, 3]
    assert await store.wake(250.0) == 100.0  # since the latest change
    await store.alive(300.0)
    assert await store.wake(350.0) == 50.0
    assert await store.wake(340.0) == 0.0  # a clock that is set back
    found = await store.table(1)
    assert found is not None
    assert (found.deadline, found.version) == (Deadline(3, 550.0), 5)
    assert (await store.visible(1))[PANEL].due == 5
    assert await store.table(2) == tables[1]
    assert await other.table(4) == tables[3]


async def test_what_nobody_has_touched(store: Store) -> None:
    for number, (status, time) in enumerate([(LOBBY, 10.0), (LOBBY, 30.0), (OVER, 10.0), (RUNNING, 30.0)]):
        await add(store, replace(NEW, status=status, channel=number, updated=time), f"i{number}")
    assert await store.untouched({LOBBY: 20.0, RUNNING: 20.0}) == [1]
    assert sorted(await store.untouched({LOBBY: 20.0, RUNNING: 40.0})) == [1, 4]
    assert await store.untouched({LOBBY: 10.0}) == []


async def test_settings_have_defaults_and_are_kept(store: Store) -> None:
    assert await store.settings(7) == UserSettings(7)
    chosen = UserSettings(7, dms=False, dms_closed=True, standing=6)
    await store.save_settings(chosen)
    assert await store.settings(7) == chosen


async def test_a_cancelled_commit_is_whole(store: Store) -> None:
    table = await add(store)
    for number in range(20):
        task = asyncio.create_task(
            store.save(
                Change(
                    replace(table, version=number + 2),
                    f"a{number}",
                    (PANEL,),
                    since=number + 1,
                    at=100.0,
                    records=[(number, 0, [])],
                )
            )
        )
        for _ in range(number):
            await asyncio.sleep(0)
        if number % 2:
            await asyncio.sleep(0.001)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        if number == 0:  # cancelled before it began
            assert await store.progress(1) == (1, 0)
            await store.save(Change(replace(table, version=2), "a0", (), since=1, at=100.0, records=[(0, 0, [])]))
            continue
        async with asyncio.timeout(5.0):  # on a connection of its own it may still be under way
            while await store.progress(1) != (number + 2, number + 1):  # noqa: ASYNC110
                await asyncio.sleep(0.001)


# --- who shows a game


async def test_a_game_is_shown_by_one_process_at_a_time(beside: OpenStore) -> None:
    one, two = await beside("discord"), await beside("discord")
    number = (await add(one)).number
    assert await one.take(number, now=100, until=120) is Taken.NEWLY
    assert await two.take(number, now=110, until=130) is Taken.NOT
    assert await one.take(number, now=110, until=130) is Taken.STILL
    assert not await one.give_back(number)  # the panel is due
    await one.shown(number, PANEL, 1)
    assert await one.give_back(number)
    assert await one.take(number, now=110, until=130) is Taken.STILL  # nobody else had it
    assert await one.give_back(number)
    assert await two.take(number, now=111, until=131) is Taken.NEWLY
    assert not await one.give_back(number)
    assert await one.take(number, now=112, until=132) is Taken.NOT


async def test_who_dies_loses_what_it_shows_after_a_while(beside: OpenStore) -> None:
    dead, two = await beside("discord"), await beside("discord")
    number = (await add(dead)).number
    assert await two.take_pending(now=119, until=140, since=99, most=5) == []
    await dead.take(number, now=100, until=120)
    assert await two.take_pending(now=119, until=140, since=119, most=5) == []
    assert await two.take_pending(now=121, until=140, since=121, most=5) == [number]
    assert await two.take_pending(now=122, until=140, since=122, most=5) == []
    await two.keep_taken(160)
    assert await dead.take(number, now=141, until=170) is Taken.NOT
    await dead.keep_taken(500)
    assert await dead.take(number, now=161, until=170) is Taken.NEWLY


async def test_what_is_pending_is_shared_out(beside: OpenStore) -> None:
    stores = [await beside("discord") for _ in range(4)]
    for channel in range(30):
        await add(stores[0], replace(NEW, channel=channel), f"i{channel}")
    strange = await beside("elsewhere")
    assert await strange.take_pending(now=100, until=120, since=100, most=5) == []
    shares = [
        await asyncio.gather(*(s.take_pending(now=100, until=120, since=100, most=5) for s in stores)) for _ in range(3)
    ]
    taken = [number for share in shares for numbers in share for number in numbers]
    taken += [n for _ in range(3) for n in await stores[0].take_pending(now=100, until=120, since=100, most=5)]
    assert sorted(taken) == sorted(await stores[0].pending())
    assert len(set(taken)) == len(taken) == 30


async def test_what_failed_rests_but_can_be_taken_on_demand(beside: OpenStore) -> None:
    one, two = await beside("discord"), await beside("discord")
    number = (await add(one)).number
    await one.take(number, now=100, until=120)
    assert await one.give_back(number, rest=160)
    assert await two.take_pending(now=150, until=170, since=150, most=5) == []
    assert await two.take(number, now=150, until=170) is Taken.NEWLY
    await two.give_back(number, rest=160)
    await one.keep_taken(500)
    assert await one.take_pending(now=161, until=180, since=161, most=5) == [number]


async def test_what_waits_is_found_when_something_else_is_due(beside: OpenStore) -> None:
    """As hands do, which rest long: nobody may overlook a panel beside them."""
    one, two = await beside("discord"), await beside("discord")
    table = await one.add_table(NEW, SEED, "i0", ("hand:7",))
    await one.take(table.number, now=100, until=120)
    assert not await one.give_back(table.number, rest=1900, only="panel")
    assert await one.give_back(table.number, rest=1900, only="hand:")
    assert await two.take_pending(now=150, until=170, since=150, most=5) == []
    await one.save(Change(replace(table, version=2), "i1", (PANEL,), since=1, at=100.0))
    assert await two.take_pending(now=150, until=170, since=150, most=5) == [table.number]
    assert not await two.give_back(table.number, rest=1900, only="hand:")


# --- which process connects which shard


async def test_a_shard_has_one_process_and_its_session_goes_on(beside: OpenStore) -> None:
    one, two, session = await beside("discord"), await beside("discord"), Session("abc", 7, "wss://there")
    assert await one.session(3) is None
    assert await one.take_shard(3, of=4, now=100, until=115)
    assert not await two.take_shard(3, of=4, now=110, until=125)
    mine = (await one.share(now=110, until=125, sessions={3: session})).process
    sharing = await two.share(now=111, until=126, sessions={3: None})  # which it hasn't got
    assert sharing.processes == {mine, sharing.process}
    assert (sharing.shards, sharing.of) == ({3: mine}, 4)
    await one.leave_shards({3: Session("abc", 9, "wss://there")})
    assert (await two.share(now=112, until=127, sessions={})).shards == {}
    assert await two.take_shard(3, of=4, now=112, until=127)
    assert await two.session(3) == Session("abc", 9, "wss://there")
    await two.leave_shards({3: None})
    assert await one.take_shard(3, of=8, now=113, until=128)
    assert await one.session(3) is None  # another shard, by the same number


async def test_a_process_that_is_silent_loses_its_shards_to_who_takes_them(beside: OpenStore) -> None:
    dead, two = await beside("discord"), await beside("discord")
    for shard in (0, 1):
        assert await dead.take_shard(shard, of=2, now=100, until=115)
    sharing = await two.share(now=116, until=131, sessions={})
    assert sharing.processes == {sharing.process}
    assert (dict(sharing.shards), sharing.of) == ({}, 0)
    assert await two.take_shard(0, of=2, now=116, until=131)
    back = await dead.share(now=117, until=132, sessions={0: None, 1: None})
    assert back.shards == {0: sharing.process, 1: back.process}
    await dead.leave()
    assert (await two.share(now=118, until=133, sessions={0: None})).processes == {sharing.process}
    assert await two.take_shard(1, of=2, now=118, until=133)


async def test_new_sessions_begin_one_after_the_other(beside: OpenStore) -> None:
    stores = [await beside("discord") for _ in range(3)]
    turns = [await store.turn(0, now=100.0 + n, apart=5.0) for n, store in enumerate(stores)]
    assert turns == [100.0, 105.0, 110.0]
    assert await stores[0].turn(1, now=103.0, apart=5.0) == 103.0
    assert await stores[0].turn(0, now=130.0, apart=5.0) == 130.0
