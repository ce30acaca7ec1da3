"""Windows of rate limits: a long one stops nothing while requests are left in it, and a refusal is remembered."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.discord import windows
from bot.discord.windows import Window


def told(limit: int, remaining: int, after: float) -> Any:
    """An answer by Discord with the headers of a window."""
    names = ("Limit", "Remaining", "Reset-After")
    return SimpleNamespace(
        headers={f"X-Ratelimit-{n}": str(v) for n, v in zip(names, (limit, remaining, after), strict=True)}
    )


async def sent(window: Window, answer: Any) -> None:
    """Send a request through a window. `answer`: the answer, or the seconds for which the request is refused."""
    async with window:
        if isinstance(answer, float):
            raise discord.RateLimited(answer)
        window.update(answer)


async def test_a_window_of_a_day_holds_up_nothing_while_requests_are_left() -> None:
    window = Window()
    for left in (48773, 48772, 2, 1):
        await sent(window, told(50000, left, 102737.0))
    await sent(window, told(50000, 0, 102737.0))  # none are left, but the answer isn't held back for a day
    with pytest.raises(discord.RateLimited) as limited:
        await sent(window, told(50000, 0, 102737.0))
    assert limited.value.retry_after == pytest.approx(102737.0, abs=1)
    assert not window.is_inactive(), "it isn't forgotten"


async def test_a_request_that_was_refused_for_long_is_not_sent_again_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "LONGEST", 0.02)
    window = Window()
    await sent(window, told(5, 4, 1.0))
    with pytest.raises(discord.RateLimited):
        await sent(window, 0.1)
    asked = told(5, 4, 1.0)
    with pytest.raises(discord.RateLimited) as limited:
        await sent(window, asked)
    assert 0 < limited.value.retry_after <= 0.1
    await asyncio.sleep(limited.value.retry_after)
    await sent(window, asked)


async def test_requests_wait_for_a_short_window() -> None:
    window, loop = Window(), asyncio.get_running_loop()
    began = loop.time()
    await sent(window, told(1, 0, 0.05))
    await asyncio.gather(sent(window, told(2, 1, 0.05)), sent(window, told(2, 0, 0.05)))
    assert 0.05 <= loop.time() - began < 1.0


async def test_waiting_requests_are_refused_when_the_window_becomes_long() -> None:
    window = Window()
    await sent(window, told(1, 1, 5.0))
    refused = asyncio.Event()

    async def first() -> None:
        async with window:
            await refused.wait()
            raise discord.RateLimited(300.0)

    async def second() -> None:
        async with window:
            pass

    tasks = [asyncio.create_task(first()), asyncio.create_task(second())]
    await asyncio.sleep(0)
    refused.set()
    results = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 2.0)
    assert all(isinstance(result, discord.RateLimited) for result in results)
