"""What every store promises to several processes: which one shows a game, does a job, and connects a shard."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.store import Change, Conflict, Shards, Store
from bot.store.base import Job, Session
from bot.table.preferences import UserSettings
from tests.bot.store.conftest import OpenStore
from tests.bot.store.sample import NEW, add

# --- jobs


async def test_a_job_stays_due_until_it_is_done_and_not_set_again(beside: OpenStore) -> None:
    store, other, elsewhere = await beside("discord"), await beside("discord"), await beside("elsewhere")
    number = (await add(store)).number
    remind = Job(number, "remind:11", 200.0)
    await store.set_job(remind)
    assert (await store.next_job(100.0), await elsewhere.next_job(100.0)) == (200.0, None)
    assert await other.due_jobs(199.0, 5) == await elsewhere.due_jobs(300.0, 5) == []
    assert await other.due_jobs(200.0, 5) == [remind]
    assert await store.has_job(remind)
    await store.set_job(replace(remind, at=400.0))
    assert not await store.has_job(remind)
    await store.drop_job(remind)  # done at a time that no longer holds
    assert (await other.next_job(262.0), await other.next_job(400.0)) == (400.0, None)
    [again] = await other.due_jobs(400.0, 5)
    assert again == replace(remind, at=400.0, times=1)
    await other.set_job(again)
    assert not await other.has_job(again)
    await other.drop_job(again)  # done, but set again for the same time
    assert await other.due_jobs(400.0, 5) == [replace(again, times=2)]
    await other.drop_job(replace(again, times=2))
    assert await other.next_job(262.0) is None


@pytest.mark.parametrize("server", [1 << 22, (5 << 22) + 77])
async def test_due_games_and_jobs_can_be_found_by_shard(beside: OpenStore, server: int) -> None:
    store = await beside("discord")
    for n, guild in enumerate((None, 0, server)):
        number = (await add(store, replace(NEW, channel=n, guild=guild), f"i{n}")).number
        await store.set_job(Job(number, "remind", 100.0 + n))

    async def found(*shards: int) -> tuple[list[int], list[int], float | None]:
        queried = Shards(4, shards)
        jobs = await store.due_jobs(200.0, 9, queried)
        return list(await store.pending(queried)), [job.game for job in jobs], await store.next_job(0.0, queried)

    assert await found(0, 1) == ([1, 2, 3], [1, 2, 3], 100.0)
    assert await found(0) == ([1, 2], [1, 2], 100.0)
    assert await found(1, 2) == ([3], [3], 102.0)
    assert await found(2) == await found() == ([], [], None)


async def test_a_change_also_sets_and_drops_jobs(store: Store) -> None:
    table = await add(store)
    changed = replace(table, version=2)
    await store.save(Change(changed, None, (), since=1, at=100.0, jobs={"a": 150.0, "b": 160.0}))
    with pytest.raises(Conflict):
        await store.save(Change(changed, None, (), since=1, at=100.0, jobs={"a": None}))
    await store.save(
        Change(replace(table, changes=2, version=3), None, (), since=2, at=100.0, jobs={"a": None, "b": 170.0})
    )
    assert await store.due_jobs(200.0, 5) == [Job(1, "b", 170.0, 1)]


# --- which process connects which shard


async def test_a_shard_has_one_process_and_its_session_is_handed_on(beside: OpenStore) -> None:
    store, other, session = await beside("discord"), await beside("discord"), Session("abc", 7, "wss://there")
    assert await store.session(3) is None
    assert await store.take_shard(3, of=4, now=100, until=115)
    assert not await other.take_shard(3, of=4, now=110, until=125)
    mine = (await store.share(now=110, until=125, sessions={3: session})).process
    sharing = await other.share(now=111, until=126, sessions={3: None})  # a shard that it doesn't have
    assert sharing.processes == {mine, sharing.process}
    assert (sharing.shards, sharing.of) == ({3: mine}, 4)
    await store.leave_shards({3: Session("abc", 9, "wss://there")})
    assert (await other.share(now=112, until=127, sessions={})).shards == {}
    assert await other.take_shard(3, of=4, now=112, until=127)
    assert await other.session(3) == Session("abc", 9, "wss://there")
    await other.leave_shards({3: None})
    assert await store.take_shard(3, of=8, now=113, until=128)
    assert await store.session(3) is None  # another shard with the same number


async def test_another_process_can_take_the_shards_of_a_silent_one(beside: OpenStore) -> None:
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


async def test_only_the_process_that_has_a_shard_can_note_when_it_brings_clicks(beside: OpenStore) -> None:
    store, other = await beside("discord"), await beside("discord")
    assert await other.heard(3) == 0.0
    assert await store.take_shard(3, of=4, now=100, until=115)
    await store.share(110, 125, {3: None}, [3])
    assert await other.heard(3) == 110.0
    await store.share(113, 128, {3: None}, [])
    await other.share(114, 129, {3: None}, [3])  # a shard that it doesn't have
    assert await other.heard(3) == 110.0
    await store.leave_shards({3: None})
    assert await other.take_shard(3, of=4, now=116, until=131)
    assert await other.heard(3) == 110.0, "for who takes it then"


async def test_outages_are_stored_for_one_game_or_for_all(beside: OpenStore) -> None:
    store, other, elsewhere = await beside("discord"), await beside("discord"), await beside("another")
    first, second = await add(store), await add(store, replace(NEW, channel=6), interaction="i6")
    await store.lost(first.number, 100.0)
    assert (await other.unseen(first.number), await other.unseen(second.number)) == (100.0, 0.0)
    await other.lost(None, 90.0)
    assert (await store.unseen(first.number), await store.unseen(second.number)) == (100.0, 90.0)
    await store.lost(None, 80.0)
    await elsewhere.lost(None, 200.0)
    assert await other.unseen(second.number) == 90.0


async def test_new_sessions_begin_one_after_another(beside: OpenStore) -> None:
    stores = [await beside("discord") for _ in range(3)]
    turns = [await store.reserve_turn(0, now=100.0 + n, apart=5.0) for n, store in enumerate(stores)]
    assert turns == [100.0, 105.0, 110.0]
    assert await stores[0].reserve_turn(1, now=103.0, apart=5.0) == 103.0
    assert await stores[0].reserve_turn(0, now=130.0, apart=5.0) == 130.0


# --- settings


async def test_simultaneous_changes_of_settings_by_several_processes_all_count(beside: OpenStore) -> None:
    stores = [await beside("discord") for _ in range(4)]

    def one_more(settings: UserSettings) -> UserSettings:
        return replace(settings, standing=settings.standing + 1)

    await asyncio.gather(*(stores[n % 4].change_settings(7, one_more) for n in range(20)))
    assert await stores[0].settings(7) == UserSettings(7, standing=24)
