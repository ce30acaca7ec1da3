"""Time that doesn't count: pauses, vacations, downtime. No time is ever moved. The time that is left is calculated from
when something began, and from the intervals since then in which time stood still. And what a table keeps of that: whom
the game waits for, since when and until when, and who has let their time run out.

All times are seconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

# --- intervals

Interval = tuple[float, float]
"""Begin and end."""


@dataclass(frozen=True, slots=True)
class Stop:
    """An interval in which time stands still at a table."""

    begin: float
    end: float
    user: int = 0
    """User who is away, and whose time alone stands still; 0: the time of all."""


def end_of(since: float, seconds: float, stopped: Iterable[Interval]) -> float:
    """When so many seconds of running time are over. No time runs in the `stopped` intervals, which can overlap."""
    end, reached = since + seconds, since
    for begin, stop in sorted(stopped):
        begin = max(begin, reached)
        if begin >= end:
            break
        end += max(stop - begin, 0.0)
        reached = max(reached, stop)
    return end


def united(intervals: Iterable[Interval]) -> list[Interval]:
    """The same intervals merged and in order, so that none overlaps another or is empty."""
    merged = list[Interval]()
    for begin, end in sorted(intervals):
        if begin >= end:
            continue
        if merged and begin <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((begin, end))
    return merged


def fewer(intervals: Iterable[Interval], most: int) -> list[Interval]:
    """At most so many intervals that cover all of these, and as little as possible in between."""
    found = united(intervals)
    while len(found) > most:
        n = min(range(1, len(found)), key=lambda n: found[n][0] - found[n - 1][1])
        found[n - 1 : n + 1] = [(found[n - 1][0], found[n][1])]
    return found


def without(intervals: Iterable[Interval], holes: Iterable[Interval]) -> list[Interval]:
    """The parts of intervals that lie outside of all `holes`."""
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
    """The beginning of intervals that don't overlap, up to so many seconds in all."""
    found = list[Interval]()
    for begin, end in sorted(intervals):
        if seconds <= 0:
            break
        found.append((begin, min(end, begin + seconds)))
        seconds -= end - begin
    return found


def length(intervals: Iterable[Interval], until: float) -> float:
    """How many seconds of intervals that don't overlap lie before a time."""
    return sum(max(min(end, until) - begin, 0.0) for begin, end in intervals)


def run(since: float, now: float, still: Iterable[Interval]) -> float:
    """How many seconds have run since a moment, outside of intervals in which time stood still."""
    lost = sum(max(min(end, now) - max(begin, since), 0.0) for begin, end in united(still))
    return max(now - since - lost, 0.0)


def since_which(now: float, seconds: float, stopped: Iterable[Interval]) -> float:
    """The moment since which so many seconds have run. None ran in the `stopped` intervals, which can overlap."""
    return -end_of(-now, seconds, [(-end, -begin) for begin, end in stopped])


def setbacks(downtime: Iterable[Interval]) -> list[Interval]:
    """What the clock showed before and after, each time that it was set back: those intervals end before they begin."""
    return [(begin, end) for begin, end in downtime if end < begin]


def by_later_clock(begin: float, back: Iterable[Interval]) -> float:
    """When something has begun by a clock that was set back (`setbacks`); what hadn't begun stays where it is."""
    for before, after in back:
        begin = begin + after - before if begin <= before else begin
    return begin


# --- waits


@dataclass(frozen=True, slots=True)
class Deadline:
    """When the referee ends a decision."""

    serial: int
    """Number of the decision (`engine.actions.Expire`)."""
    at: float
    """Seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A decision, or an answer to an offer, that a seat owes, and since when. Times are seconds since the epoch."""

    seat: int
    serial: int
    """Number of the decision, or id of the offer."""
    since: float
    until: float | None = None
    """When its time is over, as `bot.table.waiting.timed` calculates it; None: there is no limit."""
    vacation: float = 0.0
    """How many seconds later that is because of the player's vacation, calculated with it."""
    offer: bool = False
    """Whether it waits for an answer to an offer."""
    over: bool = False
    """Whether its time was over and all know it."""
    reminded: int = 0
    """How many reminders were given."""
    pinged: float = 0.0
    """When the latest reminder was given in the channel; 0: it wasn't."""
    more: int = 0
    """How many other games that reminder mentioned."""
    again: bool = False
    """Whether it goes on after a pause."""
    written: float = 0.0
    """When the latest reminder was given by direct message; 0: it wasn't."""
    what: str = ""
    """Name of the decision (`bot.table.waiting.what_is_owed`); empty: it is an answer to an offer, or an earlier
    version stored the wait."""
    spent: float = 0.0
    """Seconds of the decision's time that had run before `since`: it has waited before."""
    left: float | None = None
    """Seconds of its time that were left at `since`; None: there was no limit, or an earlier version stored it."""
    ran_out: bool = False
    """Whether its time was ever over, also if it got more since."""
    shift: float = 0.0
    """By how many seconds its times have moved with a clock that was set back: its reminder is named by the earlier
    time."""

    @property
    def asks(self) -> tuple[int, int, bool]:
        """What the seat is asked, regardless of when."""
        return self.seat, self.serial, self.offer

    @property
    def public(self) -> Wait:
        """What all can see of it."""
        return replace(self, reminded=0, written=0.0, what="", spent=0.0, left=None, ran_out=False, shift=0.0)

    def same(self, other: Wait) -> bool:
        """Whether it waits for the same, since the same moment."""
        return (self.asks, self.since) == (other.asks, other.since)


@dataclass(frozen=True, slots=True)
class Late:
    """A player who has let their time run out, and not acted since."""

    user: int
    times: int
    turn: int
    """The latest turn in which it happened."""
