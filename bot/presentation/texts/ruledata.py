"""The numbers and switches of a configured game, as the engine compiles them."""

from __future__ import annotations

from functools import lru_cache

from engine.config import Config
from engine.data import Data
from engine.editions import EDITIONS
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS


@lru_cache(maxsize=64)
def data_of(config: Config) -> Data:
    """The rule data of a configuration; possible for a lobby that is not yet complete."""
    data = EDITIONS[config.edition](Data(target=config.target, round_limit=config.round_limit))
    data = SCENARIOS[config.scenario].data(config, data)
    for name in sorted(config.variants):
        data = VARIANTS[name].data(data)
    return data
