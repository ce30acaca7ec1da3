"""Whole games of every scenario at its largest table, with all alternate rules, played through what people see."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall, labels, text
from tests.bot.discord.moves import plan, play
from tests.bot.discord.scenarios import GAMES, Played, choose_in_the_lobby


def test_the_games_cover_every_scenario_and_each_alternate_rule_twice() -> None:
    assert {game.scenario for game in GAMES} == set(SCENARIOS)
    counted = Counter(rule for game in GAMES for rule in game.rules)
    assert set(counted) == set(VARIANTS)
    assert min(counted.values()) >= 2


async def whole(hall: Hall, game: Played, way: Any, target: int, tries: int = 1) -> None:
    """Play a whole game of a full table, from the lobby to the end, by the shortest of `tries` plans."""
    await hall.people[0].slash(hall.channel, "game new")
    await choose_in_the_lobby(hall, game, target)
    for person in hall.people[1:]:
        await person.click(await hall.panel(), label="Join")
    await hall.people[0].click(await hall.panel(), label="Start")
    config = (await hall.game()).config
    assert (config.scenario, config.edition, config.target) == (game.scenario, game.edition, target)
    assert set(config.variants) == set(game.rules)
    assert set(game.options) <= set(config.options)
    assert config.players == max(SCENARIOS[game.scenario].players)
    start = await hall.game()
    await play(hall, way, min((plan(start, seed) for seed in range(tries)), key=len))
    assert (await hall.game()).outcome is not None
    panel = await hall.panel()
    assert "🏁" in text(panel)
    assert "Rematch" in labels(panel)


SHORT = ("extension",)
"""Scenarios of the short run. Each step of each scenario has its own test."""


@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=[pytest.mark.soak] * (g.scenario not in SHORT), id=str(g)) for g in GAMES]
)
async def test_a_whole_game_of_each_scenario_can_be_played(open_hall: Opened, game: Played) -> None:
    async with open_hall(max(SCENARIOS[game.scenario].players)) as hall:
        await whole(hall, game, by_components, target=4, tries=6)


@pytest.mark.soak
@pytest.mark.parametrize("way", [by_components, by_commands])
@pytest.mark.parametrize("game", GAMES, ids=str)
async def test_a_whole_game_to_ten_points_of_each_scenario_can_be_played(
    open_hall: Opened, game: Played, way: Any
) -> None:
    async with open_hall(max(SCENARIOS[game.scenario].players)) as hall:
        await whole(hall, game, way, target=10)
