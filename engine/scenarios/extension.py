"""The larger island for five or six (S1): thirty hexes, two deserts, and building between the turns."""

from __future__ import annotations

from dataclasses import replace

from engine.board import Board
from engine.config import Config
from engine.data import Data
from engine.geometry import rows
from engine.scenarios.components import EXTENSION_HARBORS, EXTENSION_TERRAIN, EXTENSION_TOKENS, cards_for_six
from engine.scenarios.island import Island
from engine.scenarios.scenario import Draw, Scenario
from engine.terms import N_

ISLAND = Island(
    parts=(rows(3, 4, 5, 6, 5, 4, 3),),
    terrain=EXTENSION_TERRAIN,
    letters=EXTENSION_TOKENS,
    harbors=(
        *("1.1-NW", "1.2-NE", "2.4-NE", "3.5-E", "5.5-E", "6.4-SE"),
        *("7.2-SE", "7.1-SW", "5.1-SW", "4.1-W", "3.1-NW"),
    ),
)


def deal(config: Config, draw: Draw) -> Board:
    """A board with everything shuffled."""
    return ISLAND.deal(EXTENSION_HARBORS, config.layout, draw)


def data(config: Config, data: Data) -> Data:
    """The cards for six, and the special building phase (J1)."""
    return replace(cards_for_six(data), special_building=True, late_requests=config.request_time > 0)


SCENARIO = Scenario(
    id="extension",
    title=N_("5–6 players"),
    summary=N_("30 hexes with eleven harbors. Everyone can build between turns."),
    players=(5, 6),
    deal=deal,
    data=data,
    larger="big-island",
)
