"""M: whoever may not know which of two worlds is true can't tell them apart, by anything the engine says."""

from __future__ import annotations

import random

import pytest

from engine.game import Game
from tests.engine.randomly import PLAIN, attempt, chance, random_action, random_config, wild_action
from tests.engine.worlds import other_world, shape

GAMES, BATCH = 80, 10


def looks(game: Game, viewer: int | None) -> list[object]:
    """Everything a seat is shown, except what it may try."""
    said: list[object] = [game.view(viewer), viewer is not None and game.can_undo(viewer)]
    if viewer is not None:
        said += [game.decision(viewer), {cls: shape(d) for cls, d in game.options(viewer).items()}]
    return said


def compare(game: Game, viewer: int | None, rng: random.Random) -> None:
    """A random other world looks the same and answers the same."""
    twin = other_world(game, viewer, rng)
    assert looks(game, viewer) == looks(twin, viewer)
    if viewer is None:
        return
    for _ in range(25):
        action = wild_action(game, rng)[1]
        here, there = (attempt(world.copy(), viewer, action) for world in (game, twin))
        said = [None if e is None else (e.key, str(e), e.params) for e in (here, there)]
        assert said[0] == said[1] or "trade-gone" in [e.code for e in (here, there) if e], (action, said)


@pytest.mark.parametrize("batch", range(GAMES // BATCH))
def test_M_two_worlds_look_alike(batch: int) -> None:
    """Views, options, ids and refusals of a seat depend on nothing it may not know."""
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        rng = random.Random(seed)
        rules = {"variants": 0.2} if seed % 2 else {}
        game = Game.new(random_config(rng, (*PLAIN, "extension"), (5, 10), rounds=40, **rules), chance(seed))
        while game.outcome is None:
            attempt(game, *random_action(game, rng))
            if rng.random() < 0.04 and game.outcome is None and not game.rules.data.open_hands:
                compare(game, rng.choice((None, *range(game.config.players))), rng)
