"""The alternate rules (section L): one file each, one line here each."""

from __future__ import annotations

from engine.variants import (
    build_ends_trade,
    cards_after_roll,
    friendly_robber,
    keep_a_settlement,
    knight_interrupt,
    no_early_sevens,
    open_hands,
    optional_robber,
    pirate,
    vp_cards_played,
)
from engine.variants.variant import Variant

VARIANTS: dict[str, Variant] = {
    v.id: v
    for v in (
        vp_cards_played.VARIANT,
        open_hands.VARIANT,
        cards_after_roll.VARIANT,
        no_early_sevens.VARIANT,
        optional_robber.VARIANT,
        build_ends_trade.VARIANT,
        keep_a_settlement.VARIANT,
        knight_interrupt.VARIANT,
        pirate.VARIANT,
        friendly_robber.VARIANT,
    )
}
"""All alternate rules by id, in the order of section L."""
