"""Work that is done once for all who ask for it."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from bot.tasks import Once


async def test_work_is_done_once_for_all_who_ask() -> None:
    once, done = Once(10), list[str]()

    async def work(name: str) -> str:
        await asyncio.sleep(0)
        done.append(name)
        return name.upper()

    found = await asyncio.gather(*(once.of(name, partial(work, name)) for name in "abab"))
    assert found == ["A", "B", "A", "B"]
    assert await once.of("a", lambda: work("again")) == "A"
    assert done == ["a", "b"]
    once.forget("a")
    assert await once.of("a", lambda: work("again")) == "AGAIN"


async def test_work_that_failed_is_done_again() -> None:
    once, tries = Once(10), list[int]()

    async def work() -> int:
        tries.append(1)
        if len(tries) < 3:
            raise ValueError
        return len(tries)

    for _ in range(2):
        with pytest.raises(ValueError):  # noqa: PT011
            await once.of("a", work)
    assert await once.of("a", work) == await once.of("a", work) == 3


async def test_work_goes_on_if_the_first_who_asked_leaves() -> None:
    once, go = Once(10), asyncio.Event()

    async def work() -> str:
        await go.wait()
        return "done"

    first = asyncio.create_task(once.of("a", work))
    await asyncio.sleep(0)
    second = asyncio.create_task(once.of("a", work))
    await asyncio.sleep(0)
    first.cancel()
    go.set()
    assert await second == "done"


async def test_only_so_many_results_are_kept_and_only_for_some_time() -> None:
    clock = [0.0]
    once, done = Once(2, 10.0, lambda: clock[0]), list[str]()

    async def work(name: str) -> None:
        done.append(name)

    for name in "abca":
        await once.of(name, partial(work, name))
    assert done == ["a", "b", "c", "a"]
    clock[0] = 11.0
    await once.of("a", lambda: work("later"))
    assert done[-1] == "later"
