"""Where the first settlements go: with an eye to what the others will leave for the second."""

from __future__ import annotations

from engine.actions import Action, BuildSettlement
from engine.domains import Options, Places
from engine.geometry import bits
from engine.position import Position
from engine.state import State
from engine.terms import StepKind
from players.survey import Survey
from players.thinking import Line, Thinker

CANDIDATES = 6
"""Intersections that are looked at closely, those with the best chances at once."""


def settlement(thinker: Thinker, options: Options) -> Action:
    """The intersection with the best chances once all have placed, if the others go where most is to be had."""
    lines = sorted((thinker.line(thinker.position, action) for action in options[BuildSettlement]), key=_value)
    best, value = lines[-1].actions[0], -1.0
    for line in lines[-CANDIDATES:]:
        assert line.position is not None
        found = thinker.value(_all_placed(thinker, line.position))
        if found >= value:
            best, value = line.actions[0], found
    return best


def _value(line: Line) -> float:
    return line.value


def _all_placed(thinker: Thinker, start: Position) -> Position:
    """The position after setup, when everybody takes the best places by pips and new resources."""
    position = start.copy()
    while position.state.agenda[-1].kind is StepKind.SETUP:
        state, seat = position.state, position.to_act[0]
        options = position.options(seat)
        sites = options.get(BuildSettlement)
        action: Action
        if isinstance(sites, Places):
            action = BuildSettlement(_best_site(thinker.chances.judge.survey, state, seat, sites.mask))
        else:
            action = next(options.actions())  # which way its road goes hardly matters to the others
        position.play(seat, action, thinker.rng)
    return position


def _best_site(survey: Survey, state: State, seat: int, sites: int) -> int:
    best, value = -1, -1.0
    for at in bits(sites):
        found = worth(survey, state, seat, at)
        if found > value:
            best, value = at, found
    return best


def worth(survey: Survey, state: State, seat: int, at: int) -> float:
    """What an intersection brings to a seat in setup: its pips, and more for resources that the seat hasn't got yet."""
    has = [0, 0, 0, 0, 0]
    for node in bits(state.settlements[seat]):
        for r in range(5):
            has[r] += survey.yields[node][r]
    total = 0.0
    for r in range(5):
        n = survey.yields[at][r]
        if n:
            total += n + (0 if has[r] else 1.5)
    return total
