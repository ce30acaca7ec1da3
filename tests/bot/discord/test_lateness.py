"""How long a change takes until it is shown, and how long something has been late."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any, cast

import aiohttp

from bot.discord.show.permissions import Blocked
from bot.discord.show.publisher import Publisher
from bot.languages import ENGLISH
from bot.metrics import Metrics
from bot.service.reach import Reach
from bot.service.shards import Ownership
from engine.errors import RefereeError
from tests.bot.playground import Playground


class Front:
    """A publisher whose table lane raises the error that a test sets."""

    def __init__(self, ground: Playground) -> None:
        self.error: Exception | None = None
        self.metrics = Metrics()
        store = ground.store
        ownership, reach = Ownership(store, time.time), Reach(store, time.time)
        repository = SimpleNamespace(table=self.stored, subscribe=ground.services.repository.subscribe)
        services = SimpleNamespace(ownership=ownership, reach=reach, repository=repository, now=time.time)
        self.publisher = Publisher(cast(Any, SimpleNamespace(metrics=self.metrics, services=services)))
        self.publisher._lanes = {"table": self.table, "hands": self.hands}

    async def table(self, number: int) -> None:
        await asyncio.sleep(0.02)
        if self.error is not None:
            raise self.error

    async def hands(self, number: int) -> None:
        pass

    async def stored(self, number: int) -> Any:
        return SimpleNamespace(language=ENGLISH)

    async def shown(self) -> None:
        self.publisher.refresh(1)
        await self.publisher.idle()


async def test_a_change_that_is_shown_is_timed_and_not_late(ground: Playground) -> None:
    front = Front(ground)
    await front.shown()
    assert front.publisher.delay == 0.0
    read = front.metrics.registry.get_sample_value
    assert read("harbormaster_showing_seconds_count", {"kind": "table"}) == 1
    assert 0.02 <= (read("harbormaster_showing_seconds_sum", {"kind": "table"}) or 0.0) < 5.0


async def test_changes_are_late_until_an_outage_is_over(ground: Playground) -> None:
    front = Front(ground)
    front.error = aiohttp.ClientConnectionError()
    await front.shown()
    await asyncio.sleep(0.05)
    front.publisher.refresh(1)  # a player acts meanwhile
    await front.publisher.idle()
    assert front.publisher.delay >= 0.09
    front.error = None
    await front.shown()
    assert front.publisher.delay == 0.0
    assert (front.metrics.registry.get_sample_value("harbormaster_showing_seconds_sum", {"kind": "table"}) or 0) >= 0.09
    await front.publisher.close(0.0)


async def test_a_channel_where_harbormaster_cant_write_is_not_late(ground: Playground) -> None:
    front = Front(ground)
    front.error = Blocked("missing-permission", channel="#a", permissions="b")
    await front.shown()
    await asyncio.sleep(0.05)
    assert front.publisher.delay == 0.0
    await front.publisher.close(0.0)


async def test_only_held_back_hands_count_as_waiting_for_a_pause(ground: Playground) -> None:
    async def held_back(number: int) -> float:
        return 60.0

    front = Front(ground)
    front.publisher._lanes = {"table": held_back, "hands": held_back}
    await front.shown()
    assert front.publisher.resting == 1
    await front.publisher.close(0.0)


async def test_a_game_that_was_deleted_is_not_tried_again(ground: Playground) -> None:
    front = Front(ground)
    front.error = Blocked("missing-permission", channel="#a", permissions="b")
    await front.shown()
    assert front.publisher._waiting.keys() == {(1, "table")}
    front.error = RefereeError("no-table", number=1)
    await front.shown()
    assert (front.publisher._waiting, front.publisher._failures) == ({}, {})
    await front.publisher.close(0.0)
