"""Two worlds that differ only in what others can't know: everything that Discord gets for the others is the same."""

from __future__ import annotations

import pytest

from engine.actions import Discard, Roll
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.moments import before_discards
from tests.bot.discord.seen import pictures, seen_by_others

pytestmark = pytest.mark.usefixtures("all_pictures")


async def test_a_discard_is_secret_until_all_players_have_discarded(open_hall: Opened) -> None:
    worlds = []
    for which in (0, -1):
        async with open_hall(4, which) as hall:
            await hall.begin()
            game = await hall.advance(before_discards)
            await by_components(hall, await hall.person(game.to_act[0]), Roll())
            game = await hall.game()
            seat = game.to_act[0]
            person = await hall.person(seat)
            choices = list(game.options(seat)[Discard])
            assert len(choices) > 1
            since = len(hall.env.http_requests)
            await by_components(hall, person, choices[which])
            worlds.append((seen_by_others(hall, since, person), await pictures(hall)))
    assert worlds[0] == worlds[1]
