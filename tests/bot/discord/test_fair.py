"""Fair turns: what one person's clicks make that person and others wait for."""

from __future__ import annotations

import asyncio

import pytest

from bot.discord import in_flight
from bot.discord.in_flight import AT_ONCE, MOST_WAITING, FairTurns

ANN, BOB = 11, 12


async def handled(turns: FairTurns, user: int, log: list[str], name: str, until: asyncio.Event) -> bool:
    """Handle an interaction that takes until an event. Returns whether it had its turn."""
    async with turns.turn(user) as mine:
        if mine:
            log.append(name)
            await until.wait()
        return mine


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_persons_interactions_wait_only_for_that_persons_own() -> None:
    turns, log, end = FairTurns(), list[str](), asyncio.Event()
    mine = [asyncio.create_task(handled(turns, ANN, log, f"ann {n}", end)) for n in range(5)]
    await settled()
    theirs = asyncio.create_task(handled(turns, BOB, log, "bob", end))
    await settled()
    assert log == [*(f"ann {n}" for n in range(AT_ONCE)), "bob"]
    end.set()
    assert await asyncio.gather(*mine, theirs) == [True] * 6
    assert log[AT_ONCE + 1 :] == [f"ann {n}" for n in range(AT_ONCE, 5)], "in their order"
    assert turns._lines == {}


async def test_more_than_anyone_can_click_is_dropped() -> None:
    turns, log, end = FairTurns(), list[str](), asyncio.Event()
    tasks = [asyncio.create_task(handled(turns, ANN, log, str(n), end)) for n in range(1000)]
    await settled()
    end.set()
    assert (await asyncio.gather(*tasks)).count(True) == AT_ONCE + MOST_WAITING == len(log)
    assert turns._lines == {}


async def test_an_interaction_that_takes_long_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_flight, "HELD", 0.01)
    turns, log, never = FairTurns(), list[str](), asyncio.Event()
    tasks = [asyncio.create_task(handled(turns, ANN, log, str(n), never)) for n in range(AT_ONCE * 3)]
    async with asyncio.timeout(5):
        while len(log) < len(tasks):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    never.set()
    await asyncio.gather(*tasks)
    assert turns._lines == {}


async def test_a_waiting_interaction_that_is_canceled_keeps_no_place() -> None:
    turns, log, end = FairTurns(), list[str](), asyncio.Event()
    tasks = [asyncio.create_task(handled(turns, ANN, log, str(n), end)) for n in range(AT_ONCE + 2)]
    await settled()
    end.set()
    tasks[AT_ONCE].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert log == [*(str(n) for n in range(AT_ONCE)), str(AT_ONCE + 1)]
    assert turns._lines == {}
