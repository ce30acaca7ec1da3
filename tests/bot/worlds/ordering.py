"""What an order does in one world and its owner in the other."""

from __future__ import annotations

from typing import Any

from engine.actions import Action
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import order
from tests.bot.worlds.stage import Stage

TAKES = 60.0
"""Seconds that an order takes here, and its owner by hand: far more than a test takes, in which timers go on."""


async def ordered(stage: Stage, seat: int, which: str, **given: Any) -> None:
    """Fill in a form of orders, in the first world only."""
    if stage.world == 0:
        await order(stage.hall, await stage.person(seat), which, **given)


async def done(stage: Stage, seat: int, action: Action, way: Any = by_components) -> None:
    """In the first world an order does it when its time has come, in the other one its owner at the same time."""
    hall = stage.hall
    before = await hall.game()
    await hall.env.advance_time(TAKES)
    if stage.world:
        await way(hall, await stage.person(seat), action)
    after = await hall.game()
    assert [(r.actor, r.action) for r in after.records[before.revision :]] == [(seat, action)]
