"""What more than half of the people at a table agree on, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.table.motion import PACE, PAUSE, REPLACE, RESUME, SUBSTITUTE, Motion
from bot.table.news import News
from bot.table.reporting import with_news
from bot.table.seats import free_places, replaced, seated, who_decides, who_plays
from bot.table.stops import stopped
from bot.table.table import Table
from bot.table.waiting import DAY, at_another_pace
from engine.errors import RefereeError
from engine.game import Game

PATIENCE = DAY
"""Seconds until a person who was refused a seat can ask again, and until others can replace an open proposal."""

Follow = Callable[[Table, Game, Motion, float], Table]
"""Makes the table after a motion was decided, at a time."""


def settled(table: Table, game: Game, now: float) -> Table:
    """The table after its motions are counted again: those that more than half of the voters agree on are done, and
    those that can't be agreed on anymore are void. For example, a voter has left or is back."""
    while True:
        for motion in table.motions:
            if (kind := KINDS.get(motion.kind)) is None:  # a newer version's kind, which that version settles
                continue
            voters = voters_on(table, game, motion)
            holds = len(voters) >= kind.least and motion.holds(voters)
            if kind.is_moot(table, game, motion):
                table = without_motion(table, motion)
            elif holds:
                table = kind.carry_out(without_motion(table, motion), game, motion, now)
            elif motion.is_void(voters):
                table = kind.give_up(without_motion(table, motion), game, motion, now)
            else:
                continue
            break
        else:
            return table


def voters_on(table: Table, game: Game, motion: Motion) -> tuple[int, ...]:
    """Users who vote on a motion: all who have a say, except the one whom it is about."""
    return tuple(user for user in who_decides(table, game) if user != motion.absent)


def is_outvoted(table: Table, game: Game, absent: int) -> bool:
    """Whether more than half of the others, who are at least two, want a bot to play for `absent`."""
    motion = open_motion(table, REPLACE, absent)
    if motion is None:
        return False
    voters = voters_on(table, game, motion)
    return len(voters) >= KINDS[REPLACE].least and motion.holds(voters)


def _at_another_pace(table: Table, game: Game, motion: Motion, now: float) -> Table:
    table = with_news(table, game, News(PACE, pace=motion.pace, expiry=motion.expiry), now)
    table = at_another_pace(table, game, motion.pace, motion.expiry, now)
    return replace(table, missed=tuple(late for late in table.missed if late.turn == game.turn))


def _paused(table: Table, game: Game, motion: Motion, now: float) -> Table:
    return replace(table, paused=now)


def _resumed(table: Table, game: Game, motion: Motion, now: float) -> Table:
    table = stopped(table, table.paused, now)
    waits = tuple(replace(wait, pinged=0.0, again=True) for wait in table.waits)
    return replace(table, waits=waits, paused=0.0)


def _substituted(table: Table, game: Game, motion: Motion, now: float) -> Table:
    return seated(table, motion.place, motion.newcomer, motion.name)


def _replaced(table: Table, game: Game, motion: Motion, now: float) -> Table:
    return replaced(table, motion.absent, "hard")


def _has_no_seat(table: Table, game: Game, motion: Motion) -> bool:
    """Whether no bot plays the seat that it is about anymore, or the user who wants it is at the table."""
    return motion.place not in free_places(table, game) or motion.newcomer in table.users


def _refused(table: Table, game: Game, motion: Motion, now: float) -> Table:
    return turned_away(table, game, motion, now, told=motion.newcomer)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of motion."""

    carry_out: Follow
    """What follows when more than half agree."""
    give_up: Follow = lambda table, game, motion, now: table
    """What follows if it can't be agreed on anymore."""
    is_moot: Callable[[Table, Game, Motion], bool] = lambda table, game, motion: False
    """Whether there is nothing to agree on anymore."""
    least: int = 1
    """How many voters there must be at least."""


KINDS = {
    PACE: Kind(_at_another_pace),
    PAUSE: Kind(_paused),
    RESUME: Kind(_resumed),
    SUBSTITUTE: Kind(_substituted, _refused, _has_no_seat),
    REPLACE: Kind(_replaced, is_moot=lambda table, game, m: m.absent not in who_plays(table, game), least=2),
}


def open_motion(table: Table, kind: str, absent: int = 0) -> Motion | None:
    """The open motion of a kind; `absent`: the user whom it is about, if it is about one. None: there is none."""
    return next((motion for motion in table.motions if motion.about == (kind, absent)), None)


def require_motion(table: Table, kind: str, made: int | None) -> Motion:
    """The open motion of a kind. Code: "no-proposal" if there is none, or its number isn't `made`."""
    open_ = open_motion(table, kind)
    if open_ is None or made not in (None, open_.made):
        raise RefereeError("no-proposal")
    return open_


def without_motion(table: Table, motion: Motion) -> Table:
    """The table without this motion, or the one that is now in its place."""
    remaining = tuple(other for other in table.motions if other.about != motion.about)
    return replace(table, motions=remaining)


def with_motion(table: Table, motion: Motion) -> Table:
    """The table with this motion, in place of another about the same. Votes to replace a player are settled first."""
    remaining, proposed = without_motion(table, motion).motions, max(table.proposed, motion.made)
    motions = (motion, *remaining) if motion.kind == REPLACE else (*remaining, motion)
    return replace(table, motions=motions, proposed=proposed)


def turned_away(table: Table, game: Game, motion: Motion, now: float, *, told: int = 0) -> Table:
    """The table with news that a person doesn't get a seat; `told`: the user who is told, 0: no one."""
    owner = table.members[motion.place].name
    news = News(SUBSTITUTE, user=told, name=owner, newcomer=motion.name, about=motion.newcomer)
    return with_news(table, game, news, now)
