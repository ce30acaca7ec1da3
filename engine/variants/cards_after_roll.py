"""L3: no development card before the roll."""

from __future__ import annotations

from dataclasses import replace

from engine.actions import PlayKnight, PlayMonopoly, PlayRoadBuilding, PlayVictoryPoint, PlayYearOfPlenty
from engine.data import Data
from engine.domains import Domain
from engine.errors import IllegalAction
from engine.refusals import refusal
from engine.state import Rules, State, Step
from engine.steps.turn import PreRoll
from engine.terms import N_
from engine.variants.variant import Variant

AFTER_THE_ROLL = refusal("alternate-rule/cards-after-roll", "In this game development cards are played after the roll.")


def _narrow(state: State, step: Step, seat: int, domain: Domain) -> Domain | None:
    return None if isinstance(step, PreRoll) else domain


def _why(state: State, step: Step, seat: int, action: object) -> IllegalAction | None:
    if isinstance(step, PreRoll) and step.seat == seat:
        return AFTER_THE_ROLL()
    return None


def _data(data: Data) -> Data:
    return replace(data, cards_before_roll=False)


def _patch(rules: Rules) -> None:
    for action in (PlayKnight, PlayRoadBuilding, PlayYearOfPlenty, PlayMonopoly, PlayVictoryPoint):
        rules.narrow.setdefault(action, []).append((_narrow, _why))


VARIANT = Variant(
    id="cards-after-roll",
    title=N_("Cards after the roll"),
    summary=N_("Development cards can't be played before the dice are rolled."),
    topic="cards",
    data=_data,
    patch=_patch,
)
