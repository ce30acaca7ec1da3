"""The fixed board for a first game (B7): everything is in its place, even the first settlements."""

from __future__ import annotations

from dataclasses import replace

from engine.board import Board, Harbor
from engine.config import Config
from engine.data import Data
from engine.resources import BRICK, DESERT, GENERIC, GRAIN, LUMBER, ORE, SEA, WOOL
from engine.scenarios.base import ISLAND
from engine.scenarios.scenario import Draw, Scenario, StartPiece
from engine.terms import N_

LAND = (
    ((ORE, 10), (WOOL, 2), (LUMBER, 9)),
    ((GRAIN, 12), (BRICK, 6), (WOOL, 4), (BRICK, 10)),
    ((GRAIN, 9), (LUMBER, 11), (DESERT, 0), (LUMBER, 3), (ORE, 8)),
    ((LUMBER, 8), (ORE, 3), (GRAIN, 4), (WOOL, 5)),
    ((BRICK, 5), (GRAIN, 6), (WOOL, 11)),
)
"""Terrain and token of each land hex, by row."""

HARBORS = (GENERIC, GRAIN, ORE, GENERIC, WOOL, GENERIC, GENERIC, BRICK, LUMBER)
"""Kinds of the harbors, clockwise as in `base`."""

START = (
    StartPiece("red", 10, 13, yields=False),  # B4, c4
    StartPiece("red", 29, 41, yields=True),  # D3, g3
    StartPiece("white", 13, 15, yields=False),  # B7, c6
    StartPiece("white", 42, 58, yields=True),  # E5, i5
    StartPiece("blue", 44, 52, yields=False),  # E7, h4
    StartPiece("blue", 40, 56, yields=True),  # E3, i3
    StartPiece("orange", 35, 37, yields=False),  # D9, f5
    StartPiece("orange", 19, 25, yields=True),  # C4, e3
)
"""The starting pieces; the comments name intersection and edge."""


def deal(config: Config, draw: Draw) -> Board:
    """The fixed board; nothing is drawn."""
    grid = ISLAND.grid
    laid = iter(hex_ for row in LAND for hex_ in row)
    land = set(ISLAND.land)
    hexes = [next(laid) if place in land else (SEA, 0) for place in grid.hexes]
    terrain = tuple(kind for kind, _ in hexes)
    return Board(
        land=ISLAND.land,
        sea=ISLAND.sea,
        terrain=terrain,
        tokens=tuple(token for _, token in hexes),
        harbors=tuple(Harbor(place, side, kind) for (place, side), kind in zip(ISLAND.coast, HARBORS, strict=True)),
        robber=terrain.index(DESERT),
    )


def data(config: Config, data: Data) -> Data:
    """In the 1996 edition players pick the settlement that yields."""
    return replace(data, choose_yield=config.edition == "1996")


SCENARIO = Scenario(
    id="beginner",
    title=N_("Beginner board"),
    summary=N_("A fixed, fair board. Everyone's first pieces are already placed."),
    players=(2, 3, 4),
    deal=deal,
    data=data,
    layouts=(),
    start=START,
    colors=("red", "white", "blue", "orange"),
    full_table_colors=("red",),
    larger="extension",
)
