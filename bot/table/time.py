"""Time that doesn't count: a pause, a vacation, a bot that was away. No time is ever moved; what is left is worked out
from when something began, and from the intervals in which time stood still since.

All times are seconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Interval = tuple[float, float]
"""From when to when."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Time stands still at a table."""

    begin: float
    end: float
    user: int = 0
    """Whose, while they are away; 0: everybody's."""


def end_of(since: float, seconds: float, stopped: Iterable[Interval]) -> float:
    """When so many seconds are over, of which none runs in intervals, which may overlap."""
    end, reached = since + seconds, since
    for begin, stop in sorted(stopped):
        begin = max(begin, reached)
        if begin >= end:
            break
        end += max(stop - begin, 0.0)
        reached = max(reached, stop)
    return end


def united(intervals: Iterable[Interval]) -> list[Interval]:
    """The same, in order, where none overlaps another or is empty."""
    found = list[Interval]()
    for begin, end in sorted(intervals):
        if begin >= end:
            continue
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((begin, end))
    return found


def fewer(intervals: Iterable[Interval], most: int) -> list[Interval]:
    """At most so many intervals that cover all of them, and between them as little as possible."""
    found = united(intervals)
    while len(found) > most:
        n = min(range(1, len(found)), key=lambda n: found[n][0] - found[n - 1][1])
        found[n - 1 : n + 1] = [(found[n - 1][0], found[n][1])]
    return found


def without(intervals: Iterable[Interval], holes: Iterable[Interval]) -> list[Interval]:
    """What of intervals lies in none of the others."""
    found = united(intervals)
    for begin, end in united(holes):
        found = [
            part
            for first, last in found
            for part in ((first, min(last, begin)), (max(first, end), last))
            if part[0] < part[1]
        ]
    return found


def first(intervals: Iterable[Interval], seconds: float) -> list[Interval]:
    """The first so many seconds of intervals that don't overlap."""
    found = list[Interval]()
    for begin, end in sorted(intervals):
        if seconds <= 0:
            break
        found.append((begin, min(end, begin + seconds)))
        seconds -= end - begin
    return found


def length(intervals: Iterable[Interval], until: float) -> float:
    """How many seconds of intervals that don't overlap are over at a time."""
    return sum(max(min(end, until) - begin, 0.0) for begin, end in intervals)
