"""One more alternate rule, the example of docs/extending.md: no development cards in the first turns."""

from __future__ import annotations

from engine.actions import BuyCard
from engine.domains import Domain
from engine.errors import IllegalAction
from engine.refusals import refusal
from engine.state import Rules, State, Step
from engine.terms import N_
from engine.variants.variant import Variant

TURNS = 3
"""Turns of each player in which they can't buy one."""
SOLD_LATER = refusal("alternate-rule/late-cards", "In this game development cards are sold from your turn {turn} on.")


def _narrow(state: State, step: Step, seat: int, domain: Domain) -> Domain | None:
    return None if state.turns[seat] <= TURNS else domain


def _why(state: State, step: Step, seat: int, action: BuyCard) -> IllegalAction | None:
    if state.turns[seat] <= TURNS:
        return SOLD_LATER(turn=TURNS + 1)
    return None


def _patch(rules: Rules) -> None:
    rules.narrow.setdefault(BuyCard, []).append((_narrow, _why))


VARIANT = Variant(
    id="late-cards",
    title=N_("Late cards"),
    summary=N_("You can't buy development cards in your first three turns."),
    topic="cards",
    patch=_patch,
)
