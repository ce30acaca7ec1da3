"""Shortens a plan that fails: what is left is the fewest events, and the fewest things that people do, with which the
same invariant is still broken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from tests.sim.plan import Event, Plan
from tests.sim.play import Result

Run = Callable[[Iterable[Plan]], Iterable[Result]]


def broken(result: Result) -> set[str]:
    """The invariants that don't hold."""
    return {problem.split(": ", 1)[0] for problem in result.problems}


def shortened(plan: Plan, invariants: set[str], run: Run) -> Plan:
    """The shortest plan found that breaks one of the invariants. `run` runs several plans side by side."""

    def fails(candidate: Plan) -> bool:
        return any(broken(result) & invariants for result in run([candidate]))

    simpler: tuple[dict[str, Any], ...] = ({"tables": 1}, {"latency": (0.0, 0.0)}, {"events": ()})
    for change in simpler:
        candidate = replace(plan, **change)
        if candidate != plan and fails(candidate):
            plan = candidate
    plan = replace(plan, events=_fewest(plan.events, lambda left: fails(replace(plan, events=left))))
    while plan.acts > 1 and fails(shorter := replace(plan, acts=plan.acts * 2 // 3)):
        plan = shorter
    return plan


def _fewest(events: Sequence[Event], fails: Callable[[tuple[Event, ...]], bool]) -> tuple[Event, ...]:
    """The events without which it doesn't fail: halves are left out first, then ever smaller parts."""
    left, size = tuple(events), max(len(events) // 2, 1)
    while left and size:
        for begin in range(0, len(left), size):
            without = left[:begin] + left[begin + size :]
            if fails(without):
                left = without
                break
        else:
            size //= 2
    return left
