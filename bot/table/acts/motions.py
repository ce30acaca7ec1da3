"""What people at a table propose, and how the others answer. As soon as more than half of them agree, it is carried
out. For a game to be resumed, half of them are enough after a day: no pause goes on for long that only half want."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

from bot.plaintext import safe_name
from bot.table.act import By, GameAct
from bot.table.beginning import check_free
from bot.table.guests import check_not_barred
from bot.table.options import DAY, REMIND, TABLE
from bot.table.parts import PACE, PAUSE, REPLACE, RESUME, SUBSTITUTE, Motion, News
from bot.table.seats import check_deciding, check_given_up, free_places, replaced, who_decides, who_plays, with_newcomer
from bot.table.table import Table, said_no_recently, stopped, with_news
from bot.table.waiting import at_another_pace
from engine.errors import RefereeError
from engine.game import Game

# --- what follows

ASK_AGAIN_AFTER = DAY
"""Seconds before someone whose request for a seat was declined can make another, and before others can replace an open
proposal."""

Follow = Callable[[Table, Game, Motion, float], Table]
"""Makes the table after a motion was decided, at a time."""


def settled(table: Table, game: Game, now: float) -> Table:
    """The table after its motions are counted again: those that enough of the voters agree on are done, and those that
    can't be agreed on anymore are void. For example, a voter has left or is back."""
    while True:
        for motion in table.motions:
            if (kind := MOTION_KINDS.get(motion.kind)) is None:  # a newer version's kind, which that version settles
                continue
            voters = voters_on(table, game, motion)
            holds = len(voters) >= kind.least and motion.holds(voters, kind.needed(len(voters), now - motion.at))
            if kind.is_moot(table, game, motion):
                table = without_motion(table, motion)
            elif holds:
                table = kind.carry_out(without_motion(table, motion), game, motion, now)
            elif motion.is_void(voters, kind.needed(len(voters), inf)):
                table = kind.give_up(without_motion(table, motion), game, motion, now)
            else:
                continue
            break
        else:
            return table


def voters_on(table: Table, game: Game, motion: Motion) -> tuple[int, ...]:
    """Users who vote on a motion: everyone who has a say, except the person it concerns."""
    return tuple(user for user in who_decides(table, game) if user != motion.absent)


def is_outvoted(table: Table, game: Game, absent: int) -> bool:
    """Whether more than half of the others, who are at least two, want a bot to play for `absent`."""
    motion = open_motion(table, REPLACE, absent)
    if motion is None:
        return False
    kind, voters = MOTION_KINDS[REPLACE], voters_on(table, game, motion)
    return len(voters) >= kind.least and motion.holds(voters, kind.needed(len(voters), 0.0))


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
    return with_newcomer(table, motion.place, motion.newcomer, motion.name)


def _replaced(table: Table, game: Game, motion: Motion, now: float) -> Table:
    return replaced(table, motion.absent, "hard")


def _has_no_seat(table: Table, game: Game, motion: Motion) -> bool:
    """Whether no bot plays the seat that it is about anymore, or the user who wants it is at the table."""
    return motion.place not in free_places(table, game) or motion.newcomer in table.users


def _refused(table: Table, game: Game, motion: Motion, now: float) -> Table:
    return turned_away(table, game, motion, now, told=motion.newcomer)


@dataclass(frozen=True, slots=True)
class MotionKind:
    """A kind of motion."""

    carry_out: Follow
    """What follows when enough agree."""
    give_up: Follow = lambda table, game, motion, now: table
    """What follows if it can't be agreed on anymore."""
    is_moot: Callable[[Table, Game, Motion], bool] = lambda table, game, motion: False
    """Whether there is nothing to agree on anymore."""
    least: int = 1
    """How many voters there must be at least."""
    half_after: float | None = None
    """Seconds after which half of them are enough; None: they never are."""

    def needed(self, voters: int, waited: float) -> int:
        """How many of the voters must agree, so many seconds after it was proposed."""
        half = self.half_after is not None and waited >= self.half_after
        return max((voters + 1) // 2, 1) if half else voters // 2 + 1


MOTION_KINDS = {
    PACE: MotionKind(_at_another_pace),
    PAUSE: MotionKind(_paused),
    RESUME: MotionKind(_resumed, half_after=DAY),
    SUBSTITUTE: MotionKind(_substituted, _refused, _has_no_seat),
    REPLACE: MotionKind(_replaced, is_moot=lambda table, game, m: m.absent not in who_plays(table, game), least=2),
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
    news = News(SUBSTITUTE, user=told, name=owner, newcomer=motion.name, place=motion.place, about=motion.newcomer)
    return with_news(table, game, news, now)


# --- acts


@dataclass(frozen=True, slots=True)
class Propose(GameAct):
    """Propose something, or agree if it is proposed already. A player can replace their own proposal of another turn
    timer at any time, and that of another player after a day.

    Codes: "not-playing", "replaced", "pace", "option", "fixed", "paused/already", "not-paused", "pace/same",
    "pace/another".
    """

    kind = "propose"
    what: str
    pace: int = 0
    expiry: str = REMIND

    def during(self, table: Table, game: Game, by: By) -> Table:
        TABLE["pace"].check(None, self.pace)
        TABLE["expiry"].check(None, self.expiry)
        check_deciding(table, game, by.user)
        open_ = open_motion(table, self.what)
        if self.what == PAUSE and table.paused:
            raise RefereeError("paused/already")
        if self.what == RESUME and not table.paused:
            raise RefereeError("not-paused")
        if self.what == PACE and (self.pace, self.expiry) == (table.options.pace, table.options.expiry):
            raise RefereeError("pace/same")
        if open_ is not None and (open_.pace, open_.expiry) == (self.pace, self.expiry):
            return with_motion(table, open_.agreed_to_by(by.user))
        if self.what == PACE and not by.manages:
            check_free(table, replace(table, options=replace(table.options, pace=self.pace, expiry=self.expiry)))
        if open_ is not None and open_.ayes[:1] != (by.user,) and by.at < open_.at + ASK_AGAIN_AFTER:
            raise RefereeError("pace/another")  # another player can't undo so soon what others agreed to
        return with_motion(table, self.proposal(table, by))

    def proposal(self, table: Table, by: By) -> Motion:
        """The motion that it proposes."""
        made = table.proposed + 1
        return Motion(self.what, (by.user,), made=made, at=by.at, pace=self.pace, expiry=self.expiry)


@dataclass(frozen=True, slots=True)
class AskForSeat(GameAct):
    """Ask the players for a seat that a bot plays, as a person of that name who doesn't play.

    Codes: "handover/you play", "barred", "handover/waits", "handover/no seat", "handover/turned away",
    "handover/another asks".
    """

    kind = "ask"
    name: str
    place: int
    what: ClassVar[str] = SUBSTITUTE

    def during(self, table: Table, game: Game, by: By) -> Table:
        if by.user in table.users:
            raise RefereeError("handover/you play")
        check_not_barred(table, by.user)
        if 0 <= self.place < len(table.members):
            check_given_up(table, self.place)
        if self.place not in free_places(table, game):
            raise RefereeError("handover/no seat")
        if said_no_recently(table, by.user, SUBSTITUTE, by.at):
            raise RefereeError("handover/turned away")
        open_ = open_motion(table, SUBSTITUTE)
        if open_ is not None and (open_.newcomer, open_.place) == (by.user, self.place):
            return table
        if open_ is not None and by.at < open_.at + ASK_AGAIN_AFTER:
            raise RefereeError("handover/another asks")
        return with_motion(table, self.proposal(table, by))

    def proposal(self, table: Table, by: By) -> Motion:
        """The motion that it proposes."""
        name, made = safe_name(self.name), table.proposed + 1
        return Motion(SUBSTITUTE, (), made=made, at=by.at, newcomer=by.user, name=name, place=self.place)


@dataclass(frozen=True, slots=True)
class Agree(GameAct):
    """Agree to what is proposed; `made`: only to the proposal with that number. Codes: "not-playing", "replaced",
    "no-proposal"."""

    kind = "agree"
    what: str
    made: int | None = None

    def during(self, table: Table, game: Game, by: By) -> Table:
        check_deciding(table, game, by.user)
        return with_motion(table, require_motion(table, self.what, self.made).agreed_to_by(by.user))


@dataclass(frozen=True, slots=True)
class Object(GameAct):
    """Object to what is proposed, or withdraw it as the person who asked for a seat. Codes: as `Agree`."""

    kind = "object"
    what: str
    made: int | None = None

    def during(self, table: Table, game: Game, by: By) -> Table:
        open_ = require_motion(table, self.what, self.made)
        if by.user == open_.newcomer:
            return turned_away(without_motion(table, open_), game, open_, by.at)
        check_deciding(table, game, by.user)
        ayes = tuple(other for other in open_.ayes if other != by.user)
        return with_motion(table, replace(open_, ayes=ayes, noes=tuple(dict.fromkeys((*open_.noes, by.user)))))


MotionAct = Propose | AskForSeat | Agree | Object


@dataclass(frozen=True, slots=True)
class Agreement:
    """The result of a proposal so far."""

    proposal: Motion
    done: bool
    of: int
    """How many people have a say."""
    void: bool = False
    """Whether it can't be agreed on anymore."""

    @property
    def needed(self) -> int:
        """How many must agree, unless they take long."""
        return MOTION_KINDS[self.proposal.kind].needed(self.of, 0.0)


def agreement(act: MotionAct, before: Table, old: Game, table: Table, by: By) -> Agreement:
    """The result of a statement about a proposal. If the act is repeated, `before` is the present table."""
    voters, was, open_ = who_decides(before, old), open_motion(before, act.what), open_motion(table, act.what)
    if isinstance(act, (Propose, AskForSeat)):
        was = act.proposal(before, by)
    proposal = open_ or was or Motion(act.what, ())
    if isinstance(act, Object):
        return Agreement(proposal, done=False, of=len(voters), void=open_ is None)
    return Agreement(proposal.among(voters), done=open_ is None, of=len(voters))
