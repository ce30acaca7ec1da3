"""Whom a game waits for, since when and until when. Turn timer, reminders and replacements depend on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf

from bot.table.member import Absence
from bot.table.motion import RESUME
from bot.table.options import DECIDE
from bot.table.people import People
from bot.table.table import Table
from bot.table.time import Interval, Stop, end_of, first, length, united, without
from bot.table.wait import Deadline, Wait
from engine.actions import Expire
from engine.events import DecidedFor, OfferAnswered, OfferMade
from engine.game import Game
from engine.geometry import bits
from engine.record import REFEREE
from engine.steps.special import LateRequests

DAY = 86_400.0
AWAY = 3 * DAY
"""Seconds for which people for whom a bot plays keep their say in what the table decides (I6)."""
OPENING = 1800.0
"""Seconds that a player has at least for a placement in setup before it is made for them."""

Vacation = Interval


def after(
    before: Table, table: Table, game: Game, people: People, now: float, acted: int = REFEREE, *, played: bool = True
) -> Table:
    """The table with its waits as they are after a change; `before`: the table before it.

    `acted`: the seat that acted, if all could notice; `played`: whether anything was played at all.
    """
    if acted != REFEREE:
        user = table.user_at(game, acted)
        missed = tuple(m for m in table.missed if m.user != user)
        table = replace(table, missed=missed)
    moved = {seat for seat in range(game.config.players) if _sits(before, game, seat) != _sits(table, game, seat)}
    kept = tuple(wait for wait in table.waits if wait.seat not in moved)
    waits = waits_of(replace(table, waits=kept), game, now, acted, played=played)
    over = [wait for wait in before.waits if not any(wait.same(other) for other in waits)]
    table = _used(before, replace(table, waits=waits), game, over, now)
    return timed(_away(table, people, now), game, now)


def timed(table: Table, game: Game, now: float) -> Table:
    """The table with the ends of all times calculated from when they began and when they stood still."""
    table = replace(table, deadline=_deadline(table, game))
    waits = tuple(replace(wait, until=_until(table, game, wait)) for wait in table.waits)
    absences = tuple(replace(one, until=away_until(table, one, AWAY)) for one in table.absences)
    table = replace(table, waits=waits, absences=absences)
    began = _began(table, now)
    return replace(table, stops=tuple(stop for stop in table.stops if stop.end > began or stop.end > now))


def restarted(table: Table, game: Game, now: float) -> Table:
    """The table with all times starting over: what has run of them doesn't count."""
    table = _used(table, table, game, list(table.waits), now)
    began = _began(table, now)
    waits = tuple(replace(wait, over=False, reminded=0, pinged=0.0) for wait in table.waits)
    return replace(stopped(table, began, now), waits=waits)


def was_restarted_after(table: Table, since: float, until: float) -> bool:
    """Whether a time that began at `since` has started over at `until` or later, as none has run in between."""
    return any(begin <= since and until <= end for begin, end in united(shared_stops(table, since)))


def stopped(table: Table, begin: float, end: float) -> Table:
    """The table with no time running between two moments."""
    return replace(table, stops=(*table.stops, Stop(begin, end)))


def waits_of(table: Table, game: Game, now: float, acted: int = REFEREE, *, played: bool = True) -> tuple[Wait, ...]:
    """The waits after a seat has acted. The other seats' waits stay as they were while their decisions are the same.

    There are none if a decision has its own time limit (J2, L8). The player on turn gets their full time again when an
    offer is made or answered, as there is something else to decide. So does the last player in setup, after the first
    placement was decided for them.
    """
    step = game.state.agenda[-1]
    if game.outcome is not None or Expire in game.rules.referee.get(type(step), {}):
        return ()
    before = {wait.asks: wait for wait in table.waits}
    begun = {acted}
    events = game.last_events if played else ()
    if any(isinstance(event, (OfferAnswered, OfferMade)) for event in events) and game.state.on_turn >= 0:
        begun.add(game.state.on_turn)
    if not game.turn:  # one step of the rules, but two placements
        begun |= {event.seat for event in events if isinstance(event, DecidedFor)}
    found = []
    for seat in bits(game.awaited):
        old = before.get((seat, step.serial, False))
        found.append(old if old and seat not in begun else Wait(seat, step.serial, now))
    for offer in game.state.offers:
        for seat in bits(offer.to & ~offer.accepted & ~offer.declined):
            found.append(before.get((seat, offer.id, True)) or Wait(seat, offer.id, now, offer=True))
    return tuple(found)


def window(table: Table, game: Game) -> float:
    """Seconds for answers to the present decision, which has its own time limit (J2, L8)."""
    if isinstance(game.state.agenda[-1], LateRequests):
        return request_time(table.options.pace) or game.config.request_time
    return game.config.answer_time


def request_time(pace: int) -> int:
    """Seconds for late requests to build (J2), derived from the turn timer; 0 if there is none."""
    return max(min(60, pace // 4), 15) if pace else 0


def newly_called(old: Game, game: Game) -> tuple[int, ...]:
    """Seats that owe a decision that they didn't owe before, as all can see."""
    same, awaited = old.state.agenda[-1].serial == game.state.agenda[-1].serial, game.awaited
    return tuple(bits(awaited & ~old.awaited if same else awaited))


def leave_left(table: Table, game: Game, user: int, now: float) -> float:
    """For how many seconds vacation can still stop a user's time."""
    waits = [wait for wait in decisions(table) if wait.until is not None and table.user_at(game, wait.seat) == user]
    spent = sum(length(_leave(table, game, wait), min(wait.until or now, now)) for wait in waits)
    return max(_allowed(table, user) - spent, 0.0)


def _allowed(table: Table, user: int) -> float:
    """The same, before what the present waits have used is subtracted."""
    return max(table.options.leave * DAY - dict(table.on_leave).get(user, 0.0), 0.0)


def vacation_delay(table: Table, game: Game, wait: Wait) -> float:
    """How many seconds later a wait ends because of vacation, as all can see."""
    return 0.0 if wait.until is None else length(_leave(table, game, wait), wait.until)


def actionable_since(table: Table, wait: Wait) -> float:
    """From when the player could do what they are asked: when the wait began, or when time last resumed for all."""
    return max([wait.since, *(end for _, end in shared_stops(table, wait.since))])


def stopped_intervals(table: Table, game: Game, wait: Wait) -> list[Interval]:
    """When a wait's time stands still: with the time of all, and for the player's vacation up to the table's limit."""
    return [*shared_stops(table, wait.since), *_leave(table, game, wait)]


def decisions(table: Table) -> Iterator[Wait]:
    """The waits for decisions, without those for answers to offers."""
    return (wait for wait in table.waits if not wait.offer)


def _sits(table: Table, game: Game, seat: int) -> tuple[int, str]:
    member = table.member_at(game, seat)
    return member.user, member.level


def shared_stops(table: Table, since: float) -> list[Interval]:
    """When the time of all has stood still since a moment."""
    downtime = (absence for absence in table.downtime if absence[0] < absence[1])
    stops = ((stop.begin, stop.end) for stop in table.stops if not stop.user)
    return [interval for interval in (*downtime, *stops) if interval[1] > since]


def _leave(table: Table, game: Game, wait: Wait) -> list[Interval]:
    """When a wait's time stands still for the player's vacation, up to the table's limit."""
    return _leave_of(table, table.user_at(game, wait.seat), wait.since)


def _leave_of(table: Table, user: int, since: float) -> list[Interval]:
    """When a user's time has stood still for vacation since a moment, up to the table's limit."""
    away = [(max(stop.begin, since), stop.end) for stop in table.stops if stop.user == user]
    return first(without(away, shared_stops(table, since)), _allowed(table, user)) if away else []


def away_intervals(table: Table, user: int, since: float) -> list[Interval]:
    """When a user's time since a moment doesn't count for what the table decides. In a pause it does once someone wants
    to go on."""
    found = [*shared_stops(table, since), *_leave_of(table, user, since)]
    if table.paused:
        wanted = next((motion.at for motion in table.motions if motion.kind == RESUME), inf)
        found.append((table.paused, wanted))
    return found


def away_until(table: Table, absence: Absence, seconds: float) -> float | None:
    """When someone has been away for so many seconds; None: no time runs for them."""
    end = end_of(absence.since, seconds, away_intervals(table, absence.user, absence.since))
    return None if end == inf else end


def _until(table: Table, game: Game, wait: Wait) -> float | None:
    """When a wait's time is over; None: there is no limit."""
    options, member = table.options, table.member_at(game, wait.seat)
    if not options.pace or member.level:
        return None
    missed = next((m for m in table.missed if m.user == member.user), None)
    if missed is not None and not wait.offer and missed.turn == game.turn > 0:
        return wait.since  # they are away: the rest of the turn gets no more time
    opening = not game.turn and options.expiry == DECIDE
    seconds = max(OPENING, options.pace) if opening else options.pace
    return end_of(wait.since, seconds, stopped_intervals(table, game, wait))


def _began(table: Table, now: float) -> float:
    """Since when it can matter that time stood still."""
    window = [] if table.window is None else [table.window[1]]
    return min([*(wait.since for wait in table.waits), *(absence.since for absence in table.absences), *window, now])


def set_back(table: Table) -> Table:
    """The table with its times converted to the present clock, if the clock was set back since."""
    back = [end - begin for begin, end in table.downtime if end < begin]
    if len(back) <= table.set_back:
        return table
    seconds = sum(back[table.set_back :])

    def moved(at: float) -> float:
        return at + seconds if at else at

    waits = (replace(w, since=moved(w.since), pinged=moved(w.pinged), written=moved(w.written)) for w in table.waits)
    absences = (replace(absence, since=moved(absence.since)) for absence in table.absences)
    motions = (replace(motion, at=moved(motion.at)) for motion in table.motions)
    return replace(
        table,
        waits=tuple(waits),
        absences=tuple(absences),
        motions=tuple(motions),
        set_back=len(back),
        stops=tuple(s if s.user else Stop(moved(s.begin), moved(s.end)) for s in table.stops),
        window=table.window and (table.window[0], moved(table.window[1])),
        paused=moved(table.paused),
    )


def relevant_downtime(table: Table, now: float) -> tuple[Interval, ...]:
    """The part of `Table.downtime` that matters to an act now: what reaches into a running time, or all of it if the
    clock was set back and the table doesn't know yet."""
    window = table.window
    up_to_date = sum(end < begin for begin, end in table.downtime) <= table.set_back
    if not up_to_date or (window is None and table.deadline is not None):
        return table.downtime
    began = _began(table, now)
    return tuple(interval for interval in table.downtime if interval[0] < interval[1] and interval[1] > began)


def _deadline(table: Table, game: Game) -> Deadline | None:
    """When the referee ends the present decision; None: it has no window."""
    step = game.state.agenda[-1]
    if table.window is None or table.window[0] != step.serial:
        return None
    since = table.window[1]
    return Deadline(step.serial, end_of(since, window(table, game), shared_stops(table, since)))


def with_window(table: Table, game: Game, now: float) -> Table:
    """The table with the begin of the present decision's window, if it has one."""
    step = game.state.agenda[-1]
    if game.outcome is not None or Expire not in game.rules.referee.get(type(step), {}):
        return replace(table, window=None)
    current = table.window
    if current is not None and current[0] == step.serial:
        return table
    since = now
    if current is None and table.deadline is not None and table.deadline.serial == step.serial:
        since = table.deadline.at - window(table, game)  # an earlier version stored only the deadline
    return replace(table, window=(step.serial, since))


def _used(before: Table, table: Table, game: Game, over: list[Wait], now: float) -> Table:
    """The table after some waits have ended: the vacation for which their time stood still is used up."""
    used, at = dict(table.on_leave), before.paused or now
    for wait in over:
        if wait.offer or wait.until is None:
            continue  # there can be several offers at a time, and they hold nothing up
        user = before.user_at(game, wait.seat)
        if seconds := length(_leave(before, game, wait), min(at, wait.until)):
            used[user] = used.get(user, 0.0) + seconds
    on_leave = tuple((user, seconds) for user, seconds in used.items() if user in table.users)
    return replace(table, on_leave=on_leave)


def _away(table: Table, people: People, now: float) -> Table:
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
