"""L7: no player ends a turn without a settlement of their own on the board."""

from __future__ import annotations

from engine.actions import BuildCity
from engine.domains import Domain
from engine.errors import IllegalAction
from engine.refusals import refusal
from engine.state import Rules, State, Step
from engine.terms import N_
from engine.variants.variant import Variant

LAST_SETTLEMENT = refusal(
    "alternate-rule/keep-a-settlement",
    "In this game you must keep a settlement: build a new one before you turn your last into a city.",
)


def _last_one(state: State, seat: int) -> bool:
    """Whether a city would replace the last settlement without winning (players win only in their own turn)."""
    wins = state.on_turn == seat and state.all_points(seat) + 1 >= state.rules.data.target
    return state.settlements[seat].bit_count() == 1 and not wins


def _narrow(state: State, step: Step, seat: int, domain: Domain) -> Domain | None:
    return None if _last_one(state, seat) else domain


def _why(state: State, step: Step, seat: int, action: BuildCity) -> IllegalAction | None:
    if action.at >= 0 and state.settlements[seat] >> action.at & 1 and _last_one(state, seat):
        return LAST_SETTLEMENT()
    return None


def _patch(rules: Rules) -> None:
    rules.narrow.setdefault(BuildCity, []).append((_narrow, _why))


VARIANT = Variant(
    id="keep-a-settlement",
    title=N_("Keep a settlement"),
    summary=N_("Your last settlement can't become a city, unless that wins the game."),
    topic="building",
    patch=_patch,
)
