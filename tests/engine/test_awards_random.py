"""I1 to I3, I7: who has the awards after each action of random games that many players leave, against the oracle."""

from __future__ import annotations

import random

import pytest

from engine.actions import Action, Resign
from engine.config import FORMAT
from engine.game import Game
from tests.engine.builder import Table, seat, table
from tests.engine.oracle import Awards
from tests.engine.randomly import attempt, random_action
from tests.seeds import few_of

ROWS = (("A1", "a"), ("B1", "c"), ("C1", "e"), ("D1", "g"), ("E1", "i"), ("F1", "k"))
"""An intersection in the west of each row, and the letter of the edges that lead east from there."""
GAMES, BATCH = 240, 40


def rivals(rng: random.Random, format: int) -> Table:
    """Three to six rich players with roads and armies of about the same size. The first two have another knight in
    hand."""
    players = rng.randint(3, 6)
    seats = [
        seat(
            settlements=start,
            roads=" ".join(f"{row}{n}" for n in range(1, rng.randint(4, 6))),
            hand="bbblllwwggoo",
            cards="k" * (number < 2),
            played="k" * rng.randint(1, 3),
        )
        for number, (start, row) in enumerate(rng.sample(ROWS, players))
    ]
    rules = ("knight-interrupt",) if rng.random() < 0.3 else ()
    scenario = "base" if players < 5 else "extension"
    return table(*seats, scenario=scenario, target=20, variants=rules, format=format)


def leaves_or_plays(game: Game, rng: random.Random) -> tuple[int, Action]:
    """A random action. More often than in other games, it is that a player resigns."""
    if rng.random() < 0.05:
        return rng.choice([s for s in range(game.config.players) if not game.state.resigned >> s & 1]), Resign()
    return random_action(game, rng)


def play(number: int, format: int = FORMAT) -> int:
    """Play such a game and check the awards after each action. Returns how often a player left while a tie had set
    the army aside."""
    rng = random.Random(number)
    t = rivals(rng, format)
    game, times = t.game, 0
    awards = Awards(game, game.state.longest, game.state.army)
    while game.outcome is None and game.revision < 300:
        who, action = leaves_or_plays(game, rng)
        aside = game.state.army < 0 and max(cards[0] for cards in game.state.played) >= 3
        if attempt(game, who, action) is None:
            awards.check(game)
            times += aside and isinstance(action, Resign)
    return times


@pytest.mark.parametrize("batch", few_of(range(GAMES // BATCH), 2))
def test_I7_both_awards_are_counted_again_when_any_player_leaves(batch: int) -> None:
    assert sum(play(number) for number in range(batch * BATCH, (batch + 1) * BATCH)) > 5


def test_I7_the_oracle_notices_that_format_3_does_not_count_awards_again() -> None:
    """Some of the same games go differently in format 3."""
    noticed = 0
    for number in range(BATCH):
        try:
            play(number, format=3)
        except AssertionError:
            noticed += 1
    assert noticed
