"""When direct messages may be opened: a turn for each person, however often it is tried."""

from __future__ import annotations

from bot.service.directs import APART, AT_ONCE
from tests.bot.playground import Playground


async def test_who_is_tried_again_and_again_takes_one_turn(ground: Playground) -> None:
    directs = ground.services.directs
    for _ in range(2 * AT_ONCE):  # an outage
        assert await directs.wait(1) == 0
    others = [await directs.wait(user) for user in range(2, AT_ONCE + 2)]
    assert others[:-1] == [0] * (AT_ONCE - 1)
    assert 0 < others[-1] <= APART
