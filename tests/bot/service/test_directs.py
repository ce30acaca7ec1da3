"""When direct messages can be opened: one turn for each person, no matter how often it is tried."""

from __future__ import annotations

from bot.service.directs import APART, AT_ONCE
from tests.bot.playground import Playground


async def test_repeated_attempts_for_one_user_take_only_one_turn(ground: Playground) -> None:
    directs = ground.services.directs
    for _ in range(2 * AT_ONCE):  # as in an outage
        assert await directs.wait(1) == 0
    waits = [await directs.wait(user) for user in range(2, AT_ONCE + 2)]
    assert waits[:-1] == [0] * (AT_ONCE - 1)
    assert 0 < waits[-1] <= APART
