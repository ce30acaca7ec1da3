"""What the autopilot does in the first world and its owner does by hand in the other."""

from __future__ import annotations

from typing import Any

from engine.actions import Action
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import order
from tests.bot.worlds.stage import Stage

TAKES = 60.0
"""Seconds that the autopilot takes in these tests, and its owner by hand. Timers go on while a test runs, so this is
far more than a test takes."""


async def ordered(stage: Stage, seat: int, which: str, **given: Any) -> None:
    """Fill in a form of the autopilot, in the first world only."""
    if stage.world == 0:
        await order(stage.hall, await stage.person(seat), which, **given)


async def done(stage: Stage, seat: int, action: Action, way: Any = by_components) -> None:
    """Let the autopilot do an action in the first world when it is due; in the other world, its owner does it then."""
    hall = stage.hall
    before = await hall.game()
    await hall.env.advance_time(TAKES)
    if stage.world:
        await way(hall, await stage.person(seat), action)
    after = await hall.game()
    assert [(r.actor, r.action) for r in after.records[before.revision :]] == [(seat, action)]
