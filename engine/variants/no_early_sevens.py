"""L4: in each player's first two turns a seven is rolled again."""

from __future__ import annotations

from engine.actions import Roll
from engine.events import Rolled
from engine.state import Rules, State, Tx
from engine.steps.turn import PreRoll, RollDice
from engine.terms import N_
from engine.variants.variant import Variant

TURNS = 2
"""Turns of each player in which no seven counts."""


class RollAgain(RollDice):
    """In early turns, roll again until it isn't a seven, and show all rolls."""

    def throw(self, state: State, seat: int, tx: Tx) -> tuple[int, int]:
        dice = super().throw(state, seat, tx)
        while sum(dice) == 7 and state.turns[seat] <= TURNS:
            tx.emit(Rolled(seat, dice, counted=False))
            dice = super().throw(state, seat, tx)
        return dice


def _patch(rules: Rules) -> None:
    rules.moves[PreRoll][Roll] = RollAgain()


VARIANT = Variant(
    id="no-early-sevens",
    title=N_("No early sevens"),
    summary=N_("In everyone's first two turns a 7 is rolled again."),
    topic="turn",
    patch=_patch,
)
