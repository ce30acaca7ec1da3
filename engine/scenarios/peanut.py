"""Two islands joined at the waist, lying side by side, for seven or eight (S0)."""

from __future__ import annotations

from dataclasses import replace

from engine.board import Board
from engine.config import Config
from engine.data import Data
from engine.geometry import rows
from engine.resources import GENERIC
from engine.scenarios.components import BASE_TERRAIN, BASE_TOKENS, ONE_OF_EACH, two_sets
from engine.scenarios.island import Island
from engine.scenarios.scenario import Draw, Scenario
from engine.terms import N_

LEFT = rows(3, 4, 5, 4, 3)
RIGHT = tuple((row + 2, x + 8) for row, x in LEFT)
"""The left half moved so that both share a full side, five edges; together they have rows of 3, 4, 8, 8, 8, 4, 3."""

ISLAND = Island(
    parts=(LEFT, RIGHT),
    terrain=BASE_TERRAIN,
    letters=BASE_TOKENS,
    harbors=(
        *("1.1-NW", "1.3-NW", "2.4-NE", "3.7-NW", "3.8-NE", "4.8-E", "6.4-E"),
        *("7.3-SE", "7.1-SE", "6.1-SW", "5.2-SE", "5.1-SW", "4.1-W", "2.1-W"),
    ),
)
HARBORS = 4 * (GENERIC,) + 2 * ONE_OF_EACH
"""The harbors of two sets, without four of the generic ones."""


def deal(config: Config, draw: Draw) -> Board:
    """A board with each half shuffled on its own, the harbors together."""
    return ISLAND.deal(HARBORS, config.layout, draw)


def data(config: Config, data: Data) -> Data:
    """Two sets of cards, and the higher discard limit."""
    return replace(two_sets(data), discard_limit=13)


SCENARIO = Scenario(
    id="peanut",
    title=N_("Twin islands"),
    summary=N_("Two islands joined at a narrow waist: 38 hexes with 14 harbors."),
    players=(7, 8),
    deal=deal,
    data=data,
)
