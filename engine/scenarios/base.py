"""The base game for three or four (S0, S2): one island, one set, nine harbors."""

from __future__ import annotations

from engine.board import Board
from engine.config import Config
from engine.data import Data
from engine.geometry import rows
from engine.scenarios.components import BASE_HARBORS, BASE_TERRAIN, BASE_TOKENS
from engine.scenarios.island import Island
from engine.scenarios.scenario import Draw, Scenario
from engine.terms import N_

ISLAND = Island(
    parts=(rows(3, 4, 5, 4, 3),),
    terrain=BASE_TERRAIN,
    letters=BASE_TOKENS,
    harbors=("1.1-NW", "1.2-NE", "2.4-NE", "3.5-E", "4.4-SE", "5.2-SE", "5.1-SW", "4.1-W", "2.1-W"),
)


def deal(config: Config, draw: Draw) -> Board:
    """A board with everything shuffled."""
    return ISLAND.deal(BASE_HARBORS, config.layout, draw)


def data(config: Config, data: Data) -> Data:
    """The edition's set of cards, unchanged."""
    return data


SCENARIO = Scenario(
    id="base",
    title=N_("The base game"),
    summary=N_("One shuffled island of 19 hexes with nine harbors, for up to four."),
    players=(2, 3, 4),
    deal=deal,
    data=data,
    larger="extension",
)
