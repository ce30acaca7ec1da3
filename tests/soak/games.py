"""Random games of all configurations: dealt, played and examined from all sides, each from a single number."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.actions import Action, AskToBuild, EndTurn, Resign, SetStanding, Undo
from engine.config import EDITIONS, Config
from engine.errors import IllegalAction
from engine.game import Game
from engine.record import REFEREE
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from tests.engine.builder import Seeded
from tests.engine.invariants import check_cards, check_points, check_position, check_views
from tests.engine.randomly import random_options, time_over

TURN_LIMIT = 3000
"""Turns after which a game that isn't over counts as a stalemate."""


def any_config(rng: random.Random, scenarios: Sequence[str] = tuple(SCENARIOS), target: int = 10) -> Config:
    """Any scenario, edition and number of players, any subset of alternate rules, any layout and options."""
    scenario = SCENARIOS[rng.choice(scenarios)]
    players = rng.choice(scenario.players)
    return Config(
        colors=tuple(rng.sample(scenario.colors_for(players), players)),
        scenario=scenario.id,
        edition=rng.choice(EDITIONS),
        variants=tuple(v for v in VARIANTS if rng.random() < 0.5),
        target=target,
        layout=rng.choice(scenario.layouts or ("spiral",)),
        options=random_options(scenario, rng),
        shuffle_seats=rng.random() < 0.5,
        request_time=60 * (players == 6),
    )


def any_action(game: Game, rng: random.Random, leaving: float = 0.0) -> tuple[int, Action]:
    """Usually an awaited move, sometimes one that no one awaits. `leaving`: how often a player resigns."""
    luck = rng.random()
    if luck < 0.02:
        seats = [s for s in range(game.config.players) if not game.state.resigned >> s & 1]
        seat = rng.choice(seats)
        if luck < leaving:
            return seat, Resign()
        if luck < 0.008:
            return seat, AskToBuild(rng.random() < 0.8)
        if luck < 0.009:
            return seat, SetStanding(rng.randrange(9))
        if luck < 0.012:
            return REFEREE, time_over(game, rng)
        if luck < 0.015:
            return seat, Undo()
        if options := game.options(seat):
            return seat, options.sample(rng, offers=True)
    seat = rng.choice(game.to_act)
    return seat, game.options(seat).sample(rng, offers=rng.random() < 0.01)


def nobody_is_stuck(game: Game) -> None:
    """Check that someone is awaited and all awaited seats can act, unless the game is over."""
    assert bool(game.to_act) == (game.outcome is None)
    for seat in game.to_act:
        assert game.options(seat), f"seat {seat} is awaited and can do nothing"


def options_are_accepted(game: Game, rng: random.Random) -> None:
    """Check on copies that listed options are accepted. The one exception: a partner no longer holds the cards (E2)."""
    for seat in range(game.config.players):
        listed = list(game.options(seat).actions())
        for action in rng.sample(listed, min(4, len(listed))):
            try:
                game.copy().play(seat, action)
            except IllegalAction as error:
                if error.code != "trade-gone":
                    raise


def play(
    number: int, scenarios: Sequence[str] = tuple(SCENARIOS), closely: float = 0.0, target: int = 10
) -> tuple[Game, int]:
    """Play a random game to its end or the turn limit. Returns the game and its number of turns.

    A share `closely` of its positions is examined.
    """
    rng = random.Random(number)
    game = Game.new(any_config(rng, scenarios, target), Seeded(number))
    leaving = 0.00002 if number % 5 == 0 else 0.0
    known: dict[tuple[int, int], int] = {}
    turns = 0
    while game.outcome is None and turns < TURN_LIMIT:
        nobody_is_stuck(game)
        if rng.random() < closely:
            check_cards(game)
            check_points(game)
            check_views(game)
            options_are_accepted(game, rng)
        seat, action = any_action(game, rng, leaving)
        turns += type(action) is EndTurn
        try:
            game.play(seat, action)
        except IllegalAction as error:
            if error.code != "trade-gone" and not isinstance(action, (AskToBuild, Undo, SetStanding)):
                raise
    nobody_is_stuck(game)
    if closely:
        check_position(game, known)
    return game, turns


def replays(game: Game) -> None:
    """Check that replaying the log gives the same position."""
    again = Game.replay(game.config, game.records)
    assert again.hash() == game.hash()
    assert again.outcome == game.outcome
