"""The numbers and switches of a configured game, as the engine compiles them."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from engine.config import Config
from engine.data import Data
from engine.editions import EDITIONS


@lru_cache(maxsize=64)
def data_of(config: Config) -> Data:
    """The rule data of a configuration; possible for a lobby that is not yet complete."""
    data = EDITIONS[config.edition](Data(target=config.target, round_limit=config.round_limit))
    return replace(
        data,
        hidden_points="vp-cards-played" not in config.variants,
        open_hands="open-hands" in config.variants,
    )
