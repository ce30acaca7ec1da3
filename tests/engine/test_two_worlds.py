"""M: viewers can't tell apart two worlds that differ only in what they must not know, by anything the engine says."""

from __future__ import annotations

import random

import pytest

from engine.game import Game
from tests.engine.randomly import PLAIN, attempt, chance, random_action, random_config, wild_action
from tests.engine.worlds import other_world, shape
from tests.seeds import few_of

GAMES, BATCH = 80, 10


def looks(game: Game, viewer: int | None) -> list[object]:
    """Everything that a viewer is shown, except the answers to what a seat tries."""
    shown: list[object] = [game.view(viewer), viewer is not None and game.can_undo(viewer)]
    if viewer is not None:
        shown += [game.decision(viewer), {cls: shape(d) for cls, d in game.options(viewer).items()}]
    return shown


def compare(game: Game, viewer: int | None, rng: random.Random) -> None:
    """Check that a random other world looks the same and answers the same."""
    twin = other_world(game, viewer, rng)
    assert looks(game, viewer) == looks(twin, viewer)
    if viewer is None:
        return
    for _ in range(25):
        action = wild_action(game, rng)[1]
        here, there = (attempt(world.copy(), viewer, action) for world in (game, twin))
        answers = [None if e is None else (e.key, str(e), e.params) for e in (here, there)]
        assert answers[0] == answers[1] or "trade-gone" in [e.code for e in (here, there) if e], (action, answers)


@pytest.mark.parametrize("batch", few_of(range(GAMES // BATCH), 3))
def test_M_games_that_differ_only_in_hidden_things_look_the_same(batch: int) -> None:
    """A seat's views, options, ids and refusals depend on nothing that it must not know."""
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        rng = random.Random(seed)
        config = random_config(rng, (*PLAIN, "extension"), (5, 10), rounds=40, variants=0.2 * (seed % 2))
        game = Game.new(config, chance(seed))
        while game.outcome is None:
            attempt(game, *random_action(game, rng))
            if rng.random() < 0.04 and game.outcome is None and not game.rules.data.open_hands:
                compare(game, rng.choice((None, *range(game.config.players))), rng)
