"""Moments of a game that tests wait for."""

from __future__ import annotations

from collections.abc import Callable

from engine.actions import Roll
from engine.game import Game


def at(step: str) -> Callable[[Game], bool]:
    """A condition: a step has been reached."""
    return lambda game: game.view(None).step.kind == step


def before_discards(game: Game) -> bool:
    """The next roll makes several players discard."""
    if game.view(None).step.kind != "pre_roll":
        return False
    trial = game.copy()
    trial.play(trial.to_act[0], Roll())
    return trial.view(None).step.kind == "discard" and len(trial.to_act) > 1
