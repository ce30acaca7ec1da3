"""Whole games of every scenario at its largest table, with the alternate rules in turn, by what people see."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

import render
from bot.words.choices import ANSWER_TIMES
from bot.words.ranking import rank_edges, rank_intersections
from engine.actions import (
    AcceptOffer,
    Action,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    DeclineOffer,
    EndTurn,
    PassOn,
    PlayKnight,
    PlayRoadBuilding,
    PlayVictoryPoint,
    Roll,
)
from engine.game import Game
from engine.resources import NOTHING
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from engine.view import View
from tests.bot.front.conftest import Opened
from tests.bot.front.doing import by_commands, by_components
from tests.bot.front.hall import Hall, labels, text

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
    Played("big-island", ("cards-after-roll", "no-early-sevens"), options=(("harbors", "wool"), ("limit", "10"))),
    Played("peanut", ("optional-robber", "build-ends-trade", "knight-interrupt"), layout="balanced"),
    Played("islands", ("pirate", "friendly-robber", "knight-interrupt"), options=(("cards", "two"),)),
    Played("big-islands", ("keep-a-settlement", "pirate", "optional-robber"), options=(("variation", "B"),)),
    Played("big-islands", RULES, "1996", options=(("variation", "C"),)),
)


@pytest.fixture
def few_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw only some of the pictures, the first of a kind and then each twentieth; the others are those again."""
    for name in ("board", "hand"):
        monkeypatch.setattr(render, name, _sometimes(getattr(render, name)))


def _sometimes(draw: Any) -> Any:
    kept: list[bytes] = []
    calls = itertools.count()

    def instead(view: View, **details: Any) -> bytes:
        if not kept or next(calls) % 20 == 0:
            kept[:] = [draw(view, **details)]
        return kept[0]

    return instead


def test_every_scenario_and_every_alternate_rule_twice() -> None:
    assert {game.scenario for game in GAMES} == set(SCENARIOS)
    counted = Counter(rule for game in GAMES for rule in game.rules)
    assert set(counted) == set(VARIANTS)
    assert min(counted.values()) >= 2


async def choose_in_the_lobby(hall: Hall, game: Played, target: int) -> None:
    """Set everything by the host's selects."""
    host, number = hall.people[0], (await hall.table()).number
    menu = (await host.click(await hall.panel(), label="Options")).response

    async def choose(name: str, *values: str) -> None:
        nonlocal menu
        menu = (await host.select(menu, list(values), custom_id=f"hs:set:{number}::{name}")).response
        assert "⚠️" not in text(menu)

    await choose("scenario", game.scenario)
    await choose("edition", game.edition)
    await choose("variants", *game.rules)
    await choose("target", str(target))
    if game.layout:
        await choose("layout", game.layout)
    if "knight-interrupt" in game.rules:
        await choose("answer_time", "300")
        assert ANSWER_TIMES[300] in text(menu)
    for name, value in game.options:
        await choose(f"option.{name}", value)


def well(game: Game, seat: int, rng: random.Random) -> Action:
    """A fair move, so that games end: what gives points first, then what leads there; now and then anything."""
    options, view = game.options(seat), game.view(seat)
    if rng.random() < 0.1:
        return options[rng.choice(list(options))].sample(rng)
    for kind in (BuildCity, BuildSettlement, PlayVictoryPoint, PlayKnight, PlayRoadBuilding, BuyCard):
        if kind is BuildSettlement and kind in options:
            best = rank_intersections(view, (action.at for action in options[kind]))
            return BuildSettlement(best[0])
        if kind in options:
            return options[kind].sample(rng)
    if BuildRoad in options and (view.step != "main" or rng.random() < 0.3):
        return BuildRoad(rank_edges(view, (action.at for action in options[BuildRoad]))[0])
    hand = view.players[seat].hand or NOTHING
    if BankTrade in options and rng.random() < 0.8 and 0 in hand[2:]:
        return options[BankTrade].sample(rng)
    simple = [kind for kind in (Roll, EndTurn, PassOn, AcceptOffer, DeclineOffer) if kind in options]
    return options[rng.choice(simple or list(options))].sample(rng)


def plan(start: Game, seed: int) -> list[tuple[int, Action]]:
    """A game to its end: who does what."""
    game, rng, moves = start.copy(), random.Random(seed), []
    while game.outcome is None:
        seat = rng.choice(game.to_act)
        action = well(game, seat, rng)
        game.play(seat, action)
        moves.append((seat, action))
    return moves


async def play(hall: Hall, way: Any, moves: list[tuple[int, Action]]) -> None:
    """Carry a plan out; every action must be the one that was meant."""
    people = [await hall.person(seat) for seat in range(len(hall.people))]
    for seat, action in moves:
        before = await hall.game()
        await way(hall, people[seat], action)
        after = await hall.game()
        assert after.revision == before.revision + 1, f"{action} was not played"
        assert after.records[-1].action == action


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


@pytest.mark.parametrize("game", GAMES, ids=str)
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
