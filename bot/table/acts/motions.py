"""What people at a table propose, and how the others answer. It is carried out once enough of them agree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from bot.plaintext import safe_name
from bot.table.act import By, GameAct
from bot.table.motion import PACE, PAUSE, RESUME, SUBSTITUTE, Motion
from bot.table.motions import PATIENCE, open_motion, require_motion, turned_away, with_motion, without_motion
from bot.table.options import REMIND, TABLE
from bot.table.reporting import said_no_recently
from bot.table.seats import check_deciding, check_given_up, free_places, who_decides
from bot.table.table import Table
from engine.errors import RefereeError
from engine.game import Game


@dataclass(frozen=True, slots=True)
class Propose(GameAct):
    """Propose something, or agree if it is proposed already. A player can replace their own proposal of another turn
    timer at any time, and that of another player after a day.

    Codes: "not-playing", "replaced", "pace", "option", "paused/already", "not-paused", "pace/same", "pace/another".
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
        if open_ is not None and open_.ayes[:1] != (by.user,) and by.at < open_.at + PATIENCE:
            raise RefereeError("pace/another")  # another player can't undo so soon what others agreed to
        return with_motion(table, self.proposal(table, by))

    def proposal(self, table: Table, by: By) -> Motion:
        """The motion that it proposes."""
        made = table.proposed + 1
        return Motion(self.what, (by.user,), made=made, at=by.at, pace=self.pace, expiry=self.expiry)


@dataclass(frozen=True, slots=True)
class AskForSeat(GameAct):
    """Ask the players for a seat that a bot plays, as a person of that name who doesn't play.

    Codes: "handover/you play", "handover/waits", "handover/no seat", "handover/turned away", "handover/another asks".
    """

    kind = "ask"
    name: str
    place: int
    what: ClassVar[str] = SUBSTITUTE

    def during(self, table: Table, game: Game, by: By) -> Table:
        if by.user in table.users:
            raise RefereeError("handover/you play")
        if 0 <= self.place < len(table.members):
            check_given_up(table, self.place)
        if self.place not in free_places(table, game):
            raise RefereeError("handover/no seat")
        if said_no_recently(table, by.user, SUBSTITUTE, by.at):
            raise RefereeError("handover/turned away")
        open_ = open_motion(table, SUBSTITUTE)
        if open_ is not None and (open_.newcomer, open_.place) == (by.user, self.place):
            return table
        if open_ is not None and by.at < open_.at + PATIENCE:
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


Statement = Propose | AskForSeat | Agree | Object


@dataclass(frozen=True, slots=True)
class Agreement:
    """The result of a proposal so far."""

    proposal: Motion
    done: bool
    of: int
    """How many people have a say; more than half of them decide."""
    void: bool = False
    """Whether it can't be agreed on anymore."""

    @property
    def needed(self) -> int:
        """How many must agree: more than half."""
        return self.of // 2 + 1


def agreement(act: Statement, before: Table, old: Game, table: Table, by: By) -> Agreement:
    """The result of a statement about a proposal. If the act is repeated, `before` is the present table."""
    voters, was, open_ = who_decides(before, old), open_motion(before, act.what), open_motion(table, act.what)
    if isinstance(act, (Propose, AskForSeat)):
        was = act.proposal(before, by)
    proposal = open_ or was or Motion(act.what, ())
    if isinstance(act, Object):
        return Agreement(proposal, done=False, of=len(voters), void=open_ is None)
    return Agreement(proposal.among(voters), done=open_ is None, of=len(voters))
