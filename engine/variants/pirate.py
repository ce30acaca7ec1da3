"""L9: the robber can also be placed on a harbor hex, and shuts that harbor."""

from __future__ import annotations

from engine.events import RobberMoved
from engine.pieces import update_rates
from engine.state import Rules, State, Tx
from engine.terms import N_
from engine.variants.variant import Variant


def _hexes(state: State) -> int:
    return state.board.land_mask | state.board.harbor_mask


def _shut(state: State, hex_: int) -> bool:
    return state.robber == hex_


def _rates(state: State, tx: Tx, event: RobberMoved) -> None:
    for seat in range(state.players):
        update_rates(state, seat)


def _patch(rules: Rules) -> None:
    rules.robber_hexes = _hexes
    rules.harbor_shut = _shut
    rules.reactions.setdefault(RobberMoved, []).append(_rates)


VARIANT = Variant(
    id="pirate",
    title=N_("Pirate"),
    summary=N_("The robber can also block a harbor by moving to its hex."),
    topic="robber",
    patch=_patch,
)
