"""Boards for the tests: configurations of every scenario, layout and option, dealt from seeds."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from engine.board import Board
from engine.config import Config
from engine.geometry import Hex
from engine.resources import SEA
from engine.scenarios import SCENARIOS, deal

SEEDS = range(100)
MANY = range(500)
"""For tests that count how often something happens, and for long runs."""
SOME_OR_MANY = pytest.mark.parametrize(
    "seeds", [SEEDS, pytest.param(MANY, marks=pytest.mark.soak)], ids=["some", "many"]
)


def draws(seed: int) -> Callable[[str, int], int]:
    """Draws of the kind "board" from a seed."""
    chance = random.Random(seed)

    def draw(kind: str, n: int) -> int:
        assert kind == "board"
        assert n > 1, "where there is no choice nothing is drawn"
        return chance.randrange(n)

    return draw


def config(
    scenario: str, players: int | None = None, *, layout: str = "spiral", edition: str = "2007", **options: str
) -> Config:
    """A configuration, with the largest number of players unless `players` is given."""
    definition = SCENARIOS[scenario]
    count = players or max(definition.players)
    colors = definition.colors_for(count)[:count]
    return Config(colors, scenario, layout=layout, edition=edition, options=tuple(options.items()))


def configs(scenario: str) -> Iterator[Config]:
    """Every layout and every choice of options of a scenario. Options that only go with another keep their defaults."""
    definition = SCENARIOS[scenario]
    values = [[(o.name, value) for value, _ in o.choices] for o in definition.options if o.only_with is None]
    for layout in definition.layouts or ("spiral",):
        for options in itertools.product(*values):
            yield replace(config(scenario), layout=layout, options=tuple(options))


def boards(scenario: str, seeds: range = SEEDS, **changes: str) -> Iterator[Board]:
    """Boards of a scenario, one for each seed."""
    configuration = config(scenario, None, **changes)
    return (deal(configuration, draws(seed)) for seed in seeds)


def land_of(board: Board) -> set[Hex]:
    """The land hexes of a board, as (row, x)."""
    return {place for place, kind in zip(board.grid.hexes, board.terrain, strict=True) if kind != SEA}


def neighbouring_tokens(board: Board) -> Iterator[tuple[int, int]]:
    """The two tokens of each pair of neighboring hexes that both have one."""
    for place, row in enumerate(board.grid.neighbours):
        for beside in row:
            if beside > place and board.tokens[place] and board.tokens[beside]:
                yield board.tokens[place], board.tokens[beside]


def land_sides(board: Board, hex_: int) -> list[int]:
    """Sides of a hex that border on land."""
    beside = board.grid.neighbours[hex_]
    return [s for s in range(6) if beside[s] >= 0 and board.terrain[beside[s]] != SEA]
