"""The larger island without building between the turns (S0, J3): instead, the discard limit is 10."""

from __future__ import annotations

from dataclasses import replace

from engine.config import Config
from engine.data import Data
from engine.scenarios import extension
from engine.scenarios.components import cards_for_six
from engine.scenarios.scenario import Scenario
from engine.terms import N_


def data(config: Config, data: Data) -> Data:
    """The cards for six, and the higher discard limit (J3)."""
    return replace(cards_for_six(data), discard_limit=10)


SCENARIO = Scenario(
    id="mayfair-expansion",
    title=N_("5–6 players, no building between turns"),
    summary=N_("30 hexes with eleven harbors. On a 7, discard above 10 cards."),
    players=(5, 6),
    deal=extension.deal,
    data=data,
    larger="big-island",
)
