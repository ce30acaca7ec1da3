"""Islands for three or four (S0, S3): land, harbors and sea shuffled together, with bridges."""

from __future__ import annotations

from dataclasses import replace

from engine.board import Board
from engine.config import Config
from engine.data import Data
from engine.geometry import rows
from engine.scenarios.archipelago import Archipelago
from engine.scenarios.components import BASE_HARBORS, BASE_TERRAIN, BASE_TOKENS, two_sets
from engine.scenarios.scenario import Draw, Option, Scenario
from engine.terms import N_

ISLANDS = Archipelago(
    outline=rows(4, 5, 6, 7, 6, 5, 4),
    terrain=BASE_TERRAIN,
    harbors=BASE_HARBORS,
    tokens=BASE_TOKENS,
)

RESOURCES = Option(
    "resources",
    N_("Resource cards"),
    ((N_("one"), N_("one set: cards can run short")), (N_("two"), N_("two sets: twice as many of each"))),
)
CARDS = Option(
    "cards",
    N_("Development cards"),
    ((N_("one"), N_("one set")), (N_("two"), N_("two sets: a deck twice as thick"))),
)


def deal(config: Config, draw: Draw) -> Board:
    """A board with land and sea shuffled together."""
    return ISLANDS.deal(draw)


def data(config: Config, data: Data) -> Data:
    """One or two sets of resource cards, and one or two of development cards."""
    double = two_sets(data)
    return replace(
        data,
        bank=double.bank if RESOURCES.of(config) == "two" else data.bank,
        deck=double.deck if CARDS.of(config) == "two" else data.deck,
    )


SCENARIO = Scenario(
    id="islands",
    title=N_("Islands"),
    summary=N_("Land, lakes and harbors shuffled into 37 hexes, with bridges."),
    players=(2, 3, 4),
    deal=deal,
    data=data,
    layouts=(),
    options=(RESOURCES, CARDS),
    bridges=True,
    larger="big-islands",
)
