"""An action of the game itself, no matter who does it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.table.act import By, GameAct
from bot.table.parts import Member
from bot.table.reminders import with_last_action
from bot.table.table import Table
from engine.actions import Action, AgreeToCallOff, AgreeToEnd, Resign, SetStanding
from engine.errors import RefereeError
from engine.game import Game
from engine.record import REFEREE

VOTES = (AgreeToEnd, AgreeToCallOff)
WHILE_PAUSED = (SetStanding, Resign, *VOTES)
"""Actions that are possible while a game is paused."""
PERSON, COMPUTER, ORDER = "person", "computer", "order"
"""Who acts in a seat: its owner, a bot in their place, or their autopilot."""


@dataclass(frozen=True, slots=True)
class Play(GameAct):
    """Play an action in a user's seat. `decision`: the one it answers, as `Game.decision` gives it; None: any.

    Codes: "paused", "not-playing", "replaced", "stale", and those of `IllegalAction`.
    """

    kind = "play"
    action: Action
    decision: str | None = None
    how: str = PERSON
    plays = True

    @property
    def notifies_later(self) -> bool:
        return self.how == COMPUTER

    @property
    def is_vote(self) -> bool:
        return isinstance(self.action, VOTES)

    def during(self, table: Table, game: Game, by: By) -> Table:
        if table.paused and not isinstance(self.action, WHILE_PAUSED):
            raise RefereeError("paused")
        seat, before = table.seat_of(game, by.user), game.public_revision
        if seat is None:
            raise RefereeError("not-playing")
        if not self._is_up_to_them(table, table.member_at(game, seat)):
            raise RefereeError("replaced")
        if self.decision not in (None, game.decision(seat)):
            raise RefereeError("stale")
        secret = self.is_secret(game)
        game.play(seat, self.action)
        if game.public_revision == before or secret:
            return table
        return with_last_action(table, by.user, game.public_revision, by.at, in_person=self.how == PERSON)

    def _is_up_to_them(self, table: Table, member: Member) -> bool:
        """Whether the one who acts can do it: a player, or a bot in their place. A bot doesn't vote for a person who
        still has a say; they can do that themselves."""
        if isinstance(self.action, VOTES) and member.is_person:
            return table.has_say(member) == (self.how != COMPUTER)
        return bool(member.level) == (self.how == COMPUTER) or isinstance(self.action, SetStanding)

    def acted(self, table: Table, game: Game, by: By) -> int:
        seat = table.seat_of(game, by.user)
        return REFEREE if seat is None or self.is_secret(game) else seat

    def is_secret(self, game: Game) -> bool:
        """Whether no one else may learn whose action it is, even if all see what follows: the last answer closes a
        window (J2, L8)."""
        return game.rules.is_quiet(game.state.agenda[-1], type(self.action))
