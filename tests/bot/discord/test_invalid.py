"""Refused requests are counted, so that Discord never bans the address. Answers to people are never held back."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest
import yarl

from bot.discord import invalid
from bot.discord.invalid import InvalidRequests

POST = yarl.URL("https://discord.com/api/v10/channels/1/messages")
ANSWER = yarl.URL("https://discord.com/api/v10/interactions/1/token/callback")


class Line:
    """Sends requests one after the other; only waiting moves the clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        self.requests = InvalidRequests()
        monkeypatch.setattr(invalid, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(invalid, "asyncio", SimpleNamespace(sleep=self.sleep))

    async def sleep(self, seconds: float) -> None:
        self.now += seconds

    async def send(
        self, url: yarl.URL = POST, status: int = 403, kind: str = "application/json", **headers: str
    ) -> None:
        params: Any = SimpleNamespace(url=url)
        await self.requests.hold(None, SimpleNamespace(), params)
        response_headers = {name.replace("_", "-"): value for name, value in headers.items()}
        params.response = SimpleNamespace(status=status, headers=response_headers, content_type=kind)
        await self.requests.note(None, SimpleNamespace(), params)


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Line:
    return Line(monkeypatch)


async def test_invalid_requests_are_counted_for_ten_minutes(line: Line) -> None:
    for status in (200, 400, 401, 403, 404, 429, 500):
        await line.send(status=status, Via="1.1")
    await line.send(status=429, Via="1.1", X_RateLimit_Scope="shared")
    assert line.requests.count == 3
    line.now += invalid.WINDOW
    assert line.requests.count == 0


async def test_after_a_thousand_invalid_requests_one_request_a_second_is_sent(
    line: Line, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(invalid.MANY):
        await line.send()
    assert line.requests.slow
    began = line.now
    for _ in range(10):
        await line.send()
        await line.send(ANSWER, 200)
    assert 9 <= line.now - began <= 10
    assert len([r for r in caplog.records if "refused 1000 requests" in r.getMessage()]) == 1
    line.now += invalid.WINDOW
    began = line.now
    await line.send(status=200)
    assert (line.requests.slow, line.now) == (False, began)


async def test_processes_share_the_limit_of_their_address(line: Line) -> None:
    line.requests.divide(4)
    for _ in range(invalid.MANY // 4):
        await line.send()
    began = line.now
    for _ in range(3):
        await line.send()
    assert 8 <= line.now - began <= 12


async def test_only_answers_are_sent_while_the_address_is_banned(line: Line) -> None:
    await line.send(status=429, kind="text/html", Retry_After="600")
    with pytest.raises(discord.RateLimited) as limited:
        await line.send()
    assert limited.value.retry_after == 600
    await line.send(ANSWER, 200)
    line.now += 600
    await line.send(status=200)
