"""Metrics: each instance counts for itself, and the service counts its actions and cache lookups."""

from __future__ import annotations

import random

from prometheus_client import generate_latest

from bot.metrics import Metrics
from tests.bot.playground import ANN, BOB, Playground


def test_each_instance_has_its_own_metrics() -> None:
    one, other = Metrics(), Metrics()
    one.actions.inc()
    assert b"harbormaster_actions_total 1.0" in generate_latest(one.registry)
    assert b"harbormaster_actions_total 0.0" in generate_latest(other.registry)


async def test_actions_and_lookups_are_counted(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB)
    read, rng = ground.services.metrics.registry.get_sample_value, random.Random(1)
    for _ in range(3):
        await ground.step(table.number, rng)
    assert read("harbormaster_actions_total") == 3
    ground.services.repository.drop_cache()
    before = read("harbormaster_game_cache_lookups_total", {"result": "miss"}) or 0.0
    await ground.game(table.number)
    assert read("harbormaster_game_cache_lookups_total", {"result": "miss"}) == before + 1
    hits = read("harbormaster_game_cache_lookups_total", {"result": "hit"}) or 0.0
    await ground.game(table.number)
    assert read("harbormaster_game_cache_lookups_total", {"result": "hit"}) == hits + 1
