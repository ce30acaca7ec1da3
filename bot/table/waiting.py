"""For whom a game waits, since when, and until when: what pace, reminders and replacements go by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from bot.table.people import People
from bot.table.table import DECIDE, Deadline, Table, Wait
from engine.actions import Expire
from engine.events import DecidedFor, OfferAnswered, OfferMade
from engine.game import Game
from engine.geometry import bits
from engine.record import REFEREE
from engine.steps.special import LateRequests

DAY = 86_400.0
OPENING = 1800.0
"""Seconds for a placement in setup at least, before it is made for somebody."""

Vacation = tuple[float, float]
"""From when to when, in seconds since the epoch."""


def after(table: Table, game: Game, people: People, now: float, acted: int = REFEREE) -> Table:
    """The table with its waits as they are after what a seat did; `table` has those from before."""
    if acted != REFEREE and table.choices.missed:
        user = table.user_at(game, acted)
        missed = tuple(m for m in table.choices.missed if m.user != user)
        table = replace(table, choices=replace(table.choices, missed=missed))
    waits = waits_of(table, game, now, acted)
    gone = [old for old in table.waits if not any(_same(old, wait) for wait in waits)]
    table = without(table, game, people, gone, now)
    opening = not game.turn and table.choices.expiry == DECIDE and 0 < table.choices.pace < OPENING
    table = replace(table, choices=replace(table.choices, opening=opening))
    return replace(table, waits=tuple(_timed(table, game, people, wait, now) for wait in waits))


def anew(table: Table, game: Game, people: People, now: float, **choices: Any) -> Table:
    """The same where all times begin anew: the game has rested, or goes on with other choices (`TableChoices`)."""
    asked = {_of(wait): wait.first_asked for wait in table.waits}
    table = without(table, game, people, table.waits, now)
    table = after(replace(table, choices=replace(table.choices, **choices)), game, people, now)
    waits = tuple(replace(wait, asked=asked.get(_of(wait), 0.0)) for wait in table.waits)
    return replace(table, waits=waits, deadline=deadline_of(replace(table, deadline=None), game, now))


def without(table: Table, game: Game, people: People, gone: Sequence[Wait], now: float) -> Table:
    """The table where some waits have come to their ends: the vacation in which their time stood still is used."""
    used, at = dict(table.choices.on_leave), table.choices.paused or now
    for wait in gone:
        user = table.user_at(game, wait.seat)
        if wait.offer or wait.until is None:
            continue  # of offers there may be several at a time, and they hold nothing up
        known = _counted(wait, people.vacation(user))
        used[user] = used.get(user, 0.0) + _away(table, user, known, min(at, wait.until))
    choices = replace(table.choices, on_leave=tuple(used.items()))
    return replace(table, waits=tuple(wait for wait in table.waits if wait not in gone), choices=choices)


def unseen(table: Table, game: Game, people: People, late: Sequence[Wait], now: float) -> Table:
    """The same where some times begin anew that were over while nobody could see the game."""
    rest = without(table, game, people, late, now)
    fresh = {
        old: Wait(old.seat, old.serial, now, offer=old.offer, late=old.late, asked=old.first_asked) for old in late
    }
    timed = {old: _limited(rest, people, table.user_at(game, old.seat), wait) for old, wait in fresh.items()}
    return replace(rest, waits=tuple(timed.get(wait, wait) for wait in table.waits))


def resumed(table: Table, game: Game, people: People, now: float) -> Table:
    """The table after a pause: each has the time that was left when it began, and who became awaited in it has all of
    it."""
    paused, limit = table.choices.paused, table.deadline
    table = replace(table, choices=replace(table.choices, paused=0.0))
    for wait in table.waits:
        vacation = people.vacation(table.user_at(game, wait.seat))
        table = _set_on(table, game, _counted(wait, vacation), vacation, paused, now)
    waits = tuple(replace(wait, pinged=0.0, again=True) for wait in table.waits)
    table = replace(table, waits=waits)
    if limit is not None:
        stopped = max(paused, limit.at - window(table, game))
        table = replace(table, deadline=replace(limit, at=now + limit.at - stopped))
    return table


def away(table: Table, game: Game, people: People, user: int, before: Vacation | None, now: float) -> Table:
    """The table when somebody has chosen another vacation than `before`: what they have spent is spent."""
    vacation, at = people.vacation(user), table.choices.paused or now
    for wait in table.waits:
        if wait.until is not None and not wait.over and table.user_at(game, wait.seat) == user:
            table = _set_on(table, game, _counted(wait, before), vacation, at, at)
    return table


def _timed(table: Table, game: Game, people: People, wait: Wait, now: float) -> Wait:
    """With the time until which it goes."""
    choices, member = table.choices, table.member_at(game, wait.seat)
    if wait.until is not None or not choices.pace or member.level:
        return wait
    missed = next((m for m in choices.missed if m.user == member.user), None)
    if missed is not None and not wait.offer:
        wait = replace(wait, late=True)
        if missed.turn == game.turn > 0:  # they are away: the rest of the turn needn't wait as long again
            return replace(wait, until=now)
    return _limited(table, people, member.user, wait)


def _limited(table: Table, people: People, user: int, wait: Wait) -> Wait:
    """With the time that the table gives a user, from its beginning."""
    vacation = people.vacation(user)
    until = deadline(wait.since, _given(table), vacation, leave_left(table, user))
    return replace(wait, until=until, begun=wait.since, away=vacation)


def waits_of(table: Table, game: Game, now: float, acted: int = REFEREE) -> tuple[Wait, ...]:
    """Since when the game waits for whom, after what a seat did: as before while it is the same decision of others.

    Nobody is waited for where a decision has a limit of its own (J2, L8). Who has an answer to their offer has their
    time anew: there is something else to decide. So has the last in setup, for whom the first placement was decided.
    """
    step = game.state.agenda[-1]
    if game.outcome is not None or Expire in game.rules.referee.get(type(step), {}):
        return ()
    before = {_of(wait): wait for wait in table.waits}
    begun = {acted}
    if any(isinstance(event, (OfferAnswered, OfferMade)) for event in game.last_events) and game.state.on_turn >= 0:
        begun.add(game.state.on_turn)
    if not game.turn:  # one step of the rules, but two placements
        begun |= {event.seat for event in game.last_events if isinstance(event, DecidedFor)}
    found = []
    for seat in bits(game.view(None).awaited):
        old = before.get((seat, step.serial, False))
        found.append(old if old and seat not in begun else Wait(seat, step.serial, now))
    for offer in game.state.offers:
        for seat in bits(offer.to & ~offer.accepted & ~offer.declined):
            found.append(before.get((seat, offer.id, True)) or Wait(seat, offer.id, now, offer=True))
    return tuple(found)


def window(table: Table, game: Game) -> float:
    """Seconds for answers to the present decision, which has a limit of its own (J2, L8)."""
    if isinstance(game.state.agenda[-1], LateRequests):
        return request_time(table.choices.pace) or game.config.request_time
    return game.config.answer_time


def deadline_of(table: Table, game: Game, now: float) -> Deadline | None:
    """Until when the referee lets the present decision be made: as before while it is the same one, else anew."""
    step = game.state.agenda[-1]
    if Expire not in game.rules.referee.get(type(step), {}):
        return None
    if table.deadline is not None and table.deadline.serial == step.serial:
        return table.deadline
    return Deadline(step.serial, now + window(table, game))


def window_anew(table: Table, game: Game, seat: int, now: float) -> Table:
    """The table where somebody has just sat down in a seat: a window in which it is asked begins anew, for all."""
    if table.deadline is None or table.choices.paused or not game.view(None).awaited >> seat & 1:
        return table
    return replace(table, deadline=deadline_of(replace(table, deadline=None), game, now))


def request_time(pace: int) -> int:
    """Seconds for late requests to build, by those for a decision (J2); 0 where there is no limit."""
    return max(min(60, pace // 4), 15) if pace else 0


def called(old: Game, game: Game) -> tuple[int, ...]:
    """Seats that owe a decision which they didn't owe before, as all can see."""
    same, awaited = old.state.agenda[-1].serial == game.state.agenda[-1].serial, game.view(None).awaited
    return tuple(bits(awaited & ~old.view(None).awaited if same else awaited))


def _of(wait: Wait) -> tuple[int, int, bool]:
    """What somebody is asked, as often as they may be."""
    return wait.seat, wait.serial, wait.offer


def _same(one: Wait, other: Wait) -> bool:
    return (_of(one), one.since) == (_of(other), other.since)


def deadline(since: float, pace: float, vacation: Vacation | None, left: float) -> float:
    """When `pace` seconds are over, of which none runs while somebody is away, for `left` seconds at most."""
    end = since + pace
    if vacation is not None and left > 0:
        begin = max(since, vacation[0])
        if begin < end:
            end += max(min(vacation[1] - begin, left), 0.0)
    return end


def overlap(since: float, until: float, vacation: Vacation | None) -> float:
    """For how many seconds of a time somebody was away."""
    if vacation is None:
        return 0.0
    return max(min(until, vacation[1]) - max(since, vacation[0]), 0.0)


def leave_left(table: Table, user: int) -> float:
    """For how many seconds vacation can still stop somebody's time."""
    return max(table.choices.leave * DAY - dict(table.choices.on_leave).get(user, 0.0), 0.0)


def _given(table: Table) -> float:
    """Seconds for what somebody is asked: a placement that all of their game stands on isn't made for them within
    minutes, however fast the others are."""
    return OPENING if table.choices.opening else table.choices.pace


def _counted(wait: Wait, vacation: Vacation | None) -> Wait:
    """A wait that an earlier version has stored, with the vacation that it must have known of."""
    return wait if wait.begun else replace(wait, begun=wait.since, away=vacation)


def put_off(table: Table, wait: Wait) -> float:
    """How many seconds of vacation are part of a time: that follows from its length, which all can see."""
    return 0.0 if wait.until is None else max(wait.until - wait.since - _given(table), 0.0)


def _away(table: Table, user: int, wait: Wait, now: float) -> float:
    """How many seconds of vacation have put a wait's end off by now, since it was worked out."""
    return min(overlap(wait.begun, now, wait.away), put_off(table, wait), leave_left(table, user))


def _set_on(table: Table, game: Game, wait: Wait, vacation: Vacation | None, stopped: float, now: float) -> Table:
    """The table with a wait whose time has stood still since `stopped` and runs from now on, with another vacation.

    What of it was left then is left now, whatever has moved it: that follows from its end, and the vacation before.
    """
    stopped = max(stopped, wait.since)
    choices, user = table.choices, table.user_at(game, wait.seat)
    if wait.until is None or wait.over:
        until = None if wait.until is None else wait.until + now - stopped
        moved = replace(wait, since=wait.since + now - stopped, until=until, asked=wait.first_asked)
    else:
        left, used = leave_left(table, user), _away(table, user, wait, stopped)
        rest = wait.until - stopped - min(overlap(stopped, wait.until, wait.away), left - used)
        since, until = now - (_given(table) - rest), deadline(now, rest, vacation, left - used)
        moved = replace(wait, since=since, until=until, begun=now, away=vacation, asked=wait.first_asked)
        if used and not wait.offer:
            on_leave = {**dict(choices.on_leave), user: dict(choices.on_leave).get(user, 0.0) + used}
            choices = replace(choices, on_leave=tuple(on_leave.items()))
    return replace(table, choices=choices, waits=tuple(moved if _same(other, wait) else other for other in table.waits))


def decisions(table: Table) -> Iterator[Wait]:
    """The waits for decisions, without those for answers to offers."""
    return (wait for wait in table.waits if not wait.offer)
