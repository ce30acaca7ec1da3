"""When each player did something last. What an autopilot or a bot does for them doesn't count as seen by them."""

from __future__ import annotations

import random

import pytest

from bot.table.reminders import seen_by
from tests.bot.playground import ANN, BOB, CEM, Playground


@pytest.mark.on_databases
async def test_each_players_latest_own_action_is_noted_and_survives_a_kill(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    assert seen_by(table, ANN) is None, "nobody has acted"
    rng, revisions = random.Random(3), dict[int, int]()
    for _ in range(30):
        played = await ground.step(table.number, rng)
        revisions[played.by.user] = played.game.public_revision
    await ground.kill()
    table = await ground.table(table.number)
    assert {user: seen_by(table, user) for user in revisions} == revisions
    assert seen_by(table, 99) is None
