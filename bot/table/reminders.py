"""When players are reminded that a game waits for them: at growing distances, and not in quiet hours or on vacation.
And when each user last acted: what they have missed begins there, and it shows how long they were away."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.table.options import DAY
from bot.table.preferences import PersonalChoices
from bot.table.table import RUNNING, People, Table, shared_stops
from bot.table.time import Interval, Wait, end_of
from bot.table.waiting import actionable_since, decisions, stopped_intervals
from engine.game import Game

# --- reminders

LEAST_APART = 300.0
"""Least seconds between two reminders."""
TOGETHER = 1800.0
"""Most seconds for which a reminder of one game stands for those of others."""
PARTS_OF_TIME = (1 / 8, 3 / 8, 7 / 8)
"""Parts of a decision's time after which reminders come. A player who was late before and hasn't acted since gets only
the last."""
UNHURRIED = tuple(days * DAY for days in (1, 3, 7, 14, 21))
"""Seconds after which reminders come if there is no turn timer. In the end, the table is put away."""


@lru_cache(maxsize=64)
def moments(pace: int, late: bool = False, left: float | None = None) -> tuple[float, ...]:
    """Seconds after which a player is reminded. `pace`: the turn timer, 0: no limit; `left`: the seconds that they
    have, if these are more or less.

    Once the time is over, reminders come at distances that begin with the pace and double. `late`: the player let their
    time run out before; more than one reminder in time would only be noise.
    """
    if not pace:
        return UNHURRIED
    found, seconds = list[float](), float(pace if left is None else left)
    for part in PARTS_OF_TIME[-1:] if late else PARTS_OF_TIME:
        if part * seconds - (found[-1] if found else 0.0) >= LEAST_APART:
            found.append(part * seconds)
    apart, at = max(pace, LEAST_APART), seconds
    if not found and seconds:  # the time was too short for any
        found.append(at)
    if at + apart > UNHURRIED[-1]:
        found.append(UNHURRIED[-1])
    while at + apart <= UNHURRIED[-1]:
        at += apart
        found.append(at)
        apart *= 2
    return tuple(found)


def due_at(table: Table, game: Game, wait: Wait) -> float | None:
    """When the next reminder of a wait comes; None: there are no more."""
    times = _moments(table, game, wait)
    return _when(table, game, wait, times[wait.reminded]) if wait.reminded < len(times) else None


def due_by(table: Table, game: Game, wait: Wait, now: float) -> int:
    """How many reminders of a wait should have come by now. Those that were held up come as one."""
    return max(wait.reminded, sum(_when(table, game, wait, after) <= now for after in _moments(table, game, wait)))


def stands_for(pace: int, due: int, ago: float, *, late: bool = False, left: float | None = None) -> bool:
    """Whether another game's reminder of all the player's games, so many seconds ago, stands for the one now due.

    `due`: the number of the one now due. With a short turn timer, the other reminder must not be longer ago than the
    first part of it. The last reminder before the deadline is always given.
    """
    last = sum(after < (pace if left is None else left) for after in moments(pace, late, left))
    return ago <= (min(TOGETHER, pace * PARTS_OF_TIME[0]) if pace else TOGETHER) and due != last


def is_late(table: Table, game: Game, wait: Wait) -> bool:
    """Whether the player let their time run out before, and hasn't acted since."""
    user = table.user_at(game, wait.seat)
    return any(missed.user == user for missed in table.missed)


def _moments(table: Table, game: Game, wait: Wait) -> tuple[float, ...]:
    return moments(table.options.pace, is_late(table, game, wait), rest_of_time(wait))


def rest_of_time(wait: Wait) -> float | None:
    """The seconds that were left when a wait began again; None: it is its first stretch."""
    return wait.left if wait.spent else None


def _when(table: Table, game: Game, wait: Wait, seconds: float) -> float:
    """When so many seconds of a wait's time are over. Without a turn timer, a vacation only holds reminders up."""
    stops = shared_stops(table, wait.since) if wait.until is None else stopped_intervals(table, game, wait)
    return end_of(wait.since, seconds, stops)


def held_until(choices: PersonalChoices, now: float) -> float | None:
    """Until when a person must not be reminded, in seconds since the epoch; None: they can be reminded now."""
    if choices.vacation is not None and choices.vacation[0] <= now < choices.vacation[1]:
        return choices.vacation[1]
    if choices.quiet is None or not choices.zone:
        return None
    with suppress(ZoneInfoNotFoundError):  # it was chosen on a machine that knew the zone, and this one doesn't
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
    days = end // 1440 + (begin > end and minute >= begin)
    over = local.replace(hour=end // 60 % 24, minute=end % 60, second=0, microsecond=0, fold=0) + timedelta(days=days)
    return max(over.timestamp(), now + 60)


def quiet_hours(choices: PersonalChoices, since: float, until: float) -> list[Interval]:
    """A person's quiet hours between two moments."""
    if choices.quiet is None or not choices.zone:
        return []
    with suppress(ZoneInfoNotFoundError):
        zone, (begin, end) = ZoneInfo(choices.zone), choices.quiet
        first, last = (datetime.fromtimestamp(at, zone).date() for at in (since, until))
        nights = []
        for n in range(-1, (last - first).days + 1):
            midnight = datetime.combine(first + timedelta(days=n), time(), zone)
            over = midnight + timedelta(minutes=end + 1440 * (end <= begin))
            nights.append(((midnight + timedelta(minutes=begin)).timestamp(), over.timestamp()))
        return nights
    return []


def next_look(table: Table, game: Game, people: People, now: float) -> float | None:
    """When a running game must be looked after: a time is over, or a reminder is due and not held up; None: never."""
    if table.status != RUNNING:
        return None
    away = [absence.until for absence in table.absences if absence.until is not None and not absence.over]
    if table.paused:
        return min(away, default=None)
    ends = [*away, *_ends(table, game, people, now)]
    return min([*ends, *([table.deadline.at] if table.deadline else [])], default=None)


def _ends(table: Table, game: Game, people: People, now: float) -> list[float]:
    """When waits need a look."""
    ends = [wait.until for wait in table.waits if wait.until is not None and not wait.over]
    for wait in decisions(table):
        if (at := due_at(table, game, wait)) is not None:
            choices = people.of(table.user_at(game, wait.seat)).choices
            # One that is overdue is held up by what is chosen now. A vacation can begin before quiet hours end.
            while (later := held_until(choices, max(at, now))) is not None:
                at = later
            ends.append(at)
    return ends


# --- when each user last acted

PRESENT = 300.0
"""Seconds after their last action for which people count as present."""
LONG_AWAY = 3600.0
"""Seconds without an action after which a player who is called may have to find their way back into the game."""


def with_last_action(table: Table, user: int, revision: int, now: float, *, in_person: bool) -> Table:
    """The table after an action of a user's seat that all could notice; `revision`: that of the views after it.

    `in_person`: neither an order nor a bot acted. That is a secret: only the user may see what follows from it.
    """
    before = {who: seen for who, seen, _ in table.acted}
    others = tuple(other for other in table.acted if other[0] != user and other[0] in table.users)
    seen = revision if in_person else before.get(user, 0)
    return replace(table, acted=(*others, (user, seen, now)))


def seen_by(table: Table, user: int) -> int | None:
    """The revision of the views after the user's own last action; None: no such action was noted."""
    return next((seen for who, seen, _ in table.acted if who == user and seen), None)


def present_until(table: Table, users: Iterable[int]) -> float:
    """Until when the one of these users who acted last counts as present, in seconds since the epoch; 0: unknown."""
    among = {*users}
    return max((at + PRESENT for user, _, at in table.acted if user in among), default=0.0)


def was_away(table: Table, user: int, seat: int) -> bool:
    """Whether the game began to wait for a user's seat after the seat had long done nothing. All can tell.

    The end of a downtime begins nothing: the table doesn't change by it, so its messages stay as they are.
    """
    last = next((at for who, _, at in table.acted if who == user), None)
    waits = (wait for wait in decisions(table) if wait.seat == seat)
    served = replace(table, downtime=())
    return last is not None and any(actionable_since(served, wait) - last >= LONG_AWAY for wait in waits)


def has_acted(table: Table, user: int, seat: int) -> bool:
    """Whether a user's seat has done something since the game began to wait for it. All can tell."""
    last = next((at for who, _, at in table.acted if who == user), None)
    return last is not None and any(wait.seat == seat and wait.since <= last for wait in decisions(table))
