"""The alternate rules (section L). Each has a file with the rule's name, and a line here."""

from __future__ import annotations

from importlib import import_module

from engine.variants.variant import Variant

_IDS = (
    "vp-cards-played",
    "open-hands",
    "cards-after-roll",
    "no-early-sevens",
    "optional-robber",
    "build-ends-trade",
    "keep-a-settlement",
    "knight-interrupt",
    "pirate",
    "friendly-robber",
    "separate-phases",
)

VARIANTS: dict[str, Variant] = {id_: import_module(f"{__name__}.{id_.replace('-', '_')}").VARIANT for id_ in _IDS}
"""All alternate rules by id, in the order of section L."""
