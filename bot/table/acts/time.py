"""What the clock does in a game: time that is over, and reminders for those who are awaited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf

from bot.table import waiting
from bot.table.act import Act, By
from bot.table.options import DECIDE
from bot.table.people import tell_standing
from bot.table.preferences import NEVER
from bot.table.reminders import due_at, due_by, held_until, is_late, stands_for
from bot.table.table import RUNNING, Table
from bot.table.wait import Late, Wait
from engine.actions import BuildSettlement, DecideFor, DeclineFor, Expire
from engine.game import Game
from engine.record import REFEREE


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What else waits for somebody."""

    games: int = 0
    """How many other games, of which may be told here."""
    told: float = 0.0
    """When one of them last reminded them of all, this one included."""
    first: bool = False
    """Whether another is due now, which has waited longer, and tells of this one."""


@dataclass(frozen=True, slots=True)
class LookAfter(Act):
    """Somebody looks after a game: what time is over for is ended, or decided, and who is awaited is reminded."""

    kind = "look"
    unseen: float = 0.0
    """When people couldn't see the game, or not act in it, if that was a moment ago."""
    elsewhere: Mapping[int, Elsewhere] = field(default_factory=dict)
    """By user."""
    at: float = inf
    """When all of that was so: what is due only since then has to be looked at once more."""
    asks = looks = True

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        if table.status != RUNNING or table.paused or game is None:
            return table
        if not table.waits and table.deadline is None:  # a game of a version that knew nothing of either
            for seat in range(game.config.players):
                tell_standing(table, game, by.people, seat)
        table = refreshed(table, game, by)
        late, closing = overdue(table, min(self.at, by.at))
        began = _began(table, late, closing=closing)
        if any(since <= self.unseen and not waiting.has_anew(table, since, self.unseen) for since in began):
            return waiting.begun_anew(table, game, by.at)  # who can't act where they see nothing has all their time
        if closing and table.deadline is not None:
            game.play(REFEREE, Expire(table.deadline.serial))
            return table
        if late and table.options.expiry == DECIDE:
            return _decided(table, game, late)
        waits = [replace(wait, over=True) if wait in late else wait for wait in table.waits]
        waits = [wait if wait.offer else self._reminded(table, game, wait, by) for wait in waits]
        return replace(table, waits=tuple(waits))

    def _reminded(self, table: Table, game: Game, wait: Wait, by: By) -> Wait:
        """A wait with the reminder that is due, unless its reader doesn't want it now, or has had it."""
        due, member = due_at(table, game, wait), table.member_at(game, wait.seat)
        if due is None or due > min(self.at, by.at):
            return wait
        settings, elsewhere = by.people.of(member.user), self.elsewhere.get(member.user, Elsewhere())
        if not member.level and (elsewhere.first or held_until(settings.choices, by.at)):
            return wait
        late, n = is_late(table, game, wait), due_by(table, game, wait, by.at)
        told = elsewhere.told > wait.since and stands_for(table.options.pace, n, by.at - elsewhere.told, late=late)
        wait = replace(wait, reminded=n, pinged=0.0, written=0.0)
        if member.level or settings.choices.reminders == NEVER or told:
            return wait
        if settings.in_channel:
            return replace(wait, pinged=by.at, more=elsewhere.games)
        return replace(wait, written=by.at)


def refreshed(table: Table, game: Game, by: By) -> Table:
    """A table with its times as they are by now: the bot may have been away since, or somebody has gone on vacation."""
    table = waiting.set_back(table)
    return waiting.after(table, waiting.with_window(table, game, by.at), game, by.people, by.at, played=False)


def overdue(table: Table, now: float) -> tuple[list[Wait], bool]:
    """The waits whose time is over, which nobody knows yet, and whether a window is."""
    late = [wait for wait in table.waits if wait.until is not None and wait.until <= now and not wait.over]
    return late, table.deadline is not None and table.deadline.at <= now


def called_on(table: Table, game: Game, now: float) -> set[int]:
    """Users for whom a reminder is due."""
    waits = waiting.decisions(table)
    return {table.user_at(game, w.seat) for w in waits if (at := due_at(table, game, w)) is not None and at <= now}


def _began(table: Table, late: list[Wait], *, closing: bool) -> list[float]:
    window = table.window
    return [*(wait.since for wait in late), *([window[1]] if closing and window is not None else [])]


def _decided(table: Table, game: Game, late: list[Wait]) -> Table:
    """The referee decides for those whose time is over: the plainest choice for each, to the end of their turn; offers
    that they have not answered are declined. Whose offers these were has waited for answers, and can now do something
    else."""
    missed = {found.user: found for found in table.missed}
    unanswered = [wait for wait in late if wait.offer]
    for wait in unanswered:
        game.play(REFEREE, DeclineFor(wait.seat, wait.serial))
    on_turn = game.state.on_turn
    has_waited = any(wait.seat != on_turn for wait in unanswered)
    for wait in late:
        if wait.offer or (has_waited and wait.seat == on_turn):
            continue
        if wait.seat in game.to_act and game.outcome is None:
            user, turn = table.user_at(game, wait.seat), game.turn
            before = missed.get(user)
            _decide(game, wait.seat)
            times = 1 if before is None else before.times + (before.turn != turn or not turn)
            missed[user] = Late(user, times, turn)
    return replace(table, missed=tuple(missed.values()))


def _decide(game: Game, seat: int) -> None:
    """What a seat that is late owes is decided, and in its own turn all that follows."""
    turn = game.turn
    while True:
        game.play(REFEREE, DecideFor(seat))
        if game.outcome is not None or game.turn != turn or seat not in game.to_act:
            return
        if not turn and BuildSettlement in game.options(seat):  # the last in setup places twice, and has time for each
            return
