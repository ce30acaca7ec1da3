"""Checks that a game can be played as configured, and deals its board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from engine.board import Board
from engine.config import COLORS, LAYOUTS, Config
from engine.editions import EDITIONS
from engine.geometry import bits
from engine.refusals import Listed, Word, Words, config_refusal
from engine.scenarios.scenario import Draw, Scenario


class Variant(Protocol):
    """What is checked of an alternate rule."""

    @property
    def excludes(self) -> Collection[str]:
        """Ids of the alternate rules that can't be combined with it."""


LEAST_TARGET, MOST_TARGET = 3, 20
"""Victory targets (A3)."""
LEAST_ANSWER, MOST_ANSWER = 60, 7 * 86_400
"""Seconds for an answer (L8)."""
LEAST_REQUEST, MOST_REQUEST = 15, 3600
"""Seconds for late requests (J2)."""
DEALS = 20
"""How many times a board is dealt before the game is refused (K7)."""


NO_ROOM = config_refusal("board/room", "No board with room for everyone was found: please try again.")
NO_SCENARIO = config_refusal("scenario", "There is no scenario {name}. Choose from {known}.")
NO_EDITION = config_refusal("edition", "There is no edition {name}. Choose from {known}.")
WRONG_TARGET = config_refusal("target", "The game can be won with {least} to {most} points, not with {target}.")
WRONG_ROUNDS = config_refusal("round_limit", "The number of rounds is 0 (no limit) or more.")
WRONG_ANSWER_TIME = config_refusal("answer_time", "The time for an answer to the robber is 1 minute to 7 days.")
WRONG_REQUEST_TIME = config_refusal(
    "request_time", "The time for late requests to build is 15 seconds to an hour, or 0 for none."
)
TOO_FEW_PLAYERS = config_refusal("players/few", "You need at least {least} players to start.")
TOO_MANY_PLAYERS = config_refusal("players/many", "{scenario} is for at most {most} players: you have {players}.")
WRONG_PLAYERS = config_refusal("players", "{scenario} is for {possible} players: you have {players}.")
NO_COLOR = config_refusal("colors/unknown", "There is no color {color}. Choose from {known}.")
SAME_COLOR = config_refusal("colors/same", "Two players have {color}: each player needs their own color.")
COLOR_NOT_HERE = config_refusal("colors", "No one can be {color} here: {players} players choose from {possible}.")
OWN_LAYOUT = config_refusal("layout/own", "{scenario} has its own way of laying the number tokens.")
UNKNOWN_LAYOUT = config_refusal("layout/unknown", "There is no token layout {name}. Choose from {known}.")
NO_OPTIONS = config_refusal("option/none", "{scenario} has no option {name}: it has no options.")
NO_OPTION = config_refusal("option/unknown", "{scenario} has no option {name}. Its options are {known}.")
NO_CHOICE = config_refusal("option", "{option} can't be {value}. Choose from {known}.")
OPTION_TWICE = config_refusal("option/twice", "An option can be given only once.")
NO_VARIANT = config_refusal("variant/unknown", "There is no alternate rule {name}. Choose from {known}.")
EXCLUDED = config_refusal("variant/excluded", "The alternate rules {rule} and {other} can't be combined.")
VARIANT_TWICE = config_refusal("variant/twice", "An alternate rule can be chosen only once.")


def deal_board(scenario: Scenario, config: Config, draw: Draw) -> Board:
    """The board of a new game, dealt again if it isn't playable (K7)."""
    for _ in range(DEALS):
        board = scenario.deal(config, draw)
        if playable(board, config.players):
            return board
    raise NO_ROOM()


def playable(board: Board, players: int) -> bool:
    """Whether every player is sure to have room for two settlements with a road each, wherever the others build (K7).

    A settlement closes its intersection and the neighboring ones. Two of its edges run along land, and no one else
    can have taken those, because no building stands at their other ends. So counting intersections is enough.
    """
    closed = max((board.blocks[n] & board.settle_mask).bit_count() for n in bits(board.settle_mask))
    return board.settle_mask.bit_count() > closed * (2 * players - 1)


def check_config(config: Config, scenarios: Mapping[str, Scenario], variants: Mapping[str, Variant]) -> None:
    """Raise `ConfigError` with one sentence on what can't be played (A, K, L)."""
    if config.scenario not in scenarios:
        raise NO_SCENARIO(name=repr(config.scenario), known=_listed(scenarios))
    if config.edition not in EDITIONS:
        raise NO_EDITION(name=repr(config.edition), known=_listed(EDITIONS))
    scenario = scenarios[config.scenario]
    _check_players(config, scenario)
    if not LEAST_TARGET <= config.target <= MOST_TARGET:
        raise WRONG_TARGET(least=LEAST_TARGET, most=MOST_TARGET, target=config.target)
    if config.round_limit < 0:
        raise WRONG_ROUNDS()
    if not LEAST_ANSWER <= config.answer_time <= MOST_ANSWER:
        raise WRONG_ANSWER_TIME()
    if config.request_time and not LEAST_REQUEST <= config.request_time <= MOST_REQUEST:
        raise WRONG_REQUEST_TIME()
    _check_board(config, scenario)
    scenario.check(config)
    _check_variants(config, variants)


def _check_players(config: Config, scenario: Scenario) -> None:
    if config.players not in scenario.players:
        title, least, most = Word(scenario.title), min(scenario.players), max(scenario.players)
        if config.players < least:
            raise TOO_FEW_PLAYERS(least=least)
        if config.players > most:
            raise TOO_MANY_PLAYERS(scenario=title, most=most, players=config.players)
        counts = Listed([str(n) for n in scenario.players], choice=True)
        raise WRONG_PLAYERS(scenario=title, possible=counts, players=config.players)
    for color in config.colors:
        if color not in COLORS:
            raise NO_COLOR(color=repr(color), known=Words(COLORS))
        if config.colors.count(color) > 1:
            raise SAME_COLOR(color=Word(color))
        possible = scenario.colors_for(config.players)
        if color not in possible:
            raise COLOR_NOT_HERE(color=Word(color), players=config.players, possible=Words(possible))


def _check_board(config: Config, scenario: Scenario) -> None:
    if not scenario.layouts and config.layout != LAYOUTS[0]:
        raise OWN_LAYOUT(scenario=Word(scenario.title))
    if scenario.layouts and config.layout not in scenario.layouts:
        raise UNKNOWN_LAYOUT(name=repr(config.layout), known=_listed(scenario.layouts))
    offered = {option.name: option for option in scenario.offered(config)}
    for name, value in config.options:
        if name not in offered:
            if not offered:
                raise NO_OPTIONS(scenario=Word(scenario.title), name=repr(name))
            raise NO_OPTION(scenario=Word(scenario.title), name=repr(name), known=_listed(offered))
        values = [choice for choice, _ in offered[name].choices]
        if value not in values:
            raise NO_CHOICE(option=Word(offered[name].title), value=repr(value), known=_listed(values))
    if len(config.options) != len(dict(config.options)):
        raise OPTION_TWICE()


def _check_variants(config: Config, variants: Mapping[str, Variant]) -> None:
    for name in config.variants:
        if name not in variants:
            raise NO_VARIANT(name=repr(name), known=_listed(variants))
        for other in variants[name].excludes:
            if other in config.variants:
                raise EXCLUDED(rule=name, other=other)
    if len(config.variants) != len(set(config.variants)):
        raise VARIANT_TWICE()


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
