"""Requests that Discord counts as invalid, and Cloudflare's ban."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest_asyncio

from tests.wire.server import WireServer


@pytest_asyncio.fixture
async def wire() -> AsyncIterator[WireServer]:
    """A server that bans after four invalid requests. Its clock stands still."""
    async with WireServer() as found:
        found.invalid.most = 4
        found.invalid.clock = lambda: 0.0
        yield found


async def ask(wire: WireServer, path: str = "/users/@me", *, token: str = "", address: str = "127.0.0.1") -> str:
    """Status and type of an answer, with Retry-After and Via if it has them."""
    connector = aiohttp.TCPConnector(local_addr=(address, 0))
    headers = {"Authorization": f"Bot {token or wire.token}"}
    async with (
        aiohttp.ClientSession(connector=connector) as session,
        session.get(wire.rest_base + path, headers=headers) as answer,
    ):
        more = [answer.headers[name] for name in ("Retry-After", "Via") if name in answer.headers]
        return " ".join([str(answer.status), answer.content_type, *more])


async def test_statuses_401_403_and_429_count_as_invalid_unless_the_limit_is_shared(wire: WireServer) -> None:
    assert await ask(wire, token="old") == "401 application/json"
    wire.fault("/users/@me", 403)
    wire.fault("/users/@me", 429, retry_after=5.0, scope="shared")
    wire.fault("/users/@me", 429, retry_after=5.0)
    wire.fault("/users/@me", 404)
    for count in (2, 2, 3, 3):
        await ask(wire)
        assert wire.invalid.count() == count


async def test_too_many_invalid_requests_in_ten_minutes_ban_the_address_for_an_hour(wire: WireServer) -> None:
    for _ in range(3):
        await ask(wire, token="old")
    wire.invalid.clock = lambda: 600.0
    await ask(wire, token="old")
    assert await ask(wire) == "200 application/json"  # the first three no longer count
    for _ in range(3):
        await ask(wire, token="old")
    assert await ask(wire) == "429 text/html 3600"
    assert await ask(wire, "/gateway") == "429 text/html 3600"
    assert await ask(wire, address="127.0.0.2") == "200 application/json"
    wire.invalid.clock = lambda: 4200.0
    assert await ask(wire) == "200 application/json"


async def test_a_ban_can_be_imposed_and_lifted(wire: WireServer) -> None:
    wire.invalid.ban()
    assert (await ask(wire)).startswith("429 text/html")
    wire.invalid.lift()
    assert await ask(wire) == "200 application/json"
