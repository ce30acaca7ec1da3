"""Big islands for five or six (S0): 61 hexes shuffled together, no desert, and the book's variations (K6)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from engine.board import Board
from engine.config import Config
from engine.data import Data
from engine.geometry import rows
from engine.refusals import config_refusal
from engine.resources import DESERT, GENERIC, GRAIN, LUMBER, WOOL
from engine.scenarios.archipelago import Archipelago
from engine.scenarios.components import (
    BASE_HARBORS,
    BASE_TERRAIN,
    BASE_TOKENS,
    EXTENSION_HARBORS,
    EXTENSION_TERRAIN,
    ONE_OF_EACH,
    cards_for_six,
    without,
)
from engine.scenarios.scenario import Draw, Option, Scenario
from engine.terms import N_

TOKENS = without(2 * BASE_TOKENS, 3, 5, 10)
"""A pool of 33; those that aren't laid stay out."""

PLAIN = Archipelago(
    outline=rows(5, 6, 7, 8, 9, 8, 7, 6, 5),
    terrain=without(BASE_TERRAIN, DESERT) + 2 * ONE_OF_EACH,
    harbors=(*BASE_HARBORS, GENERIC, *ONE_OF_EACH),
    tokens=TOKENS,
)
MORE_LAND = (*PLAIN.terrain, *ONE_OF_EACH)

ISLANDS = {
    "plain": PLAIN,
    "A": replace(PLAIN, terrain=(*PLAIN.terrain, WOOL, LUMBER, GRAIN)),
    "B": replace(PLAIN, terrain=MORE_LAND, harbors=without(PLAIN.harbors, *ONE_OF_EACH)),
    "B-sea": replace(PLAIN, terrain=MORE_LAND),
    "C": Archipelago(
        outline=rows(4, 5, 6, 7, 8, 7, 6, 5, 4, first=-1),
        terrain=EXTENSION_TERRAIN,
        harbors=EXTENSION_HARBORS,
        tokens=TOKENS,
    ),
}
"""Variations by the option's value. The land that A and B-sea add was plain sea; C has the outline of `extension` with
its sea."""

VARIATION = Option(
    "variation",
    N_("Variation"),
    (
        (N_("plain"), N_("28 land hexes, 15 harbors, 18 hexes of open sea")),
        ("A", N_("three more land hexes (pasture, forest, fields) instead of open sea")),
        ("B", N_("five more land hexes, one of each terrain, instead of five 2:1 harbors")),
        ("B-sea", N_("five more land hexes, one of each terrain, instead of open sea")),
        ("C", N_("the 52 hexes for six with their sea, two deserts among them")),
        (N_("own"), N_("as many hexes of each terrain as you choose")),
    ),
)


HEXES = tuple(
    Option(terrain, title, tuple((str(n), "") for n in range(2, 17)), usual, (VARIATION.name, "own"))
    for terrain, title, usual in (
        ("hills", N_("Hexes of hills"), "5"),
        ("forest", N_("Hexes of forest"), "6"),
        ("pasture", N_("Hexes of pasture"), "6"),
        ("fields", N_("Hexes of fields"), "6"),
        ("mountains", N_("Hexes of mountains"), "5"),
    )
)
"""Options for how many hexes of each terrain the variation `own` has; by default as many as without a variation."""
MOST_LAND = len(PLAIN.outline) - len(PLAIN.harbors)

UNBALANCED = config_refusal(
    "option/balance", "No terrain can have more than twice as many hexes as another: here one has {least}, one {most}."
)
TOO_MUCH_LAND = config_refusal("option/land", "With the harbors there is room for {most} land hexes, not {land}.")


def check(config: Config) -> None:
    """Refuse land that is out of balance, or too much of it (K6)."""
    if VARIATION.of(config) == "own":
        counts = _counts(config)
        if max(counts) > 2 * min(counts):
            raise UNBALANCED(least=min(counts), most=max(counts))
        if sum(counts) > MOST_LAND:
            raise TOO_MUCH_LAND(most=MOST_LAND, land=sum(counts))


def _counts(config: Config) -> tuple[int, ...]:
    """The number of land hexes by terrain."""
    return tuple(int(option.of(config)) for option in HEXES)


@lru_cache(maxsize=64)
def _own(counts: tuple[int, ...]) -> Archipelago:
    """Islands with so many land hexes by terrain; whole sets of tokens are added if there are too few."""
    terrain = tuple(kind for kind, n in enumerate(counts) for _ in range(n))
    tokens = TOKENS
    while len(tokens) < len(terrain):
        tokens += BASE_TOKENS
    return replace(PLAIN, terrain=terrain, tokens=tokens)


def deal(config: Config, draw: Draw) -> Board:
    """A board with land and sea shuffled together."""
    variation = VARIATION.of(config)
    return (_own(_counts(config)) if variation == "own" else ISLANDS[variation]).deal(draw)


def data(config: Config, data: Data) -> Data:
    """The cards for six, and the higher discard limit."""
    return replace(cards_for_six(data), discard_limit=10)


SCENARIO = Scenario(
    id="big-islands",
    title=N_("Big islands"),
    summary=N_("A sea of 61 hexes full of islands, harbors and bridges."),
    players=(5, 6),
    deal=deal,
    data=data,
    layouts=(),
    options=(VARIATION, *HEXES),
    check=check,
    bridges=True,
)
