"""When somebody is reminded that a game waits for them: at growing distances, and not while they sleep or are away."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.table.people import People
from bot.table.preferences import Choices
from bot.table.table import RUNNING, Table
from bot.table.time import end_of
from bot.table.wait import Wait
from bot.table.waiting import DAY, decisions, still
from engine.game import Game

LEAST = 300.0
"""Seconds between two reminders at least."""
TOGETHER = 1800.0
"""Seconds for which a reminder of one game, at most, stands for those of others."""
PARTS = (1 / 8, 3 / 8, 7 / 8)
"""Of the time for a decision, after which reminders come; who was late before and hasn't acted since has the last."""
UNHURRIED = tuple(days * DAY for days in (1, 3, 7, 14, 21))
"""Seconds after which they come where there is no limit. In the end the table is put away."""


@lru_cache(maxsize=64)
def moments(pace: int, late: bool = False) -> tuple[float, ...]:
    """Seconds after which somebody is reminded, who has `pace` seconds for the decision; 0: as many as they like.

    Once it is over they come at distances that grow from the pace itself. `late`: they have let their time run out
    before; more calls than one in time would only be noise.
    """
    if not pace:
        return UNHURRIED
    found: list[float] = []
    for part in PARTS[-1:] if late else PARTS:
        if part * pace - (found[-1] if found else 0.0) >= LEAST:
            found.append(part * pace)
    apart, at = max(pace, LEAST), float(pace)
    if not found:  # there was no room for any
        found.append(at)
    if at + apart > UNHURRIED[-1]:
        found.append(UNHURRIED[-1])
    while at + apart <= UNHURRIED[-1]:
        at += apart
        found.append(at)
        apart *= 2
    return tuple(found)


def due_at(table: Table, game: Game, wait: Wait) -> float | None:
    """When the next reminder of a wait comes; None: none does any more."""
    times = _moments(table, game, wait)
    return _when(table, game, wait, times[wait.reminded]) if wait.reminded < len(times) else None


def due_by(table: Table, game: Game, wait: Wait, now: float) -> int:
    """How many reminders of a wait should have come by now; those that were held up come as one."""
    return max(wait.reminded, sum(_when(table, game, wait, after) <= now for after in _moments(table, game, wait)))


def stands_for(pace: int, due: int, ago: float, *, late: bool = False) -> bool:
    """Whether what another game has told somebody of all their games, so many seconds ago, stands for a reminder that
    is due now, the how manieth it is.

    Where there is little time it must have come no longer ago than the first part of it, and the last reminder in time
    is always given.
    """
    last = sum(after < pace for after in moments(pace, late))
    return ago <= (min(TOGETHER, pace * PARTS[0]) if pace else TOGETHER) and due != last


def is_late(table: Table, game: Game, wait: Wait) -> bool:
    """Whether somebody has let their time run out before, and not acted since."""
    user = table.user_at(game, wait.seat)
    return any(missed.user == user for missed in table.missed)


def _moments(table: Table, game: Game, wait: Wait) -> tuple[float, ...]:
    return moments(table.options.pace, is_late(table, game, wait))


def _when(table: Table, game: Game, wait: Wait, seconds: float) -> float:
    """When so much of a wait's time is over."""
    return end_of(wait.since, seconds, still(table, game, wait))


def held_until(choices: Choices, now: float) -> float | None:
    """Until when somebody isn't to be reminded, seconds since the epoch; None: they may be now."""
    if choices.vacation is not None and choices.vacation[0] <= now < choices.vacation[1]:
        return choices.vacation[1]
    if choices.quiet is None or not choices.zone:
        return None
    with suppress(ZoneInfoNotFoundError):  # chosen where the machine knew it, and this one doesn't
        return quiet_end(now, choices.zone, *choices.quiet)
    return None


def quiet_end(now: float, zone: str, begin: int, end: int) -> float | None:
    """When quiet hours from minute `begin` to minute `end` of the day are over; None: there are none now."""
    local = datetime.fromtimestamp(now, ZoneInfo(zone))
    minute = local.hour * 60 + local.minute
    if begin <= end and not begin <= minute < end:
        return None
    if begin > end and end <= minute < begin:
        return None
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    if begin > end and minute >= begin:
        midnight += timedelta(days=1)
    over = midnight.replace(hour=end // 60 % 24, minute=end % 60) + timedelta(days=end // 1440)
    return max(over.timestamp(), now + 60)


def next_look(table: Table, game: Game, people: People) -> float | None:
    """When something is to be done for a running game: a time is over, or a reminder due that its reader wants by then;
    None: nothing is."""
    if table.status != RUNNING or table.paused:
        return None
    ends = [wait.until for wait in table.waits if wait.until is not None and not wait.over]
    for wait in decisions(table):
        if (at := due_at(table, game, wait)) is not None:
            ends.append(held_until(people.of(table.user_at(game, wait.seat)).choices, at) or at)
    return min([*ends, *([table.deadline.at] if table.deadline else [])], default=None)
