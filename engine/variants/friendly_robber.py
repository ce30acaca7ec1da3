"""L10: the robber spares players with few points."""

from __future__ import annotations

from engine.actions import MoveRobber
from engine.domains import Domain, Places
from engine.errors import IllegalAction
from engine.geometry import bits
from engine.refusals import refusal
from engine.state import Rules, State, Step
from engine.steps.robber import RobberStep, robber_places
from engine.terms import N_
from engine.variants.variant import Variant

POINTS = 3
"""With at least this many public points, a player is no longer spared."""
SPARED = refusal(
    "alternate-rule/friendly-robber",
    "In this game the robber spares everyone with fewer than {points} points: choose another hex.",
)


def spared(state: State) -> int:
    """Mask of the hexes that touch a building of a player with too few public points."""
    buildings = 0
    for seat in bits(state.active()):
        if state.points(seat) < POINTS:
            buildings |= state.settlements[seat] | state.cities[seat]
    mask = 0
    for h, nodes in enumerate(state.board.hex_node_mask):
        if nodes & buildings:
            mask |= 1 << h
    return mask


def _narrow(state: State, step: Step, seat: int, domain: Domain) -> Domain | None:
    if not isinstance(domain, Places):
        return domain
    left = domain.mask & ~spared(state)
    return Places(MoveRobber, left) if left else domain


def _why(state: State, step: RobberStep, seat: int, action: MoveRobber) -> IllegalAction | None:
    if seat == step.seat and action.at >= 0 and (robber_places(state) & spared(state)) >> action.at & 1:
        return SPARED(points=POINTS)
    return None


def _patch(rules: Rules) -> None:
    rules.narrow.setdefault(MoveRobber, []).append((_narrow, _why))


VARIANT = Variant(
    id="friendly-robber",
    title=N_("Friendly robber"),
    summary=N_("The robber spares anyone with fewer than 3 visible points, if it can."),
    topic="robber",
    patch=_patch,
)
