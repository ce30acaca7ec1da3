"""Whom a game waits for, since when and until when. Turn timer, reminders and replacements depend on it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from math import inf

from bot.table.options import DAY, DECIDE
from bot.table.table import (
    People,
    Table,
    away_until,
    began,
    leave_allowed,
    leave_of,
    shared_stops,
    stopped,
    with_vacations,
)
from bot.table.time import Deadline, Interval, Wait, end_of, length, run, united
from engine.actions import Expire
from engine.events import BankTraded, OfferAnswered, OfferMade, Traded
from engine.game import Game
from engine.geometry import bits
from engine.record import REFEREE
from engine.state import State
from engine.steps.special import LateRequests

AWAY = 3 * DAY
"""Seconds for which people for whom a bot plays keep their say in what the table decides (I6)."""
OPENING = 1800.0
"""Seconds that a player has at least for a placement in setup before it is made for them."""

Vacation = Interval

WINDOW = -1
"""In place of a seat in `Table.earlier`: the window of a decision with its own time limit."""
TRADE = (OfferMade, OfferAnswered, Traded, BankTraded)
"""Events that give the player on turn something else to decide."""


def with_waits(
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
    past = replace(table, members=before.members, stops=(*before.stops, *table.stops), on_leave=before.on_leave)
    waits = waits_of(past, game, now, {acted, *moved}, played=played)
    over = [wait for wait in before.waits if not any(wait.same(other) for other in waits)]
    table = replace(table, waits=waits, earlier=_earlier(past, game, waits, now))
    return timed(with_vacations(_used(before, table, game, over, now), people, now), game, now)


def timed(table: Table, game: Game, now: float) -> Table:
    """The table with the ends of all times calculated from when they began and when they stood still."""
    table = replace(table, deadline=_deadline(table, game))
    waits = tuple(_timed(table, game, wait) for wait in table.waits)
    absences = tuple(replace(one, until=away_until(table, one, AWAY)) for one in table.absences)
    table = replace(table, waits=waits, absences=absences)
    since = began(table, now)
    return replace(table, stops=tuple(stop for stop in table.stops if stop.end > since or stop.end > now))


def restarted(table: Table, game: Game, now: float) -> Table:
    """The table with all times starting over: what has run of them doesn't count."""
    table = _used(table, table, game, list(table.waits), now)
    waits = tuple(replace(wait, over=False, reminded=0, pinged=0.0) for wait in table.waits)
    return replace(stopped(table, began(table, now), now), waits=waits)


def at_another_pace(table: Table, game: Game, pace: int, expiry: str, now: float) -> Table:
    """The table with another turn timer. What has run of a decision's time stays spent. If the new timer is shorter, it
    runs from now, but no decision gets more time by that."""
    waits = [_again(_complete(table, game, wait), now, _spent(table, game, wait, now)) for wait in table.waits]
    table = replace(table, options=replace(table.options, pace=pace, expiry=expiry))
    seconds = length_of(table, game)

    def granted(wait: Wait) -> Wait:
        if seconds is None:
            return wait
        if wait.left is None:  # no timer has run yet
            return replace(wait, spent=0.0, left=seconds)
        all_in_all = max(seconds, min(wait.spent + wait.left, wait.spent + seconds))
        return replace(wait, left=max(all_in_all - wait.spent, 0.0), over=False)

    return replace(table, waits=tuple(map(granted, waits)), earlier=tuple(map(granted, table.earlier)))


def was_restarted_after(table: Table, since: float, until: float) -> bool:
    """Whether a time that began at `since` has started over at `until` or later, as none has run in between."""
    return any(begin <= since and until <= end for begin, end in united(shared_stops(table, since)))


def length_of(table: Table, game: Game) -> float | None:
    """Seconds for a decision that begins now; None: there is no limit."""
    options = table.options
    if not options.pace:
        return None
    return float(max(OPENING, options.pace) if not game.turn and options.expiry == DECIDE else options.pace)


def what_is_owed(game: Game, seat: int) -> str:
    """Name of the present decision for a seat, or for `WINDOW`. It is the same again after an undo: within a step it
    changes only with what the seat builds, buys or plays, as all can see."""
    state = game.state
    seats = range(state.players) if seat == WINDOW else (seat,)
    return f"{state.turn}.{state.agenda[-1].kind}.{sum(_progress(state, one) for one in seats)}"


def _progress(state: State, seat: int) -> int:
    """A number that grows with everything that a seat builds, buys and plays."""
    pieces = state.roads[seat].bit_count() + state.settlements[seat].bit_count() + 2 * state.cities[seat].bit_count()
    return pieces + sum(state.development_cards[seat]) + 2 * sum(state.played[seat])


def waits_of(
    table: Table, game: Game, now: float, begun: Collection[int] = (), *, played: bool = True
) -> tuple[Wait, ...]:
    """The waits after a change; none if the decision has its own time limit (J2, L8).

    A decision has its full time once, however often it comes back by an undo, and no matter who plays the seat. For
    seats in `begun`, which have acted or have another player, its rest begins a new stretch.
    """
    step = game.state.agenda[-1]
    if game.outcome is not None or Expire in game.rules.referee.get(type(step), {}):
        return ()
    traded = played and any(isinstance(event, TRADE) for event in game.last_events)
    waits, found = tuple(_complete(table, game, wait) for wait in table.waits), list[Wait]()
    for seat in bits(game.awaited):
        what = what_is_owed(game, seat)
        wait = _same_decision(waits, seat, what, step.serial)
        if wait is not None and (seat in begun or wait.serial != step.serial):
            wait = _again(wait, now, _spent(table, game, wait, now))
        elif wait is None and (wait := _same_decision(table.earlier, seat, what)) is not None:
            wait = _again(wait, now, wait.spent)
        elif wait is None:
            wait = Wait(seat, step.serial, now, what=what, left=length_of(table, game))
        wait = replace(wait, serial=step.serial, what=what)
        found.append(_with_time_for_trade(table, game, wait, now) if traded and seat == game.state.on_turn else wait)
    answers = {wait.asks: wait for wait in table.waits if wait.offer}
    for offer in game.state.offers:
        for seat in bits(offer.to & ~offer.accepted & ~offer.declined):
            wait = answers.get((seat, offer.id, True))
            found.append(wait or Wait(seat, offer.id, now, offer=True, left=length_of(table, game)))
    return tuple(found)


def _same_decision(waits: tuple[Wait, ...], seat: int, what: str, serial: int | None = None) -> Wait | None:
    """The wait for a seat's decision; `serial`: its number, by which waits of earlier versions are found."""
    mine = (wait for wait in waits if wait.seat == seat and not wait.offer)
    return next((wait for wait in mine if wait.what == what or (not wait.what and wait.serial == serial)), None)


def _complete(table: Table, game: Game, wait: Wait) -> Wait:
    """The wait with what was left of its time when it began: an earlier version didn't store that."""
    return wait if wait.left is not None else replace(wait, left=length_of(table, game))


def _again(wait: Wait, now: float, spent: float) -> Wait:
    """The rest of a wait, from now on; `spent`: the seconds of its time that have run."""
    left = None if wait.left is None else max(wait.left - (spent - wait.spent), 0.0)
    over = wait.over and not left
    again = Wait(wait.seat, wait.serial, now, offer=wait.offer, over=over, what=wait.what, spent=spent, left=left)
    return replace(again, ran_out=wait.ran_out)


def _spent(table: Table, game: Game, wait: Wait, now: float) -> float:
    """How many seconds of a wait's time have run, in all of its stretches."""
    if not table.options.pace:
        return wait.spent
    still = stopped_intervals(table, game, wait)
    return wait.spent + run(wait.since, now, [*still, (table.paused, now)] if table.paused else still)


def _with_time_for_trade(table: Table, game: Game, wait: Wait, now: float) -> Wait:
    """The wait for the player on turn after an offer, an answer or a trade. They have as much time for that as for a
    decision, but it makes all decisions of a turn together longer by no more than that."""
    pace = table.options.pace
    if not pace or wait.left is None:
        return wait
    others = (one for one in table.earlier if one.seat == wait.seat and one.what != wait.what)
    same_turn = (one for one in others if _turn_of(one) == game.turn)
    spare = max(pace - sum(max(one.spent - pace, 0.0) for one in same_turn), 0.0)
    spent = _spent(table, game, wait, now)
    more = min(spent + pace, pace + spare) - (wait.spent + wait.left)
    if more <= 0:
        return wait
    longer = _again(replace(wait, left=wait.left + more), now, spent)
    return replace(longer, over=False)


def _earlier(table: Table, game: Game, waits: tuple[Wait, ...], now: float) -> tuple[Wait, ...]:
    """The decisions that are over, but can come back by an undo or after one, and how much of their time was left."""
    if game.outcome is not None:
        return ()
    ended = [
        replace(_again(wait, 0.0, round(_spent(table, game, wait, now), 3)), over=False)
        for wait in decisions(table)
        if wait.what and wait.left is not None and not _same_decision(waits, wait.seat, wait.what)
    ]
    asked = {(wait.seat, wait.what) for wait in ended}
    kept = (wait for wait in table.earlier if (wait.seat, wait.what) not in asked)
    oldest = game.turn - any(map(game.can_undo, range(game.config.players)))
    return tuple(wait for wait in (*kept, *ended) if _turn_of(wait) >= oldest)


def _turn_of(wait: Wait) -> int:
    """The turn in which a decision was owed."""
    return int(wait.what.partition(".")[0])


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
    waits = [wait for wait in decisions(table) if table.user_at(game, wait.seat) == user]
    spent = sum(length(_leave(table, game, wait), min(wait.until or now, now)) for wait in waits)
    return max(leave_allowed(table, user) - spent, 0.0)


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


def _leave(table: Table, game: Game, wait: Wait) -> list[Interval]:
    """When a wait's time stands still for the player's vacation, up to the table's limit."""
    return leave_of(table, table.user_at(game, wait.seat), wait.since)


def _timed(table: Table, game: Game, wait: Wait) -> Wait:
    until = _until(table, game, wait)
    return replace(wait, until=until, vacation=0.0 if until is None else length(_leave(table, game, wait), until))


def _until(table: Table, game: Game, wait: Wait) -> float | None:
    """When a wait's time is over; None: there is no limit."""
    member = table.member_at(game, wait.seat)
    seconds = length_of(table, game) if wait.left is None else wait.left
    if not table.options.pace or member.level or seconds is None:
        return None
    missed = next((m for m in table.missed if m.user == member.user), None)
    if missed is not None and not wait.offer and missed.turn == game.turn > 0:
        return wait.since  # they are away: the rest of the turn gets no more time
    return end_of(wait.since, seconds, stopped_intervals(table, game, wait))


def _deadline(table: Table, game: Game) -> Deadline | None:
    """When the referee ends the present decision; None: it has no window."""
    step = game.state.agenda[-1]
    if table.window is None or table.window[0] != step.serial:
        return None
    since, entries = table.window[1], (wait for wait in table.earlier if wait.seat == WINDOW)
    spent = sum(entry.spent for entry in entries if entry.serial == step.serial)
    seconds = max(window(table, game) - spent, 0.0)
    return Deadline(step.serial, end_of(since, seconds, shared_stops(table, since)))


def with_window(table: Table, game: Game, now: float) -> Table:
    """The table with the begin of the present decision's window, if it has one. What has run of a window that comes
    back by an undo stays spent."""
    step, current = game.state.agenda[-1], table.window
    opens = game.outcome is None and Expire in game.rules.referee.get(type(step), {})
    if opens and current is not None and current[0] == step.serial:
        return table
    earlier = tuple(_closed(table, wait, now) for wait in table.earlier)
    if not opens:
        return replace(table, window=None, earlier=earlier)
    since, what = now, what_is_owed(game, WINDOW)
    if current is None and table.deadline is not None and table.deadline.serial == step.serial:
        since = table.deadline.at - window(table, game)  # an earlier version stored only the deadline
    entry = _same_decision(earlier, WINDOW, what) or Wait(WINDOW, step.serial, since, what=what)
    others = (wait for wait in earlier if (wait.seat, wait.what) != (WINDOW, what))
    opened = (*others, replace(entry, serial=step.serial, since=since))
    return replace(table, window=(step.serial, since), earlier=opened)


def _closed(table: Table, entry: Wait, now: float) -> Wait:
    """An entry of `Table.earlier`, after the present window is over."""
    if table.window is None or (entry.seat, entry.serial) != (WINDOW, table.window[0]):
        return entry
    still, since = shared_stops(table, table.window[1]), table.window[1]
    spent = run(since, now, [*still, (table.paused, now)] if table.paused else still)
    return replace(entry, spent=entry.spent + spent)


def _used(before: Table, table: Table, game: Game, over: list[Wait], now: float) -> Table:
    """The table after some waits have ended: the vacation for which their time stood still is used up, for who has the
    seat now."""
    used, at = dict(table.on_leave), before.paused or now
    for wait in over:
        if wait.offer:
            continue  # there can be several offers at a time, and they hold nothing up
        user = table.user_at(game, wait.seat)
        if seconds := length(_leave(before, game, wait), min(at, inf if wait.until is None else wait.until)):
            used[user] = used.get(user, 0.0) + seconds
    on_leave = tuple((user, seconds) for user, seconds in used.items() if user in table.users)
    return replace(table, on_leave=on_leave)
