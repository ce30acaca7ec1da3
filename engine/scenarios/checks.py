"""Whether a game can be played as configured, and the dealing of its board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from engine.board import Board
from engine.config import COLORS, FORMAT, LAYOUTS, Config
from engine.editions import EDITIONS
from engine.errors import ConfigError
from engine.scenarios.scenario import Draw, Scenario


class Variant(Protocol):
    """What is looked at of an alternate rule."""

    @property
    def excludes(self) -> Collection[str]:
        """Ids of the alternate rules that can't be combined with it."""


LEAST_TARGET, MOST_TARGET = 3, 20
"""Victory targets (A3)."""
LEAST_ANSWER, MOST_ANSWER = 60, 7 * 86_400
"""Seconds for an answer (L8)."""
DEALS = 20
"""How often a board is dealt anew (K7)."""


def deal_board(scenario: Scenario, config: Config, draw: Draw) -> Board:
    """The board of a new game; dealt anew should it not be playable (K7)."""
    for _ in range(DEALS):
        board = scenario.deal(config, draw)
        if playable(board, config.players):
            return board
    raise ConfigError("board", "No board that has room for everybody was found; please try again.")


def playable(board: Board, players: int) -> bool:
    """Whether every player is sure to place two settlements with a road each, wherever the others go (K7).

    A settlement closes itself and its neighbours to others. Two of its edges run along land, and nobody else
    can have taken those, for no building stands at their other ends. So counting intersections will do.
    """
    closed = max((board.blocks[n] & board.settle_mask).bit_count() for n in board.places(board.settle_mask))
    return board.settle_mask.bit_count() > closed * (2 * players - 1)


def check_config(config: Config, scenarios: Mapping[str, Scenario], variants: Mapping[str, Variant]) -> None:
    """Raises `ConfigError` with one sentence on what can't be played (A, K, L)."""
    if config.format != FORMAT:
        raise ConfigError("format", f"This program plays format {FORMAT} of the rules, not {config.format}.")
    if config.scenario not in scenarios:
        raise ConfigError("scenario", f"There is no scenario {config.scenario!r}; there are {_listed(scenarios)}.")
    if config.edition not in EDITIONS:
        raise ConfigError("edition", f"There is no edition {config.edition!r}; there are {_listed(EDITIONS)}.")
    scenario = scenarios[config.scenario]
    _check_players(config, scenario)
    if not LEAST_TARGET <= config.target <= MOST_TARGET:
        raise ConfigError(
            "target",
            f"The game can be won with {LEAST_TARGET} to {MOST_TARGET} points, not with {config.target}.",
        )
    if config.round_limit < 0:
        raise ConfigError("round_limit", "The number of rounds must be 0, which is no limit, or more.")
    if not LEAST_ANSWER <= config.answer_time <= MOST_ANSWER:
        raise ConfigError("answer_time", "The time for an answer to the robber is 1 minute to 7 days.")
    _check_board(config, scenario)
    _check_variants(config, variants)


def _check_players(config: Config, scenario: Scenario) -> None:
    if config.players not in scenario.players:
        raise ConfigError(
            "players",
            f"{scenario.title}: for {_counts(scenario.players)} players, not for {config.players}.",
            players=scenario.players,
        )
    for color in config.colors:
        if color not in COLORS:
            raise ConfigError("colors", f"There is no colour {color!r}; there are {_listed(COLORS)}.")
        if config.colors.count(color) > 1:
            raise ConfigError("colors", f"Two players have {color}; every player needs an own colour.")
        possible = scenario.colors_for(config.players)
        if color not in possible:
            raise ConfigError(
                "colors",
                f"Nobody can be {color} here; {config.players} players choose from {_listed(possible)}.",
                colors=possible,
            )


def _check_board(config: Config, scenario: Scenario) -> None:
    if not scenario.layouts and config.layout != LAYOUTS[0]:
        raise ConfigError("layout", f"{scenario.title} has its own way of laying the number tokens.")
    if scenario.layouts and config.layout not in scenario.layouts:
        raise ConfigError(
            "layout", f"There is no token layout {config.layout!r}; there are {_listed(scenario.layouts)}."
        )
    offered = {option.name: option for option in scenario.options}
    for name, value in config.options:
        if name not in offered:
            names = f"its options are {_listed(offered)}" if offered else "it has no options"
            raise ConfigError("option", f"{scenario.title} has no option {name!r}; {names}.")
        values = [choice for choice, _ in offered[name].choices]
        if value not in values:
            raise ConfigError("option", f"{offered[name].title} can't be {value!r}; the choices are {_listed(values)}.")
    if len(config.options) != len(dict(config.options)):
        raise ConfigError("option", "An option can be given only once.")


def _check_variants(config: Config, variants: Mapping[str, Variant]) -> None:
    for name in config.variants:
        if name not in variants:
            raise ConfigError("variant", f"There is no alternate rule {name!r}; there are {_listed(variants)}.")
        for other in variants[name].excludes:
            if other in config.variants:
                raise ConfigError("variant", f"The alternate rules {name} and {other} can't be combined.")
    if len(config.variants) != len(set(config.variants)):
        raise ConfigError("variant", "An alternate rule can be chosen only once.")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _counts(players: tuple[int, ...]) -> str:
    return f"{players[0]} to {players[-1]}" if len(players) > 1 else str(players[0])
