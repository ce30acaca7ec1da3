"""When somebody is reminded that a game waits for them: at growing distances, and not while they sleep or are away."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.table.preferences import Choices
from bot.table.table import Table, Wait
from bot.table.waiting import DAY, deadline, decisions, put_off

LEAST = 300.0
"""Seconds between two reminders at least."""
TOGETHER = 1800.0
"""Seconds by which a reminder may come too early, at most, so that one speaks of several games."""
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


def due_at(table: Table, wait: Wait) -> float | None:
    """When the next reminder of a wait comes; None: none does any more."""
    times = moments(table.choices.pace, wait.late)
    return _after(table, wait, times[wait.reminded]) if wait.reminded < len(times) else None


def due_by(table: Table, wait: Wait, now: float) -> int:
    """How many reminders of a wait should have come by now; those that were held up come as one."""
    times = moments(table.choices.pace, wait.late)
    return max(wait.reminded, sum(_after(table, wait, after) <= now for after in times))


def _after(table: Table, wait: Wait, seconds: float) -> float:
    """When so much of a wait's time is over, of which none runs on the vacation that is part of its end."""
    return deadline(wait.begun, wait.since + seconds - wait.begun, wait.away, put_off(table, wait))


def spoken_by(table: Table, wait: Wait, now: float) -> int:
    """How many reminders of a wait have come once another game's speaks of it, perhaps somewhat too early.

    Where there is little time that is no more than the first part of it, and the last reminder in time isn't early.
    """
    times, pace = moments(table.choices.pace, wait.late), table.choices.pace
    due, early = due_by(table, wait, now), min(TOGETHER, pace * PARTS[0]) if pace else TOGETHER
    last = sum(after < pace for after in times) - 1
    return max(due, min(due_by(table, wait, now + early), last if due <= last else len(times)))


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


def next_look(table: Table, held: float = 0.0) -> float | None:
    """When something is to be done for a table: a time is over, or a reminder due; None: nothing is.

    What is due at the time `held` is held up: something else comes after it.
    """
    if table.choices.paused:
        return None
    ends = [wait.until for wait in table.waits if wait.until is not None and not wait.over]
    calls = [at for wait in decisions(table) if (at := due_at(table, wait)) is not None]
    return min((at for at in (*ends, *calls) if at > held), default=None)
