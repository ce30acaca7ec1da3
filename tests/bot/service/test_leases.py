"""Which process shows a game."""

from __future__ import annotations

from bot.service.leases import Leases
from bot.store import Taken
from tests.bot.store.memory_store import Contents, MemoryStore
from tests.bot.store.sample import add


class Shared(MemoryStore):
    shared = True


async def test_who_was_cut_off_for_long_leaves_a_game_to_whoever_has_taken_it() -> None:
    contents = Contents()
    stores = [Shared(contents=contents) for _ in range(2)]
    number = (await add(stores[0])).number  # the panel is due
    slow, other = (Leases(store, lambda: 100.0) for store in stores)
    assert await slow.take(number) is Taken.NEWLY
    await stores[0].keep_taken(99.0)  # its time is over, and nobody has told it
    assert await other.take(number) is Taken.NEWLY
    assert await slow.take(number) is Taken.STILL
    assert not await slow.give_back(number)
    assert await slow.take(number) is Taken.NOT
    for leases in (slow, other):
        await leases.close()
