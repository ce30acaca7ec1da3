"""One more scenario, the example of docs/extending.md: a small island for two."""

from __future__ import annotations

from dataclasses import replace

from engine.board import Board
from engine.config import Config
from engine.data import Data
from engine.geometry import rows
from engine.resources import GENERIC
from engine.scenarios.components import ONE_OF_EACH
from engine.scenarios.island import Island
from engine.scenarios.scenario import Draw, Scenario

ISLAND = Island(
    parts=(rows(3, 4, 3),),
    terrain=2 * ONE_OF_EACH,
    letters=(5, 2, 6, 3, 8, 10, 9, 12, 11, 4),
    harbors=("1.1-NW", "1.2-NE", "2.4-NE", "3.3-E", "3.2-SE", "3.1-SW", "2.1-W"),
)


def deal(config: Config, draw: Draw) -> Board:
    """A board with everything shuffled; there is no desert, so the robber starts off the board."""
    return ISLAND.deal((GENERIC, GENERIC, *ONE_OF_EACH), config.layout, draw)


def data(config: Config, data: Data) -> Data:
    """Few cards, and a lower discard limit."""
    return replace(data, bank=12, discard_limit=5)


SCENARIO = Scenario(
    id="islet",
    title="The islet",
    summary="A small island of ten hexes with seven harbors, for two.",
    players=(2,),
    deal=deal,
    data=data,
    layouts=("spiral", "random"),
)
