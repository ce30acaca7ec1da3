"""What the clock does in a game: it ends what has no time left, and reminds the players for whom the game waits. And
what makes time stand still or players absent: who has left the server, and who is on vacation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf

from bot.table import waiting
from bot.table.act import Act, By
from bot.table.acts.lobby import without_member
from bot.table.options import DECIDE
from bot.table.preferences import NEVER
from bot.table.reminders import due_at, due_by, held_until, is_late, rest_of_time, stands_for
from bot.table.seats import lapsed, without_say
from bot.table.table import LOBBY, RUNNING, Table, tell_standing
from bot.table.time import Late, Wait
from engine.actions import BuildSettlement, DecideFor, DeclineFor, Expire
from engine.game import Game
from engine.record import REFEREE

# --- the clock


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Other games that wait for a player."""

    games: int = 0
    """How many other games a reminder here can mention."""
    told: float = 0.0
    """When one of them last reminded the player of all their games, including this one."""
    goes_first: bool = False
    """Whether a reminder is due now in another game that has waited longer. It mentions this game, too."""


@dataclass(frozen=True, slots=True)
class LookAfter(Act):
    """Look after a game: end or decide what has no time left, and remind the players for whom the game waits."""

    kind = "look"
    unseen: float = 0.0
    """When people last couldn't see the game or act in it, if that was a moment ago; else 0."""
    elsewhere: Mapping[int, Elsewhere] = field(default_factory=dict)
    """By user."""
    at: float = inf
    """When all this was true. What has become due since then is left to the next look."""
    is_scheduled_look = True

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        if table.status != RUNNING or game is None:
            return table
        if not table.waits and table.deadline is None:  # the game is from a version that had neither
            for seat in range(game.config.players):
                tell_standing(table, game, by.people, seat)
        table = refreshed(table, game, by)
        now = min(self.at, by.at)
        late, closing = overdue(table, now)
        began = [*_began(table, late, closing=closing), *(absence.since for absence in lapsed(table, now))]
        if any(since <= self.unseen and not waiting.was_restarted_after(table, since, self.unseen) for since in began):
            return waiting.restarted(table, game, by.at)  # players who couldn't act get their full time
        table = without_say(table, now)
        if table.paused:
            return table
        if closing and table.deadline is not None:
            game.play(REFEREE, Expire(table.deadline.serial))
            return table
        if late and table.options.expiry == DECIDE:
            return _decided(table, game, late)
        waits = [replace(wait, over=True, ran_out=True) if wait in late else wait for wait in table.waits]
        waits = [wait if wait.offer else self._reminded(table, game, wait, by) for wait in waits]
        return replace(table, waits=tuple(waits))

    def _reminded(self, table: Table, game: Game, wait: Wait, by: By) -> Wait:
        """The wait after the reminder that is due; unchanged while the reminder is held up or left to another game.

        Nothing is sent if the player wants no reminders, or another game's reminder stands for this one.
        """
        due, member = due_at(table, game, wait), table.member_at(game, wait.seat)
        if due is None or due > min(self.at, by.at):
            return wait
        settings, elsewhere = by.people.of(member.user), self.elsewhere.get(member.user, Elsewhere())
        if not member.level and (elsewhere.goes_first or held_until(settings.choices, by.at)):
            return wait
        late, n = is_late(table, game, wait), due_by(table, game, wait, by.at)
        covered = elsewhere.told > wait.since and stands_for(
            table.options.pace, n, by.at - elsewhere.told, late=late, left=rest_of_time(wait)
        )
        wait = replace(wait, reminded=n, pinged=0.0, written=0.0)
        if member.level or settings.choices.reminders == NEVER or covered:
            return wait
        if settings.in_channel:
            return replace(wait, pinged=by.at, more=elsewhere.games)
        return replace(wait, written=by.at)


def refreshed(table: Table, game: Game, by: By) -> Table:
    """The table with its times as they are now: there can be new downtime, or a player has gone on vacation."""
    return waiting.with_waits(table, waiting.with_window(table, game, by.at), game, by.people, by.at, played=False)


def overdue(table: Table, now: float) -> tuple[list[Wait], bool]:
    """The waits whose time is over, which no one knows yet, and whether the window's time is over."""
    if table.paused:
        return [], False
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
    """Have the referee decide for the players whose time is over: the plainest choice for each, to the end of their
    turn. Offers that they haven't answered are declined. If the player on turn has waited for such answers, nothing is
    decided for them, as they can now do something else."""
    missed = {miss.user: miss for miss in table.missed}
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
    """Decide what a late seat owes, and in its own turn all that follows."""
    turn = game.turn
    while True:
        game.play(REFEREE, DecideFor(seat))
        if game.outcome is not None or game.turn != turn or seat not in game.to_act:
            return
        if not turn and BuildSettlement in game.options(seat):  # the last in setup places twice, with time for each
            return


# --- absence


@dataclass(frozen=True, slots=True)
class NoteGone(Act):
    """Note that a user at the table is no longer on its server (the caller has seen that). Before the start, they are
    off the table, as if they had left it themselves."""

    kind = "gone"
    user: int

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        if table.status == LOBBY and self.user in table.people:
            return without_member(table, self.user)
        gone = table.gone
        if table.status != RUNNING or self.user in gone:  # users who don't play are pruned later, as everywhere
            return table
        return replace(table, gone=(*gone, self.user))


@dataclass(frozen=True, slots=True)
class NoteBack(Act):
    """Note that a user is back on the server."""

    kind = "back"
    user: int
    in_game = False

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        if table.status != RUNNING:
            return table
        gone = tuple(other for other in table.gone if other != self.user)
        return replace(table, gone=gone)


@dataclass(frozen=True, slots=True)
class RefreshTimes(Act):
    """Take a player's changed vacation into account. How long the game waits for them follows from it."""

    kind = "away"
    changes_times = True

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        return table
