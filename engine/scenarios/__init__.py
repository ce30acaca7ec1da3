"""The scenarios (section K): what can be played, by how many, on which board. Each has a file, and a line here."""

from __future__ import annotations

from importlib import import_module

from engine.board import Board
from engine.config import Config
from engine.scenarios.checks import check_config, deal_board, playable
from engine.scenarios.scenario import Draw, Option, Scenario, StartPiece
from engine.variants import VARIANTS

__all__ = ["SCENARIOS", "Draw", "Option", "Scenario", "StartPiece", "check", "deal", "playable"]

_IDS = (
    "base",
    "beginner",
    "extension",
    "mayfair-expansion",
    "big-island",
    "peanut",
    "islands",
    "big-islands",
)

SCENARIOS: dict[str, Scenario] = {id_: import_module(f"{__name__}.{id_.replace('-', '_')}").SCENARIO for id_ in _IDS}
"""All scenarios by id, in the order of the lobby."""


def check(config: Config) -> None:
    """Raise `ConfigError` with one helpful sentence if a game can't be played as configured (A)."""
    check_config(config, SCENARIOS, VARIANTS)


def deal(config: Config, draw: Draw) -> Board:
    """The board of a new game: a pure function of the configuration and the draws of the kind "board".

    Raises `ConfigError` if no board that fits the configuration is found (B5, K7).
    """
    return deal_board(SCENARIOS[config.scenario], config, draw)
