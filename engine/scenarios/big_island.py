"""One big island for seven or eight (S0, S3): two sets of land with a single desert, twelve harbors."""

from __future__ import annotations

from dataclasses import replace

from engine.board import Board
from engine.config import Config
from engine.data import Data
from engine.geometry import rows
from engine.resources import DESERT, GENERIC, WOOL
from engine.scenarios.components import BASE_HARBORS, BASE_TERRAIN, BASE_TOKENS, two_sets, without
from engine.scenarios.island import Island
from engine.scenarios.scenario import Draw, Option, Scenario
from engine.terms import N_

ISLAND = Island(
    parts=(rows(4, 5, 6, 7, 6, 5, 4),),
    terrain=without(2 * BASE_TERRAIN, DESERT),
    letters=2 * BASE_TOKENS,
    harbors=(
        *("1.2-NW", "1.3-NE", "2.5-NE", "3.6-E", "5.6-E", "6.5-SE"),
        *("7.3-SE", "7.2-SW", "6.1-SW", "5.1-W", "3.1-W", "2.1-NW"),
    ),
)

ADDED_HARBORS = {"generic": (GENERIC, GENERIC, GENERIC), "wool": (GENERIC, GENERIC, WOOL)}
"""What each choice adds to the nine harbors of one set."""

HARBORS = Option(
    "harbors",
    N_("Added harbors"),
    ((N_("generic"), N_("three more 3:1 harbors")), (N_("wool"), N_("two more 3:1 harbors and a second one for wool"))),
)
LIMIT = Option(
    "limit",
    N_("Discard limit"),
    (("13", N_("discard above 13 cards")), ("10", N_("discard above 10 cards"))),
)


def deal(config: Config, draw: Draw) -> Board:
    """A board with everything shuffled."""
    return ISLAND.deal(BASE_HARBORS + ADDED_HARBORS[HARBORS.of(config)], config.layout, draw)


def data(config: Config, data: Data) -> Data:
    """Two sets of cards, and the higher discard limit."""
    return replace(two_sets(data), discard_limit=int(LIMIT.of(config)))


SCENARIO = Scenario(
    id="big-island",
    title=N_("The big island"),
    summary=N_("One wide island of 37 hexes with twelve harbors, for seven or eight."),
    players=(7, 8),
    deal=deal,
    data=data,
    options=(HARBORS, LIMIT),
)
