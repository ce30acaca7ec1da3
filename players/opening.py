"""Where the first settlements go, considering what the others will leave for the second."""

from __future__ import annotations

import random

from engine.actions import Action, BuildSettlement
from engine.domains import Options, Places
from engine.geometry import bits
from engine.state import State
from engine.terms import StepKind
from players.situation import Situation
from players.survey import Survey
from players.thinking import Line, Thinker

WORTH_A_LOOK = 20
"""How many intersections are judged by their chances: those with the highest `worth`."""
CANDIDATES = 6
"""How many of these are looked at closely: those with the best chances immediately."""


def settlements(thinker: Thinker, options: Options) -> list[Line]:
    """Lines for the intersections with the best chances once everyone has placed, if others take what brings most."""
    state, seat, survey = thinker.situation.state, thinker.seat, thinker.chances.judge.survey
    sites = options[BuildSettlement]
    assert isinstance(sites, Places)
    best = sorted(bits(sites.mask), key=lambda at: -worth(survey, state, seat, at))[:WORTH_A_LOOK]
    lines = sorted((thinker.line(thinker.situation, BuildSettlement(at)) for at in best), key=_value)
    return sorted((settled(thinker, line.actions[0]) for line in lines[-CANDIDATES:]), key=_value, reverse=True)


def settled(thinker: Thinker, action: Action) -> Line:
    """The line of a first settlement, judged by the situation once everyone has placed."""
    ((_, after),) = thinker.situation.outcomes(action)
    after = _all_placed(thinker, after)
    return Line((action,), [(1.0, after)], thinker.value(after))


def _value(line: Line) -> float:
    return line.value


def _all_placed(thinker: Thinker, start: Situation) -> Situation:
    """The situation after setup if everyone takes the best intersections by pips and new resources."""
    placed = start.copy()
    position, state, rng = placed.position, placed.state, random.Random(0)
    while state.agenda[-1].kind is StepKind.SETUP:
        seat = position.to_act[0]
        options = position.options(seat)
        sites = options.get(BuildSettlement)
        action: Action
        if isinstance(sites, Places):
            action = BuildSettlement(_best_site(thinker.chances.judge.survey, state, seat, sites.mask))
        else:
            action = next(options.actions())  # which way its road goes hardly matters to the others
        position.play(seat, action, rng)
    return placed


def _best_site(survey: Survey, state: State, seat: int, sites: int) -> int:
    best, value = -1, -1.0
    for at in bits(sites):
        site_worth = worth(survey, state, seat, at)
        if site_worth > value:
            best, value = at, site_worth
    return best


def worth(survey: Survey, state: State, seat: int, at: int) -> float:
    """What an intersection brings to a seat in setup: its pips, and more for resources that the seat lacks."""
    return survey.worth(at, survey.brought(state.settlements[seat]))
