"""When time stands still at a table: for all, in pauses and downtime, and for people on vacation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import inf

from bot.table.options import DAY
from bot.table.parts import RESUME, Absence
from bot.table.table import People, Table
from bot.table.time import Interval, Stop, end_of, first, united, without


def stopped(table: Table, begin: float, end: float) -> Table:
    """The table with no time running between two moments."""
    return replace(table, stops=(*table.stops, Stop(begin, end)))


def shared_stops(table: Table, since: float) -> list[Interval]:
    """When the time of all has stood still since a moment."""
    downtime = (absence for absence in table.downtime if absence[0] < absence[1])
    stops = ((stop.begin, stop.end) for stop in table.stops if not stop.user)
    return [interval for interval in (*downtime, *stops) if interval[1] > since]


def leave_of(table: Table, user: int, since: float) -> list[Interval]:
    """When a user's time has stood still for vacation since a moment, up to the table's limit."""
    away = [(max(stop.begin, since), stop.end) for stop in table.stops if stop.user == user]
    return first(without(away, shared_stops(table, since)), leave_allowed(table, user)) if away else []


def leave_allowed(table: Table, user: int) -> float:
    """For how many seconds vacation can stop a user's time, without what was used in waits that are over."""
    return max(table.options.leave * DAY - dict(table.on_leave).get(user, 0.0), 0.0)


def run(since: float, now: float, still: Iterable[Interval]) -> float:
    """How many seconds have run since a moment, outside of intervals in which time stood still."""
    lost = sum(max(min(end, now) - max(begin, since), 0.0) for begin, end in united(still))
    return max(now - since - lost, 0.0)


def away_intervals(table: Table, user: int, since: float) -> list[Interval]:
    """When a user's time since a moment doesn't count for what the table decides. In a pause it does once someone wants
    to go on."""
    found = [*shared_stops(table, since), *leave_of(table, user, since)]
    if table.paused:
        wanted = next((motion.at for motion in table.motions if motion.kind == RESUME), inf)
        found.append((table.paused, wanted))
    return found


def away_until(table: Table, absence: Absence, seconds: float) -> float | None:
    """When someone has been away for so many seconds; None: no time runs for them."""
    end = end_of(absence.since, seconds, away_intervals(table, absence.user, absence.since))
    return None if end == inf else end


def began(table: Table, now: float) -> float:
    """Since when it can matter that time stood still."""
    window = [] if table.window is None else [table.window[1]]
    return min([*(wait.since for wait in table.waits), *(absence.since for absence in table.absences), *window, now])


def with_vacations(table: Table, people: People, now: float) -> Table:
    """The table with the vacations that people have chosen. The past part of a vacation that they have replaced has
    still stopped their time."""
    stops = list[Stop]()
    for user in (0, *table.people):
        vacation = None if not user else people.vacation(user)
        ahead = None if vacation is None or vacation[1] <= now else Stop(*vacation, user)
        for stop in table.stops:
            if stop.user == user and (not user or stop == ahead):
                stops.append(stop)
            elif stop.user == user and stop.begin < now:
                stops.append(replace(stop, end=min(stop.end, now)))
        if ahead is not None and ahead not in stops:
            stops.append(ahead)
    return replace(table, stops=tuple(stops))


def by_present_clock(table: Table) -> Table:
    """The table with its times converted to the present clock, if the clock was set back since."""
    back = [end - begin for begin, end in table.downtime if end < begin]
    if len(back) <= table.set_back:
        return table
    seconds = sum(back[table.set_back :])

    def moved(at: float) -> float:
        return at + seconds if at else at

    waits = (replace(w, since=moved(w.since), pinged=moved(w.pinged), written=moved(w.written)) for w in table.waits)
    return replace(
        table,
        waits=tuple(waits),
        earlier=tuple(replace(wait, since=moved(wait.since)) for wait in table.earlier),
        absences=tuple(replace(absence, since=moved(absence.since)) for absence in table.absences),
        motions=tuple(replace(motion, at=moved(motion.at)) for motion in table.motions),
        set_back=len(back),
        stops=tuple(s if s.user else Stop(moved(s.begin), moved(s.end)) for s in table.stops),
        window=table.window and (table.window[0], moved(table.window[1])),
        paused=moved(table.paused),
        archived=moved(table.archived),
    )
