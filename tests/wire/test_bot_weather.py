"""Discord in bad weather: rate limits, server errors, lost answers, cut connections. Nothing is lost by any of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio

from tests.wire.openings import begun
from tests.wire.party import Party, party
from tests.wire.rates import Limit

PANEL = r"(PATCH|POST) /(channels|webhooks)/.*/messages"
RETRY = 15.0
"""Seconds within which the panel must be right again. The bot tries again after five."""


@pytest_asyncio.fixture
async def table(tmp_path: Path) -> AsyncIterator[Party]:
    """A game in its first placements."""
    async with party(tmp_path, 5, position=await begun(tmp_path)) as found:
        yield found


WEATHER: tuple[dict[str, Any], ...] = (
    {"status": 429, "retry_after": 0.3},
    {"status": 429, "retry_after": 0.3, "scope": "global"},
    {"status": 502},
    {"status": 502, "effect": True},
    {"status": 500, "times": 2},
    {"status": 400, "times": 1},
    {"status": 403, "code": 50013},
    {"cut": True},
    {"cut": True, "effect": True},
    {"delay": 1.5},
    {"reply_delay": 1.5},
)


async def test_the_panel_is_corrected_after_a_fault(table: Party) -> None:
    for weather in WEATHER:
        fault = table.wire.fault(PANEL, **weather)
        for _ in range(2):
            person, action = await table.choose()
            assert table.last_read is not None
            before = table.last_read.revision
            await table.do_and_forget(person, action)
            stored = await table.settled(before + 1, RETRY)
            assert stored.revision == before + 1, weather
        assert fault.hits, weather
        await table.panel_current()
        table.wire.faults.clear()


async def test_an_action_whose_acknowledgement_fails_is_done_at_most_once(table: Party) -> None:
    """The action is done once or not at all. People who try again succeed."""
    for weather in ({"status": 500}, {"cut": True}, {"cut": True, "effect": True}):
        table.wire.fault("POST /interactions", **weather)
        person, action = await table.choose()
        assert table.last_read is not None
        before = table.last_read.revision
        await table.do_and_forget(person, action)
        after = await table.settled()
        assert after.revision in (before, before + 1), weather
        if after.revision == before:
            await table.do(person, action)
            await table.settled(before + 1)
        assert [record["do"] for record in (await table.read()).records[before:]] == [action.to_json()], weather
        await table.panel_current()


async def test_discords_own_limit_on_messages_only_slows_the_panel(table: Party) -> None:
    table.wire.rates.enforced = True
    for name in ("create message", "edit message", "delete message", "delete new message"):
        table.wire.rates.set(name, Limit(2, 1.0))
    for _ in range(6):
        person, action = await table.choose()
        assert table.last_read is not None
        await table.do_and_forget(person, action)
        await table.stored(table.last_read.revision + 1)
    await table.settled(within=RETRY)
    await table.panel_current()


async def test_a_dropped_gateway_connection_is_resumed(table: Party) -> None:
    for code in (4000, None):
        resumed = table.wire.gateway.resumed
        await table.wire.gateway.drop(code)
        await table.wire.until(lambda n=resumed: table.wire.gateway.resumed > n, 15)  # type: ignore[misc]
        await table.step()
    await table.panel_current()


async def test_after_a_long_refusal_the_next_action_shows_everything(table: Party) -> None:
    table.wire.fault("(PATCH|POST) /channels", 403, times=1_000_000, code=50013)
    for number in range(5):
        if number == 4:
            table.wire.faults.clear()
        person, action = await table.choose()
        assert table.last_read is not None
        await table.do_and_forget(person, action)
        await table.stored(table.last_read.revision + 1)
    await table.panel_current()
