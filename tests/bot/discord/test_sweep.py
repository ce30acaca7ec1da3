"""What a publisher does at its start, even if the store is out of reach then."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.discord.show.publisher import Publisher
from bot.metrics import Metrics
from bot.service.reach import Reach
from bot.service.repository import GameRepository
from bot.service.shards import Ownership
from bot.store import Store, Unavailable
from tests.bot.playground import Playground
from tests.bot.store.sample import add


def time() -> float:
    return 100.0


def publisher_of(store: Store) -> Publisher:
    reach, ownership = Reach(store, time), Ownership(store, time)
    repository = GameRepository(store, Metrics())
    services = SimpleNamespace(ownership=ownership, projections=store, reach=reach, repository=repository, now=time)
    return Publisher(cast(Any, SimpleNamespace(services=services)))


async def test_due_games_are_found_even_if_the_store_was_out_of_reach_at_the_start(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.discord.show.publisher.SWEEPS_APART", 0.0)
    store, refreshed = ground.store, asyncio.Event()
    await add(store)
    publisher = publisher_of(store)

    async def fail(shards: None) -> list[int]:
        monkeypatch.undo()
        raise Unavailable("it is locked")

    def refresh(number: int) -> None:
        publisher._sweep.stop()
        refreshed.set()

    monkeypatch.setattr(store, "pending", fail)
    publisher.refresh = refresh  # type: ignore[method-assign]
    with pytest.raises(Unavailable):
        await publisher.restore()
    await asyncio.wait_for(refreshed.wait(), 1.0)
    await publisher.close(0.0)
