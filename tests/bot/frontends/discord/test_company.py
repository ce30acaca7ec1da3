"""Whole games of every scenario with one person and computers, by what the person sees."""

from __future__ import annotations

import pytest

from bot.models import OVER
from engine.game import Game
from engine.scenarios import SCENARIOS
from tests.bot.frontends.discord.company import play
from tests.bot.frontends.discord.conftest import Opened
from tests.bot.frontends.discord.hall import answer, text
from tests.bot.frontends.discord.test_scenarios import GAMES, Played, choose_in_the_lobby


async def whole(open_hall: Opened, game: Played, level: str, target: int) -> None:
    """Lobby, setup, turns and end, everything that one person decides by components."""
    async with open_hall(1) as hall:
        [ann] = hall.people
        await ann.slash(hall.channel, "game new")
        await choose_in_the_lobby(hall, game, target)
        filled = await ann.slash(hall.channel, "game computer add", level=level, fill=True)
        assert "🤖" in answer(filled)
        await ann.slash(hall.channel, "game options", pause=0, rounds=30)
        await ann.click(await hall.panel(), label="Start")
        config = (await hall.game()).config
        assert config.players == max(SCENARIOS[game.scenario].players)
        assert set(config.variants) == set(game.rules)
        done = await play(hall, ann)
        await hall.env.advance_time(1)
        over, table = await hall.game(), await hall.table()
        assert over.outcome is not None
        assert done >= 4, "two settlements and two roads at least"
        assert table.status == OVER
        assert "🏁" in text(await hall.panel())
        assert Game.replay(over.config, over.records).hash() == over.hash()


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.usefixtures("few_pictures")
async def test_one_person_and_computers_play(open_hall: Opened, game: Played) -> None:
    await whole(open_hall, game, "easy", target=4)


@pytest.mark.soak
@pytest.mark.parametrize("level", ["easy", "hard"])
@pytest.mark.parametrize("game", GAMES, ids=str)
async def test_one_person_and_computers_play_to_ten_points(open_hall: Opened, game: Played, level: str) -> None:
    await whole(open_hall, game, level, target=10)
