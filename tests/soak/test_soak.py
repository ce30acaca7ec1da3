"""Random games of random configurations (scenario, edition, alternate rules, seats, layout, options), all different.

For each game: cards are conserved, points are the same when counted again, listed options are accepted, no one is
stuck, the log replays to the same position, and the game ends or is a legal stalemate at the turn limit.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.config import EDITIONS
from engine.game import Game
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from tests.seeds import few_of
from tests.soak.games import TURN_LIMIT, any_config, play, replays
from tests.soak.stalemates import causes, most_points

GAMES = 20_000
BATCH = 40
SAMPLE = 1
"""Games of each scenario in the short run: 8 in all."""
MOST_STALEMATES = 0.01
"""The largest share of games that can go to the turn limit. Far fewer do."""


def play_all(numbers: range, scenarios: tuple[str, ...], closely: float) -> None:
    """Play the games of these numbers and examine each."""
    stalemates = []
    for number in numbers:
        game, turns = play(number, scenarios, closely)
        replays(game)
        if game.outcome is None:
            assert turns == TURN_LIMIT
            assert game.to_act
            stalemates.append((number, list(causes(game))))
        elif game.outcome.reason == "target":
            (winner,) = game.outcome.winners
            assert game.outcome.points[winner] >= game.config.target
    assert len(stalemates) <= max(1, MOST_STALEMATES * len(numbers)), stalemates


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_sample_of_random_games_passes_all_checks(scenario: str) -> None:
    play_all(range(SAMPLE), (scenario,), closely=0.002)


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(GAMES // BATCH))
def test_many_random_games_pass_all_checks(batch: int) -> None:
    play_all(range(batch * BATCH, (batch + 1) * BATCH), tuple(SCENARIOS), closely=0.0005)


def test_the_random_configurations_cover_all_combinations() -> None:
    """Every alternate rule meets every other and every scenario in both editions, with every number of players."""
    met = Counter[tuple[str, str]]()
    for number in range(2000):
        config = any_config(random.Random(number))
        met.update((config.scenario, x) for x in (*config.variants, config.edition, str(config.players), config.layout))
        met.update((config.scenario, f"{name}={value}") for name, value in config.options)
        met.update((a, b) for a in config.variants for b in config.variants)
    wanted = [
        (s.id, x)
        for s in SCENARIOS.values()
        for x in (*VARIANTS, *EDITIONS, *map(str, s.players), *s.layouts, *option_values(s.id))
    ]
    assert not [pair for pair in wanted if not met[pair]]
    assert not [(a, b) for a in VARIANTS for b in VARIANTS if not met[a, b]]


def option_values(scenario: str) -> list[str]:
    """All values of a scenario's options, as "name=value"."""
    options = [option for option in SCENARIOS[scenario].options if option.only_with is None]
    return [f"{option.name}={value}" for option in options for value, _ in option.choices]


@pytest.mark.parametrize("games", few_of((3, 8)))
def test_the_upper_bound_of_points_is_never_below_the_points_reached(games: int) -> None:
    """The bound that explains stalemates holds: from the middle of a game on, no seat ends with more points."""
    for number in range(1, games + 1):
        game, _ = play(number)
        if game.state.resigned:
            continue
        for part in (0.5, 0.8):
            earlier = Game.replay(game.config, game.records[: int(part * game.revision)])
            for seat in range(game.config.players):
                assert most_points(earlier.state, seat) >= game.state.all_points(seat), (number, part, seat)
