"""For whom a game waits, since when, and until when: what pace, reminders and replacements go by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

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
OPENING = 1800.0
"""Seconds for a placement in setup at least, before it is made for somebody."""

Vacation = Interval


def after(
    before: Table, table: Table, game: Game, people: People, now: float, acted: int = REFEREE, *, played: bool = True
) -> Table:
    """The table with its waits as they are after whatever has happened; `before`: as it was then.

    `acted`: a seat that has played, as all could notice; `played`: whether anything was played at all.
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
    """The table with all ends of times worked out from when they began, and from when they stood still."""
    table = replace(table, deadline=_deadline(table, game))
    waits = tuple(replace(wait, until=_until(table, game, wait)) for wait in table.waits)
    began = min([*(wait.since for wait in waits), *_window_began(table), now])
    kept = tuple(stop for stop in table.stops if stop.end > began or stop.end > now)
    return replace(table, waits=waits, stops=kept)


def begun_anew(table: Table, game: Game, now: float) -> Table:
    """The table where all times begin anew: what was of them doesn't count."""
    table = _used(table, table, game, list(table.waits), now)
    began = min([*(wait.since for wait in table.waits), *_window_began(table), now])
    waits = tuple(replace(wait, over=False, reminded=0, pinged=0.0) for wait in table.waits)
    return replace(stopped(table, began, now), waits=waits)


def has_anew(table: Table, since: float, until: float) -> bool:
    """Whether what began at a moment has begun anew at another or later: no time has run from the one to the other."""
    return any(begin <= since and until <= end for begin, end in united(_common(table, since)))


def stopped(table: Table, begin: float, end: float) -> Table:
    """The table where no time has run between two moments."""
    return replace(table, stops=(*table.stops, Stop(begin, end)))


def waits_of(table: Table, game: Game, now: float, acted: int = REFEREE, *, played: bool = True) -> tuple[Wait, ...]:
    """Since when the game waits for whom, after what a seat did: as before while it is the same decision of others.

    Nobody is waited for where a decision has a limit of its own (J2, L8). Who has an answer to their offer has their
    time anew: there is something else to decide. So has the last in setup, for whom the first placement was decided.
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
    """Seconds for answers to the present decision, which has a limit of its own (J2, L8)."""
    if isinstance(game.state.agenda[-1], LateRequests):
        return request_time(table.options.pace) or game.config.request_time
    return game.config.answer_time


def request_time(pace: int) -> int:
    """Seconds for late requests to build, by those for a decision (J2); 0 where there is no limit."""
    return max(min(60, pace // 4), 15) if pace else 0


def called(old: Game, game: Game) -> tuple[int, ...]:
    """Seats that owe a decision which they didn't owe before, as all can see."""
    same, awaited = old.state.agenda[-1].serial == game.state.agenda[-1].serial, game.awaited
    return tuple(bits(awaited & ~old.awaited if same else awaited))


def leave_left(table: Table, game: Game, user: int, now: float) -> float:
    """For how many seconds vacation can still stop somebody's time."""
    waits = [wait for wait in decisions(table) if wait.until is not None and table.user_at(game, wait.seat) == user]
    spent = sum(length(_leave(table, game, wait), min(wait.until or now, now)) for wait in waits)
    return max(_allowed(table, user) - spent, 0.0)


def _allowed(table: Table, user: int) -> float:
    """The same, beside what it has done while the game waits for them now."""
    return max(table.options.leave * DAY - dict(table.on_leave).get(user, 0.0), 0.0)


def put_off(table: Table, game: Game, wait: Wait) -> float:
    """How many seconds of vacation are part of a time, as all can see."""
    return 0.0 if wait.until is None else length(_leave(table, game, wait), wait.until)


def called_at(table: Table, wait: Wait) -> float:
    """When somebody could begin to do what they are asked: since it was asked, or since time has gone on."""
    return max([wait.since, *(end for _, end in _common(table, wait.since))])


def still(table: Table, game: Game, wait: Wait) -> list[Interval]:
    """When a wait's time stands still: everybody's, and that of who is away, as long as the table allows."""
    return [*_common(table, wait.since), *_leave(table, game, wait)]


def decisions(table: Table) -> Iterator[Wait]:
    """The waits for decisions, without those for answers to offers."""
    return (wait for wait in table.waits if not wait.offer)


def _sits(table: Table, game: Game, seat: int) -> tuple[int, str]:
    member = table.member_at(game, seat)
    return member.user, member.level


def _common(table: Table, since: float) -> list[Interval]:
    """When everybody's time has stood still since a moment."""
    downtime = (gone for gone in table.downtime if gone[0] < gone[1])
    stops = ((stop.begin, stop.end) for stop in table.stops if not stop.user)
    return [one for one in (*downtime, *stops) if one[1] > since]


def _leave(table: Table, game: Game, wait: Wait) -> list[Interval]:
    """When the time of a wait stands still because somebody is away: never longer than the table allows."""
    user = table.user_at(game, wait.seat)
    away = [(max(stop.begin, wait.since), stop.end) for stop in table.stops if stop.user == user]
    return first(without(away, _common(table, wait.since)), _allowed(table, user)) if away else []


def _until(table: Table, game: Game, wait: Wait) -> float | None:
    """When the time for it is over; None: there is no limit."""
    options, member = table.options, table.member_at(game, wait.seat)
    if not options.pace or member.level:
        return None
    missed = next((m for m in table.missed if m.user == member.user), None)
    if missed is not None and not wait.offer and missed.turn == game.turn > 0:
        return wait.since  # they are away: the rest of the turn needn't wait as long again
    opening = not game.turn and options.expiry == DECIDE
    seconds = max(OPENING, options.pace) if opening else options.pace
    return end_of(wait.since, seconds, still(table, game, wait))


def _window_began(table: Table) -> list[float]:
    return [] if table.window is None else [table.window[1]]


def set_back(table: Table) -> Table:
    """The table with all that began by a clock that was set back since, by the one there is now."""
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
        set_back=len(back),
        stops=tuple(s if s.user else Stop(moved(s.begin), moved(s.end)) for s in table.stops),
        window=table.window and (table.window[0], moved(table.window[1])),
        paused=moved(table.paused),
    )


def felt(table: Table, now: float) -> tuple[Interval, ...]:
    """What of `Table.downtime` matters to what is done at the table just now: what reaches into a time that runs, and
    all of it where the clock was set back since the table knew."""
    window = table.window
    known = sum(end < begin for begin, end in table.downtime) <= table.set_back
    if not known or (window is None and table.deadline is not None):
        return table.downtime
    began = min([now, *(wait.since for wait in table.waits), *_window_began(table)])
    return tuple(gone for gone in table.downtime if gone[0] < gone[1] and gone[1] > began)


def _deadline(table: Table, game: Game) -> Deadline | None:
    """Until when the referee lets the present decision be made: anew where it is another one than before."""
    step = game.state.agenda[-1]
    if table.window is None or table.window[0] != step.serial:
        return None
    since = table.window[1]
    return Deadline(step.serial, end_of(since, window(table, game), _common(table, since)))


def with_window(table: Table, game: Game, now: float) -> Table:
    """The table knowing since when there is a window for the present decision, if it has one."""
    step = game.state.agenda[-1]
    if game.outcome is not None or Expire not in game.rules.referee.get(type(step), {}):
        return replace(table, window=None)
    known = table.window
    if known is not None and known[0] == step.serial:
        return table
    since = now
    if known is None and table.deadline is not None and table.deadline.serial == step.serial:
        since = table.deadline.at - window(table, game)  # as an earlier version has stored it
    return replace(table, window=(step.serial, since))


def _used(before: Table, table: Table, game: Game, over: list[Wait], now: float) -> Table:
    """The table where some waits have come to their ends: the vacation in which their time stood still is used."""
    used, at = dict(table.on_leave), before.paused or now
    for wait in over:
        if wait.offer or wait.until is None:
            continue  # of offers there may be several at a time, and they hold nothing up
        user = before.user_at(game, wait.seat)
        if seconds := length(_leave(before, game, wait), min(at, wait.until)):
            used[user] = used.get(user, 0.0) + seconds
    here = tuple((user, seconds) for user, seconds in used.items() if user in table.users)
    return replace(table, on_leave=here)


def _away(table: Table, people: People, now: float) -> Table:
    """The table knowing who is away when, as they have chosen: what is over of another vacation has still stopped
    their time."""
    if not table.options.pace:
        return table
    stops = list[Stop]()
    for user in (0, *table.people):
        wanted = None if not user else people.vacation(user)
        ahead = None if wanted is None or wanted[1] <= now else Stop(*wanted, user)
        for stop in table.stops:
            if stop.user == user and (not user or stop == ahead):
                stops.append(stop)
            elif stop.user == user and stop.begin < now:
                stops.append(replace(stop, end=min(stop.end, now)))
        if ahead is not None and ahead not in stops:
            stops.append(ahead)
    return replace(table, stops=tuple(stops))
