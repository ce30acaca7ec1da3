"""Which process shows a game."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import replace

import pytest

from bot.projections import PANEL
from bot.service import leases as module
from bot.service.leases import Leases
from bot.store import Conflict, Taken, Unavailable
from tests.bot.conftest import OpenShared
from tests.bot.store.sample import NEW, add


async def test_who_was_cut_off_for_long_leaves_a_game_to_whoever_has_taken_it(open_shared: OpenShared) -> None:
    stores = [await open_shared() for _ in range(2)]
    number = (await add(stores[0])).number  # the panel is due
    slow, other = (Leases(store, lambda: 100.0) for store in stores)
    assert await slow.take(number) is Taken.NEWLY
    await stores[0].keep_taken([number], 99.0)  # its time is over, and nobody has told it
    assert await other.take(number) is Taken.NEWLY
    assert await slow.take(number) is Taken.STILL
    assert not await slow.give_back(number)
    assert await slow.take(number) is Taken.NOT
    for leases in (slow, other):
        await leases.close()


async def test_a_process_that_comes_to_itself_learns_what_it_has_lost(
    open_shared: OpenShared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RENEW", 0.01)
    clock = 100.0
    stores = [await open_shared() for _ in range(2)]
    numbers = [(await add(stores[0], replace(NEW, channel=n), f"i{n}")).number for n in (1, 2)]
    slow, other = (Leases(store, lambda: clock) for store in stores)
    for number in numbers:
        assert await slow.take(number) is Taken.NEWLY
    await stores[0].keep_taken(numbers, 99.0)  # it was suspended for long
    assert await other.take(numbers[0]) is Taken.NEWLY
    await asyncio.sleep(0.2)
    assert await slow.take(numbers[0]) is Taken.NOT
    assert await other.take(numbers[1]) is Taken.NOT
    for leases in (slow, other):
        await leases.close()
    assert await other.take(numbers[1]) is Taken.NEWLY
    await other.close()


@pytest.mark.parametrize("error", [Unavailable("it is out of reach"), Conflict("DeadlockDetectedError")])
async def test_whatever_goes_wrong_games_are_kept_on(
    open_shared: OpenShared, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(module, "RENEW", 0.0)
    store, again = await open_shared(), asyncio.Event()
    number = (await add(store)).number
    leases = Leases(store, lambda: 100.0)

    async def fail(numbers: Collection[int], until: float) -> list[int]:
        monkeypatch.setattr(store, "keep_taken", keep)
        raise error

    async def keep(numbers: Collection[int], until: float) -> list[int]:
        again.set()
        return list(numbers)

    monkeypatch.setattr(store, "keep_taken", fail)
    assert await leases.take(number) is Taken.NEWLY
    await asyncio.wait_for(again.wait(), 1.0)
    await leases.close()


@pytest.mark.parametrize("again", [False, True])
async def test_what_is_given_back_while_it_is_kept_is_free(
    open_shared: OpenShared, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    """`again`: it is taken once more, which the answer to the earlier question doesn't know yet."""
    monkeypatch.setattr(module, "RENEW", 0.0)
    clock = 100.0
    stores = [await open_shared() for _ in range(2)]
    table, told = await add(stores[0]), list[int]()
    await stores[0].shown(table.number, PANEL, table.version)
    ours, other = (Leases(store, lambda: clock) for store in stores)
    await ours.start(told.append)
    keep, (asked, begin, done, end) = stores[0].keep_taken, (asyncio.Event() for _ in range(4))

    async def slowly(numbers: Collection[int], until: float) -> list[int]:
        asked.set()
        await begin.wait()
        kept: list[int] = await keep(numbers, until)
        done.set()
        await end.wait()
        return kept

    monkeypatch.setattr(stores[0], "keep_taken", slowly)
    assert await ours.take(table.number) is Taken.NEWLY
    await asked.wait()
    assert await ours.give_back(table.number)
    begin.set()
    await done.wait()
    clock += 1.0
    if again:
        assert await ours.take(table.number) is Taken.STILL
    else:
        assert await other.take(table.number) is Taken.NEWLY
    monkeypatch.setattr(stores[0], "keep_taken", keep)
    end.set()
    for _ in range(5):
        await asyncio.sleep(0)
    ours._heard(f"show:{table.number}")
    assert told == [table.number] * again
    for leases in (ours, other):
        await leases.close()
