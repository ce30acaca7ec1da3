"""Computer players: each decides for a seat by what the seat may know, over the engine's rules (docs/players.md)."""

from __future__ import annotations

from engine.domains import Random
from players.expert import ExpertPlayer
from players.player import Player
from players.random_player import RandomPlayer
from players.sensible import EasyPlayer, HardPlayer

LEVELS: dict[str, type[Player]] = {
    "random": RandomPlayer,
    "easy": EasyPlayer,
    "hard": HardPlayer,
    "expert": ExpertPlayer,
}
"""The registry: a line for each level."""
OFFERED = ("easy", "hard", "expert")
"""Those that people may want to play with, the easiest first."""


def computer(level: str, rng: Random) -> Player:
    """A player of a level; raises `KeyError` when there is none of that name."""
    return LEVELS[level](rng)
