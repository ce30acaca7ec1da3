"""Bots: each decides for a seat by what the seat can know, on top of the engine's rules (docs/players.md)."""

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
"""All levels of bots. A new one needs a line here."""
OFFERED = ("easy", "hard", "expert")
"""Levels that people may want to play with, the easiest first."""


def computer(level: str, rng: Random) -> Player:
    """A bot of a level. Raises `KeyError` if there is no such level."""
    return LEVELS[level](rng)
