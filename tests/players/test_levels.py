"""Bots of every level, at every table: they play to the end by the rules, know no secrets, and are as strong as they
should be."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.actions import Discard, MakeOffer, MoveRobber, Resign, Roll, TakeCard
from engine.config import COLORS, Config
from engine.game import Game
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from players import LEVELS, computer
from players.advice import advice
from players.arena import contest
from players.sensible import SensiblePlayer
from players.table import move, play
from tests.engine.builder import BOARD, cards, node, seat, table
from tests.engine.randomly import attempt, chance, random_action, random_config
from tests.engine.worlds import other_world
from tests.players.pacifist import Pacifist
from tests.seeds import few_of


def finished(config: Config, levels: list[str], seed: int, most: int = 4000) -> Game:
    """A whole game among bots."""
    game = Game.new(config, chance(seed))
    players = [computer(level, random.Random(f"{seed}/{n}")) for n, level in enumerate(levels)]
    while game.outcome is None:
        play(game, players)
        assert game.revision < most
    return game


@pytest.mark.soak
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_every_scenario_to_its_end(scenario: str, level: str) -> None:
    rng = random.Random(f"{scenario}/{level}")
    config = random_config(rng, (scenario,), (5, 6), rounds=30)
    game = finished(config, [level] * config.players, 1)
    assert Game.replay(game.config, game.records).hash() == game.hash()


RULES = tuple(VARIANTS)


@pytest.mark.parametrize("variants", few_of((RULES[::2], RULES[1::2], *((rule,) for rule in RULES)), 2))
def test_bots_play_by_every_alternate_rule(variants: tuple[str, ...]) -> None:
    config = Config(colors=COLORS[:4], variants=variants, target=4, round_limit=40)
    finished(config, ["hard", "easy", "hard", "easy"], 2)


@pytest.mark.parametrize("seed", few_of(range(12)))
def test_bots_of_mixed_levels_play_by_any_rules(seed: int) -> None:
    rng = random.Random(seed)
    config = random_config(rng, tuple(SCENARIOS), (4, 5, 6), rounds=20, variants=0.3)
    finished(config, rng.choices(list(LEVELS), k=config.players), seed, 8000)


@pytest.mark.parametrize("seed", few_of(range(12)))
def test_bots_can_continue_a_game_from_any_position(seed: int) -> None:
    """After people's random moves, offers and resignations, bots go on in any seat, or in several."""
    rng = random.Random(seed)
    config = random_config(rng, tuple(SCENARIOS), (5, 6), rounds=20, variants=0.2)
    game = Game.new(config, chance(seed))
    players = [computer(rng.choice(("easy", "hard", "expert")), rng) for _ in range(config.players)]
    while game.outcome is None and game.revision < 6000:
        if rng.random() < 0.5:
            seat, action = random_action(game, rng)
            if not isinstance(action, Resign) or rng.random() < 0.1:
                attempt(game, seat, action)
        else:
            play(game, players)
    assert game.outcome is not None


def moments(seed: int) -> Iterator[tuple[Game, random.Random]]:
    """Some moments in a game of any scenario, with any alternate rules."""
    rng = random.Random(seed)
    config = random_config(rng, tuple(SCENARIOS), (4, 5), rounds=20, variants=0.3)
    game = Game.new(config, chance(seed))
    while game.outcome is None:
        attempt(game, *random_action(game, rng))
        if rng.random() < 0.02 and game.outcome is None and not game.rules.data.open_hands:
            yield game, rng


@pytest.mark.parametrize("level", LEVELS)
def test_M_a_bots_choice_does_not_depend_on_hidden_cards(level: str) -> None:
    compared = 0
    for seed in range(4):
        for game, rng in moments(seed):
            seat = game.to_act[0]
            twin = other_world(game, seat, rng)
            choices = []
            for world in (game, twin):
                player = computer(level, random.Random(seed))
                view = world.view(seat, counted=True)
                options = world.options(seat)
                hint = advice(player, view, options) if isinstance(player, SensiblePlayer) else None
                choices.append((player.decide(view, options), player.asks_to_build(view), hint))
            assert choices[0] == choices[1]
            compared += 1
    assert compared > 15


@pytest.mark.parametrize("games", few_of((1, 2)))
def test_a_bot_makes_few_offers_and_none_twice_in_a_turn(games: int) -> None:
    most = {"hard": 1, "expert": 3}
    for seed in range(games):
        game = Game.new(Config(colors=COLORS[:3], target=5), chance(seed))
        levels = ("expert", "hard", "hard")
        players = [computer(level, random.Random(n)) for n, level in enumerate(levels)]
        made: dict[tuple[int, int], list[object]] = defaultdict(list)
        while game.outcome is None:
            seat, action = move(game, players)
            if isinstance(action, MakeOffer) and seat == game.state.on_turn:
                made[game.turn, seat].append((action.give, action.want))
            game.play(seat, action)
        for (_turn, seat), offers in made.items():
            assert len(offers) == len(set(offers)) <= most[levels[seat]]
        assert {len(offers) for offers in made.values()} >= {1, 2}


def test_the_example_bot_is_the_one_in_the_docs_and_plays() -> None:
    root = Path(__file__).parents[2]
    assert (root / "tests/players/pacifist.py").read_text() in (root / "docs/players.md").read_text()
    game = Game.new(Config(colors=COLORS[:4], target=6), chance(1))
    players = [Pacifist(random.Random(n)) for n in range(4)]
    while game.outcome is None:
        play(game, players)


def wins(levels: list[str], games: int) -> int:
    config = Config(colors=COLORS[: len(levels)])
    return sum(0 in contest(config, levels, "strength", True, n).winners for n in range(games))


@pytest.mark.parametrize("games", few_of((2, 4)))
def test_easy_beats_random(games: int) -> None:
    assert wins(["easy", "random", "random", "random"], games) == games


def test_the_robber_takes_the_card_that_a_city_still_needs() -> None:
    robber_hex = next(h for h, nodes in enumerate(BOARD.hex_node_mask) if nodes >> node("D6") & 1)
    corners = BOARD.grid.hex_nodes[robber_hex]
    opposite = corners[(corners.index(node("D6")) + 3) % 6]
    has_wool = seat(settlements=BOARD.grid.node_names[opposite], hand="w")
    has_ore = seat(settlements="D6", hand="o")
    t = table(seat(settlements="C1", hand="oogg"), has_wool, has_ore, step="pre_roll", robber="1.1", dice=[(3, 4)])
    t.play(0, Roll())
    t.play(0, MoveRobber(robber_hex))
    game = t.game
    chosen = computer("expert", random.Random(0)).decide(game.view(0, counted=True), game.options(0))
    assert chosen == TakeCard(2)


@pytest.mark.parametrize("level", ["hard", "expert"])
def test_a_discard_keeps_the_price_of_a_city(level: str) -> None:
    t = table(seat(settlements="C4", hand="ooogglllw"), seat(), step="pre_roll", dice=[(3, 4)])
    t.play(0, Roll())
    chosen = computer(level, random.Random(0)).decide(t.game.view(0, counted=True), t.game.options(0))
    assert chosen == Discard(cards("lllw"))
