"""Limits on requests to Discord, and how requests are counted.

A process keeps to its share. A long window stops nothing while requests are left in it, and a refusal is remembered.
Refused requests are counted, so that Discord never bans the address. Answers to people are never held back.
"""

from __future__ import annotations

import asyncio
import time
from contextvars import Context
from math import inf
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
import yarl
from discord.http import HTTPClient, Route
from discord.webhook.async_ import async_context

from bot.discord import limits
from bot.discord.limits import (
    LONGEST_HOLD,
    MANY_INVALID,
    SECOND,
    TEN_MINUTES,
    HeldBack,
    InvalidRequests,
    Limits,
    RateLimit,
    Window,
    is_counted,
)
from bot.discord.traffic import Traffic, answer_of, kind_of
from bot.metrics import Metrics
from tests.bot.discord.answers import answered

BASE = "https://discord.com/api/v10"
POST = yarl.URL(f"{BASE}/channels/1/messages")
ANSWER = yarl.URL(f"{BASE}/interactions/1/token/callback")


def test_no_second_has_more_requests_than_the_share() -> None:
    limit, now, sent = RateLimit(7), 0.0, []
    for n in range(200):
        sent.append(now + limit.wait(now))
        now += 0.1 if n % 50 else 1.3
    assert sent == sorted(sent)
    for first, next_ in zip(sent, sent[7:], strict=False):
        assert next_ - first >= SECOND - 1e-9


def test_no_request_waits_while_there_is_room() -> None:
    limit = RateLimit(3)
    assert [limit.wait(n) for n in range(100)] == [0.0] * 100
    assert [limit.wait(200.0) for _ in range(5)] == [0.0, 0.0, 0.0, SECOND, SECOND]


def test_processes_divide_the_rate_limit() -> None:
    limit = RateLimit(8)
    limit.divide(4)
    assert [limit.wait(0.0) for _ in range(6)] == [0.0, 0.0, SECOND, SECOND, 2 * SECOND, 2 * SECOND]
    limit.divide(1)
    assert [limit.wait(0.0) for _ in range(4)] == [2 * SECOND] * 4  # none overtakes those before
    limit.divide(20)
    assert limit.wait(50.0) == 0.0
    assert limit.wait(50.0) == SECOND


def test_a_request_that_would_wait_too_long_takes_no_place() -> None:
    limit = RateLimit(2)
    taken = [limit.wait(0.0) for _ in range(2 * int(LONGEST_HOLD) + 2)]
    assert max(taken) == LONGEST_HOLD
    for _ in range(100):
        with pytest.raises(TimeoutError):
            limit.wait(0.0)
    assert limit.wait(1.0) == LONGEST_HOLD


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("http://proxy:3000/api/v10/channels/1/messages", True),
        ("https://discord.com/api/v10/users/@me/channels", True),
        ("https://discord.com/api/v10/interactions/1/token/callback", False),
        ("https://discord.com/api/v10/webhooks/1/token/messages/@original", False),
        ("wss://gateway.discord.gg/?v=10", False),
    ],
)
def test_interactions_and_the_gateway_dont_count(path: str, counts: bool) -> None:
    assert is_counted(yarl.URL(path)) is counts


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
    monkeypatch.setattr(limits, "LONGEST_WAIT", 0.02)
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


class Line:
    """Sends requests one after the other; only waiting moves the clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        self.requests = InvalidRequests()
        monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(limits, "asyncio", SimpleNamespace(sleep=self.sleep))

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
    line.now += TEN_MINUTES
    assert line.requests.count == 0


async def test_after_a_thousand_invalid_requests_one_request_a_second_is_sent(
    line: Line, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(MANY_INVALID):
        await line.send()
    assert line.requests.slow
    began = line.now
    for _ in range(10):
        await line.send()
        await line.send(ANSWER, 200)
    assert 9 <= line.now - began <= 10
    assert len([r for r in caplog.records if "refused 1000 requests" in r.getMessage()]) == 1
    line.now += TEN_MINUTES
    began = line.now
    await line.send(status=200)
    assert (line.requests.slow, line.now) == (False, began)


async def test_processes_share_the_limit_of_their_address(line: Line) -> None:
    line.requests.divide(4)
    for _ in range(MANY_INVALID // 4):
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


@pytest.mark.parametrize(
    ("method", "url", "kind"),
    [
        ("POST", f"{BASE}/interactions/123/a-token/callback", "POST interactions/callback"),
        ("PATCH", f"{BASE}/webhooks/123/a-token/messages/@original", "PATCH webhooks/messages"),
        ("POST", f"{BASE}/channels/123/messages", "POST channels/messages"),
        ("PUT", f"{BASE}/applications/123/commands", "PUT applications/commands"),
        ("GET", f"{BASE}/gateway/bot", "GET gateway/bot"),
        ("GET", "https://cdn.example/secret.png", "GET other"),
        ("GET", "wss://gateway.discord.gg/?v=10&encoding=json", "gateway"),
    ],
)
def test_a_request_kind_contains_no_id_or_token(method: str, url: str, kind: str) -> None:
    assert kind_of(method, yarl.URL(url)) == kind


@pytest.mark.parametrize(("status", "answer"), [(200, "2xx"), (204, "2xx"), (404, "4xx"), (429, "429"), (503, "5xx")])
def test_answers_are_grouped_by_status_class(status: int, answer: str) -> None:
    assert answer_of(status) == answer


@pytest.mark.parametrize(
    ("url", "answer", "fine"),
    [
        (f"{BASE}/channels/123", 500, False),
        (f"{BASE}/channels/123", 503, False),
        (f"{BASE}/channels/123", 408, False),
        (f"{BASE}/channels/123", TimeoutError(), False),
        (f"{BASE}/channels/123", HeldBack(), True),
        (f"{BASE}/channels/123", 404, True),
        (f"{BASE}/channels/123", 429, True),
        ("wss://gateway.discord.gg/?v=10", 503, True),
        ("wss://gateway.discord.gg/?v=10", TimeoutError(), True),
    ],
)
async def test_only_failures_of_discords_api_make_an_outage_possible(
    url: str, answer: int | Exception, fine: bool
) -> None:
    traffic = Traffic(Metrics())
    await answered(traffic, answer, url)
    assert (traffic.failing(0) == 0.0) == fine
    await answered(traffic, 200)
    assert (traffic.outage(0) == (inf, inf)) == fine
    assert traffic.failing(0) == 0.0


async def test_discords_time_does_not_depend_on_the_machines_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    traffic = Traffic(Metrics())
    assert traffic.now() == pytest.approx(time.time(), abs=5), "nobody has said another"
    answer = SimpleNamespace(status=200, headers={"Date": "Fri, 02 Jan 2026 00:00:00 GMT"})
    params: Any = SimpleNamespace(method="GET", url=yarl.URL(BASE), response=answer)
    await traffic._answered(None, SimpleNamespace(), params)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert traffic.now() == pytest.approx(1_767_312_000, abs=5)


async def test_an_answer_that_is_tried_after_the_stop_has_lost_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """aiohttp would raise what counts as a fault of the program."""
    adapter = Context().run(async_context.get)
    monkeypatch.setattr(adapter, "request", adapter.request)  # it is put back in the end
    client: Any = SimpleNamespace(loop=asyncio.get_running_loop(), http=HTTPClient(asyncio.get_running_loop()))
    async with aiohttp.ClientSession() as session:
        client.http._HTTPClient__session = session
        Limits().keep_for_answers(client)
    with pytest.raises(aiohttp.ClientConnectionError):
        await adapter.request(Route("POST", "/interactions"), session=session)
