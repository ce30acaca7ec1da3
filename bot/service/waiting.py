"""For whom a game waits, since when, and until when: what pace, reminders and replacements go by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.models import Table, Wait
from bot.store import Store
from engine.actions import Expire
from engine.events import OfferAnswered, OfferMade
from engine.game import Game
from engine.geometry import bits
from engine.record import REFEREE

DAY = 86_400.0


class Waiting:
    """Says of each position for whom the game waits."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def after(self, table: Table, game: Game, now: float, acted: int = REFEREE) -> Table:
        """The table with its waits as they are after what a seat did; `table` has those from before."""
        waits = [await self._timed(table, game, wait, now) for wait in waits_of(table, game, now, acted)]
        choices = table.choices
        if acted != REFEREE and choices.missed:
            user = table.user_at(game, acted)
            choices = replace(choices, missed=tuple(m for m in choices.missed if m.user != user))
        if choices.pace:
            gone = [old for old in table.waits if not any(_same(old, wait) for wait in waits)]
            choices = replace(choices, on_leave=await self._used(table, game, gone, now))
        return replace(table, waits=tuple(waits), choices=choices)

    async def anew(self, table: Table, game: Game, now: float) -> Table:
        """The same where all times begin anew: the pace has changed, or the game has rested."""
        return await self.after(replace(table, waits=()), game, now)

    async def _timed(self, table: Table, game: Game, wait: Wait, now: float) -> Wait:
        """With the time until which it goes."""
        choices, member = table.choices, table.member_at(game, wait.seat)
        if wait.until is not None or not choices.pace or member.level:
            return wait
        if any(m.user == member.user and m.turn == game.turn for m in choices.missed) and not wait.offer:
            return replace(wait, until=now)  # they are away: the rest of the turn needn't wait as long again
        vacation = (await self._store.settings(member.user)).choices.vacation
        left = choices.leave * DAY - dict(choices.on_leave).get(member.user, 0.0)
        return replace(wait, until=deadline(wait.since, choices.pace, vacation, left))

    async def _used(self, table: Table, game: Game, gone: list[Wait], now: float) -> tuple[tuple[int, float], ...]:
        """How much of their vacation people have used up, with what has just ended."""
        used = dict(table.choices.on_leave)
        for wait in gone:
            user = table.user_at(game, wait.seat)
            if wait.until is None or wait.until <= wait.since + table.choices.pace:
                continue
            vacation = (await self._store.settings(user)).choices.vacation
            used[user] = used.get(user, 0.0) + overlap(wait.since, min(now, wait.until), vacation)
        return tuple(used.items())


def waits_of(table: Table, game: Game, now: float, acted: int = REFEREE) -> tuple[Wait, ...]:
    """Since when the game waits for whom, after what a seat did: as before while it is the same decision of others.

    Nobody is waited for where a decision has a limit of its own (J2, L8). Who has an answer to their offer has their
    time anew: there is something else to decide.
    """
    step = game.state.agenda[-1]
    if game.outcome is not None or Expire in game.rules.referee.get(type(step), {}):
        return ()
    before = {(wait.seat, wait.serial, wait.offer): wait for wait in table.waits}
    begun = {acted}
    if any(isinstance(event, (OfferAnswered, OfferMade)) for event in game.last_events) and game.state.on_turn >= 0:
        begun.add(game.state.on_turn)
    found = []
    for seat in bits(game.view(None).awaited):
        old = before.get((seat, step.serial, False))
        found.append(old if old and seat not in begun else Wait(seat, step.serial, now))
    for offer in game.state.offers:
        for seat in bits(offer.to & ~offer.accepted & ~offer.declined):
            found.append(before.get((seat, offer.id, True)) or Wait(seat, offer.id, now, offer=True))
    return tuple(found)


def _same(one: Wait, other: Wait) -> bool:
    return (one.seat, one.serial, one.offer, one.since) == (other.seat, other.serial, other.offer, other.since)


def deadline(since: float, pace: float, vacation: tuple[float, float] | None, left: float) -> float:
    """When `pace` seconds are over, of which none runs while somebody is away, for `left` seconds at most."""
    end = since + pace
    if vacation is not None and left > 0:
        begin = max(since, vacation[0])
        if begin < end:
            end += max(min(vacation[1] - begin, left), 0.0)
    return end


def overlap(since: float, until: float, vacation: tuple[float, float] | None) -> float:
    """For how many seconds of a time somebody was away."""
    if vacation is None:
        return 0.0
    return max(min(until, vacation[1]) - max(since, vacation[0]), 0.0)


def later(table: Table, seconds: float) -> Table:
    """With all times moved by so much."""

    def moved(wait: Wait) -> Wait:
        until = None if wait.until is None else wait.until + seconds
        return replace(wait, since=wait.since + seconds, until=until)

    limit = table.deadline and replace(table.deadline, at=table.deadline.at + seconds)
    return replace(table, waits=tuple(map(moved, table.waits)), deadline=limit)


def decisions(table: Table) -> Iterator[Wait]:
    """The waits for decisions, without those for answers to offers."""
    return (wait for wait in table.waits if not wait.offer)
