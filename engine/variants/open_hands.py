"""L2: everyone's resource cards are public."""

from __future__ import annotations

from dataclasses import replace

from engine.data import Data
from engine.terms import N_
from engine.variants.variant import Variant


def _data(data: Data) -> Data:
    return replace(data, open_hands=True)


VARIANT = Variant(
    id="open-hands",
    title=N_("Open hands"),
    summary=N_("Everyone sees all resource cards, and which card the robber steals."),
    topic="secrets",
    data=_data,
)
