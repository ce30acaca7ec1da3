"""Players who are away in setup lose only the placement whose time ran out, and are asked again for the next."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.table.options import DECIDE
from engine.actions import DecideFor
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import Hall, text
from tests.bot.playground import choose

MINUTE = 60


async def until_asked(hall: Hall, absent: int) -> Any:
    """Play setup on until a seat must place. Returns the game."""
    rng = random.Random(1)
    while absent not in (game := await hall.game()).to_act:
        seat = game.to_act[0]
        await by_components(hall, await hall.person(seat), choose(game, seat, rng))
    return game


def calls(hall: Hall, person: Any) -> list[Any]:
    """The messages still in the channel that have notified a person."""
    return [m for m in hall.channel.history() if person.id in {user.id for user in m.mentions} and "·" in text(m)]


@pytest.mark.parametrize("place", [1, 3], ids=["in the middle", "the last, who places twice in a row"])
async def test_an_auto_placed_settlement_leaves_the_next_placement_to_the_player(
    open_hall: Opened, long_time: None, place: int
) -> None:
    async with open_hall() as hall:
        await hall.lobby()
        host = hall.people[0]
        await hall.options(pace=1800, expiry=DECIDE)
        await host.click(await hall.panel(), label="Start")
        game = await hall.game()
        absent = (game.state.first + place) % 4
        person = await hall.person(absent)
        await until_asked(hall, absent)
        before = {m.id for m in hall.channel.history()}
        await hall.env.advance_time(30 * MINUTE + 5)
        game = await until_asked(hall, absent)
        assert sum(type(record.action) is DecideFor for record in game.records) == 2, "a settlement and a road"
        assert game.view(None).players[absent].settlements.bit_count() == 1
        await hall.env.settle()
        [asked] = [m for m in calls(hall, person) if m.id not in before]
        assert "your first settlement was placed for you" in text(asked)
        await hall.env.advance_time(29 * MINUTE)
        assert (await hall.game()).revision == game.revision, "there is time for it"
        for _ in range(2):
            game = await hall.game()
            await by_components(hall, person, choose(game, absent, random.Random(2)))
        assert (await hall.game()).view(None).players[absent].settlements.bit_count() == 2
        assert asked.id not in {m.id for m in hall.channel.history()}, "it is answered"


async def test_a_player_who_places_twice_in_a_row_is_called_once(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.game()
        last = (game.state.first + 3) % 4
        person = await hall.person(last)
        await until_asked(hall, last)
        called = {m.id for m in calls(hall, person)}
        for n in range(2):
            await by_components(hall, person, choose(await hall.game(), last, random.Random(n)))
        assert last in (await hall.game()).to_act
        assert {m.id for m in calls(hall, person)} <= called
