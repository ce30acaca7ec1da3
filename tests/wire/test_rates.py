"""Discord's limits on requests, as headers and refusals report them. No test waits for real time."""

from __future__ import annotations

import asyncio

import aiohttp
import discord
import pytest
from discord.http import HTTPClient, Route

from tests.wire.calls import Request
from tests.wire.model import Json, Refused
from tests.wire.rates import DAY, GlobalLimit, Headers, Limit, Rates
from tests.wire.rest import Rest
from tests.wire.server import WireServer
from tests.wire.world import World

POST, EDIT = ("POST", "/channels/1/messages"), ("PATCH", "/channels/1/messages/2")


class Clocked:
    """Limits by the test's own clock. Every message is `age` seconds old."""

    def __init__(self) -> None:
        self.now, self.age = 0.0, 60.0
        self.rates = Rates(lambda _: self.age, lambda: self.now)

    def ask(self, method: str, path: str, times: int = 1) -> tuple[Headers, Json | None]:
        """The answer to the last of so many requests. The ones before must not be refused."""
        for _ in range(times - 1):
            assert self.rates.spend(method, path)[1] is None
        return self.rates.spend(method, path)


def told(headers: Headers) -> tuple[int, int, float]:
    """Limit, remaining, seconds."""
    names = ("Limit", "Remaining", "Reset-After")
    limit, left, after = (headers[f"X-RateLimit-{name}"] for name in names)
    return int(limit), int(left), float(after)


@pytest.fixture
def at() -> Clocked:
    """Limits with nothing used yet."""
    return Clocked()


def test_requests_are_restored_one_by_one_and_a_429_says_when_the_next_is_available(at: Clocked) -> None:
    assert told(at.ask(*POST)[0]) == (5, 4, 1.0)
    assert told(at.ask(*POST, times=4)[0]) == (5, 0, 5.0)
    headers, refusal = at.ask(*POST)
    assert refusal == {"message": "You are being rate limited.", "retry_after": 1.0, "global": False, "code": 0}
    assert (headers["Retry-After"], headers["X-RateLimit-Scope"], headers["Via"]) == ("1", "user", "1.1 google")
    assert told(headers) == (5, 0, 5.0)
    at.now = 1.0
    assert at.ask(*POST)[1] is None
    assert at.ask(*POST)[1]
    at.now = 99.0
    assert told(at.ask(*POST)[0]) == (5, 4, 1.0)
    assert at.rates.exceeded == {"create message": 2}


def test_a_fixed_window_restores_all_requests_when_it_ends(at: Clocked) -> None:
    at.rates.set("edit message", Limit(50, 300.0, fixed=True))
    assert told(at.ask(*EDIT)[0]) == (50, 49, 300.0)
    at.now = 290.0
    assert told(at.ask(*EDIT, times=49)[0]) == (50, 0, 10.0)
    refusal = at.ask(*EDIT)[1]
    assert refusal
    assert refusal["retry_after"] == 10.0
    at.now = 300.0
    assert told(at.ask(*EDIT)[0]) == (50, 49, 300.0)


def test_headers_can_show_another_limit_than_the_one_that_refuses(at: Clocked) -> None:
    """discord-api-docs #5646: only the 429 reveals the limit that refuses."""
    at.rates.set("create message", Limit(5, 5.0, shown=(50_000, 48_773, 102_737.719)))
    assert told(at.ask(*POST, times=4)[0]) == (50_000, 48_773, 102_737.719)
    at.ask(*POST)
    headers, refusal = at.ask(*POST)
    assert refusal
    assert told(headers) == (5, 0, 5.0)


def test_limits_are_per_channel_and_route_even_if_the_bucket_name_is_the_same(at: Clocked) -> None:
    """discord-api-docs #8073: they count separately."""
    posted, edited = at.ask(*POST, times=5)[0], at.ask(*EDIT)[0]
    assert posted["X-RateLimit-Bucket"] == edited["X-RateLimit-Bucket"]
    assert told(edited) == (5, 4, 1.0)
    assert told(at.ask("POST", "/channels/2/messages")[0]) == (5, 4, 1.0)
    assert told(at.ask("POST", "/webhooks/1/abc")[0]) == (5, 4, 0.4)
    assert told(at.ask("POST", "/webhooks/1/xyz")[0]) == (5, 4, 0.4)
    assert at.ask("POST", "/interactions/1/abc/callback", times=99) == ({}, None)


@pytest.mark.parametrize(("age", "shown"), [(5.0, (5, 4, 1.0)), (60.0, (3, 2, 0.334)), (15 * DAY, (30, 29, 4.0))])
def test_the_limit_for_deleting_depends_on_the_age_of_the_message(
    at: Clocked, age: float, shown: tuple[int, int, float]
) -> None:
    at.age = age
    assert told(at.ask("DELETE", "/channels/1/messages/2")[0]) == shown


def test_messages_older_than_an_hour_can_be_edited_three_times_in_six_seconds(at: Clocked) -> None:
    at.age = 3601.0
    assert told(at.ask(*EDIT, times=3)[0]) == (5, 2, 3.0)
    headers, refusal = at.ask("PATCH", "/channels/1/messages/3")
    assert refusal
    assert (refusal["code"], refusal["retry_after"], headers["X-RateLimit-Scope"]) == (30046, 2.0, "user")
    at.age = 3599.0
    assert at.ask(*EDIT)[1] is None


def test_the_limit_for_creating_threads_is_shared_by_the_channel(at: Clocked) -> None:
    assert told(at.ask("POST", "/channels/1/threads", times=50)[0]) == (50, 0, 300.0)
    at.now = 80.0
    headers, refusal = at.ask("POST", "/channels/1/threads")
    assert refusal == {
        "message": "The resource is being rate limited.",
        "retry_after": 220.0,
        "global": False,
        "code": 0,
    }
    assert headers["X-RateLimit-Scope"] == "shared"


def test_limits_that_are_not_enforced_are_counted(at: Clocked) -> None:
    at.rates.enforced = False
    assert at.ask(*POST, times=7) == ({}, None)
    assert at.rates.exceeded == {"create message": 2}


def test_all_requests_except_answers_to_interactions_share_one_limit() -> None:
    now = [0.0]
    limit = GlobalLimit(50, clock=lambda: now[0])
    assert not any(limit.spend("/users/@me") for _ in range(50))
    assert limit.spend("/gateway") == 1.0
    assert not limit.spend("/webhooks/1/abc")
    now[0] = 1.0
    assert not limit.spend("/gateway")


async def test_the_global_refusal_names_no_bucket() -> None:
    async with WireServer() as wire, aiohttp.ClientSession() as session:
        wire.global_limit = GlobalLimit(1)
        for _ in range(2):
            answer = await session.get(f"{wire.rest_base}/gateway", headers={"Authorization": f"Bot {wire.token}"})
    body = await answer.json()
    assert (answer.status, body["global"], answer.headers["X-RateLimit-Scope"]) == (429, True, "global")
    assert (answer.headers["X-RateLimit-Global"], answer.headers.get("X-RateLimit-Bucket")) == ("true", None)


async def test_discordpy_waits_as_long_as_headers_and_refusals_say() -> None:
    async with WireServer() as wire:
        wire.rates.set("create message", Limit(2, 0.2))
        wire.fault("POST", 429, retry_after=0.1, scope="shared")
        channel = wire.world.table.id
        posts = await _posted(wire, channel, 4)
    assert [post.status for post in posts] == [429, 200, 200, 200, 200]
    assert posts[1].at - posts[0].at >= 0.1
    assert not wire.rates.exceeded


async def _posted(wire: WireServer, channel: int, times: int) -> list[Request]:
    """Send so many messages by discord.py. Returns the requests."""
    http, base = HTTPClient(asyncio.get_running_loop()), Route.BASE
    Route.BASE = wire.rest_base
    try:
        await http.static_login(wire.token)
        with discord.http.handle_message_parameters("x") as parameters:
            for _ in range(times):
                await http.send_message(channel, params=parameters)
    finally:
        Route.BASE = base
        await http.close()
    return wire.calls("POST")


def test_at_most_two_hundred_new_commands_are_accepted_in_a_day() -> None:
    now = [1_800_000_000.0]
    rest = Rest(World(lambda: now[0]), str)

    def register(first: int, count: int) -> None:
        body = [{"name": f"c{n}", "description": "x"} for n in range(first, first + count)]
        rest.put_commands(Request("PUT", "", 0.0, json=body), "1")

    register(0, 100)
    register(0, 100)  # these exist already, so none is new
    register(100, 100)
    with pytest.raises(Refused, match=r"400 30034: Max number of daily application command creates"):
        register(200, 1)
    now[0] += DAY
    register(200, 1)
