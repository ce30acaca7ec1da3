"""A game belongs to the process that has its server's shard."""

from __future__ import annotations

from collections.abc import Callable

from bot.service.shards import Ownership, shard_of
from bot.store import Shards
from tests.bot.conftest import OpenShared
from tests.bot.playground import Playground
from tests.bot.store.shared import SharedStore

HERE, THERE = (5 << 22) + 77, (6 << 22) + 1


class Talking(SharedStore):
    """A store that hears what the other stores tell."""

    others: list[Talking]
    hears: Callable[[str], None]

    async def listen(self, heard: Callable[[str], None]) -> None:
        self.hears = heard

    async def tell(self, words: str) -> None:
        for store in self.others:
            store.hears(words)


async def test_a_process_owns_the_games_of_servers_on_its_shards(open_shared: OpenShared) -> None:
    now = [100.0]
    ownership = Ownership(await open_shared(), lambda: now[0])
    assert not ownership.owns(HERE)
    ownership.has(4, {1}, until=115.0)
    assert [ownership.owns(guild) for guild in (HERE, THERE, None)] == [True, False, False]
    assert ownership.shards == Shards(4, (1,))
    ownership.has(4, {0, 2}, until=115.0)
    assert [ownership.owns(guild) for guild in (HERE, THERE, None)] == [False, True, True]
    now[0] = 115.0  # other processes can have them by now
    assert not ownership.owns(THERE)
    assert ownership.shards == Shards(4, ())


async def test_a_process_that_does_not_share_its_store_owns_all_games(ground: Playground) -> None:
    ownership = Ownership(ground.store, lambda: 100.0)
    assert ownership.owns(HERE)
    assert ownership.shards is None


async def test_what_people_do_reaches_a_process_alone_since_it_has_their_shard(
    open_shared: OpenShared, ground: Playground
) -> None:
    now = [100.0]
    shared, alone = Ownership(await open_shared(), lambda: now[0]), Ownership(ground.store, lambda: now[0])
    for at, shards in ((110.0, {1}), (120.0, {1, 0}), (130.0, {0}), (140.0, {0, 1})):
        now[0] = at
        shared.has(4, shards, until=at + 15.0)
    now[0] = 150.0
    assert [shared.held_for(guild) for guild in (HERE, None, THERE)] == [10.0, 30.0, 0.0]
    assert alone.held_for(HERE) == 50.0


async def test_a_process_is_told_when_it_gains_shards(open_shared: OpenShared) -> None:
    ownership, calls = Ownership(await open_shared(), lambda: 100.0), list[None]()
    ownership.when_gained(lambda: calls.append(None))
    for shards, times in (({1}, 1), ({1}, 1), ({1, 2}, 2), ({2}, 2), ({1}, 3)):
        ownership.has(4, shards, until=115.0)
        assert len(calls) == times


async def test_only_the_process_that_owns_a_game_is_told_of_changes_by_others(open_shared: OpenShared) -> None:
    stores = [await open_shared(Talking) for _ in range(3)]
    for store in stores:
        store.others = stores
    owners = [Ownership(store, lambda: 100.0) for store in stores]
    numbers_heard: list[list[int]] = [[], [], []]
    for owner, numbers, shard in zip(owners, numbers_heard, (0, 1, 2), strict=True):
        owner.has(4, {shard}, until=115.0)
        await owner.start(numbers.append)
    await owners[0].tell(HERE, 7)
    await owners[1].tell(None, 8)
    assert numbers_heard == [[8], [7], []]


def test_direct_messages_are_on_shard_0() -> None:
    assert [shard_of(guild, 4) for guild in (None, HERE, THERE)] == [0, 1, 2]
