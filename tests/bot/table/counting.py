"""A desk that keeps which decisions counted as prompt or late."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.table.act import Act
from bot.table.promptness import Decided, Promptness
from bot.table.rules import Next
from engine.game import Game
from tests.bot.table.desk import Desk


@dataclass
class Counting(Desk):
    """A desk that keeps which decisions counted."""

    decided: list[Decided] = field(default_factory=list)

    def act(self, user: int, act: Act, dealt: Game | None = None, *, manages: bool = False) -> Next:
        outcome = super().act(user, act, dealt, manages=manages)
        self.decided += outcome.decided
        return outcome

    @property
    def counted(self) -> list[tuple[int, Promptness]]:
        """The decisions since this was last asked: whose, and how fast."""
        found = [(one.user, one.promptness) for one in self.decided]
        self.decided.clear()
        return found
