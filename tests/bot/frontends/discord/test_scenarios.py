"""Whole games of every scenario at its largest table, with the alternate rules in turn, by what people see."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from tests.bot.frontends.discord.conftest import Opened
from tests.bot.frontends.discord.doing import by_commands, by_components
from tests.bot.frontends.discord.hall import Hall, fill, labels, reply, text
from tests.bot.frontends.discord.moves import plan, play

RULES = tuple(VARIANTS)


@dataclass(frozen=True)
class Played:
    """A game to be played: its scenario with options, edition, alternate rules, layout."""

    scenario: str
    rules: tuple[str, ...]
    edition: str = "2007"
    layout: str = ""
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return "-".join([self.scenario, *(value for _, value in self.options)])


GAMES = (
    Played("base", ("vp-cards-played", "open-hands", "cards-after-roll"), "1996", "balanced"),
    Played("beginner", ("no-early-sevens", "optional-robber", "build-ends-trade"), "1996"),
    Played("extension", ("keep-a-settlement", "knight-interrupt", "friendly-robber"), layout="random"),
    Played("mayfair-expansion", ("pirate", "vp-cards-played", "open-hands"), "1996"),
    Played(
        "big-island",
        ("cards-after-roll", "no-early-sevens", "separate-phases"),
        options=(("harbors", "wool"), ("limit", "10")),
    ),
    Played("peanut", ("separate-phases", "build-ends-trade", "knight-interrupt"), layout="balanced"),
    Played("islands", ("pirate", "friendly-robber", "knight-interrupt"), options=(("cards", "two"),)),
    Played("big-islands", ("keep-a-settlement", "pirate", "optional-robber"), options=(("variation", "own"),)),
    Played("big-islands", RULES, "1996", options=(("variation", "C"),)),
)


def test_every_scenario_and_every_alternate_rule_twice() -> None:
    assert {game.scenario for game in GAMES} == set(SCENARIOS)
    counted = Counter(rule for game in GAMES for rule in game.rules)
    assert set(counted) == set(VARIANTS)
    assert min(counted.values()) >= 2


async def choose_in_the_lobby(hall: Hall, game: Played, target: int) -> None:
    """Set everything by the host's list and forms."""
    host = hall.people[0]
    menu = reply(await host.click(await hall.panel(), label="Options"))
    menu = reply(await host.select(menu, [game.scenario]))

    async def choose(label: str, **values: Any) -> None:
        nonlocal menu
        menu = reply(await fill(host, menu, label, **values))
        assert "⚠️" not in text(menu)

    await choose("Rules and points", edition=game.edition, variants=list(game.rules), target=[str(target)])
    if "knight-interrupt" in game.rules:
        await choose("Rules and points", answer_time="300")
        assert "5 minutes" in text(menu)
    land = {o.name for o in SCENARIOS[game.scenario].options if o.only_with is not None}
    board: dict[str, Any] = {f"option.{name}": value for name, value in game.options if name not in land}
    if game.layout:
        board["layout"] = game.layout
    if board:
        await choose("Board", **board)
    if own := {f"option.{name}": [value] for name, value in game.options if name in land}:
        await choose("Land", **own)


async def whole(hall: Hall, game: Played, way: Any, target: int, tries: int = 1) -> None:
    """A whole game of a full table: lobby, setup, turns, end; the shortest of some plans is played."""
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
"""Scenarios of the short run; each step of each scenario has its own test."""


@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=[pytest.mark.soak] * (g.scenario not in SHORT), id=str(g)) for g in GAMES]
)
@pytest.mark.usefixtures("few_pictures")
async def test_a_whole_game_of(open_hall: Opened, game: Played) -> None:
    async with open_hall(max(SCENARIOS[game.scenario].players)) as hall:
        await whole(hall, game, by_components, target=4, tries=6)


@pytest.mark.soak
@pytest.mark.parametrize("way", [by_components, by_commands])
@pytest.mark.parametrize("game", GAMES, ids=str)
async def test_a_whole_game_to_ten_points_of(open_hall: Opened, game: Played, way: Any) -> None:
    async with open_hall(max(SCENARIOS[game.scenario].players)) as hall:
        await whole(hall, game, way, target=10)
