"""A table without a store, a clock or Discord: acts are done one after the other, and each must leave it right."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from bot.table import opening
from bot.table.act import Act, By
from bot.table.acts.lobby import Join, Start, config_of
from bot.table.acts.options import SetOptions
from bot.table.acts.play import Play
from bot.table.acts.time import Look
from bot.table.people import People
from bot.table.preferences import UserSettings
from bot.table.reminders import next_look
from bot.table.rules import Next, play
from bot.table.table import ARCHIVED, OVER, RUNNING, Table
from engine.actions import Action
from engine.chance import SeededChance
from engine.config import Config
from engine.game import Game
from tests.bot.invariants import changed, problems, waits_problems

NAMES = {11: "Ann", 12: "Bob", 13: "Cem", 14: "Dot", 15: "Eve", 16: "Fay"}
ANN, BOB, CEM, DOT, EVE, FAY = NAMES


@dataclass
class Desk:
    """The table as it is, its game, what people have chosen, and what time it is."""

    table: Table
    game: Game | None = None
    now: float = 1_000_000.0
    settings: dict[int, UserSettings] = field(default_factory=dict)

    @classmethod
    def of(cls, *users: int, seed: int = 1, **options: Any) -> Desk:
        """A running game."""
        host, *others = users
        by = By(host, 1_000_000.0, interaction="i0")
        desk = cls(replace(opening.opened(1, 5, Config(colors=()), Join(NAMES[host]), by), number=1))
        for user in others:
            desk.act(user, Join(NAMES[user]))
        desk.act(host, SetOptions({"target": 20, **options}))
        chance = SeededChance(bytes([seed]) * 32, "1", ("closing",))
        desk.act(host, Start("closing"), Game.new(config_of(desk.table), chance))
        return desk

    @property
    def people(self) -> People:
        return People(self.settings)

    def act(self, user: int, act: Act, dealt: Game | None = None) -> Next:
        """Somebody does something; raises what it is refused with, and then nothing has changed."""
        before, old = self.table, self.game if act.in_game and self.table.status in (RUNNING, ARCHIVED, OVER) else None
        game = old.copy() if old is not None else dealt
        found = play(before, old, game, act, By(user, self.now, self.people, "i"))
        self.table, self.game = found.table, found.game or self.game
        wrong = [*problems(self.table, self.game), *changed(before, self.table)]
        if self.game is not None:
            wrong += waits_problems(self.table, self.game)
        assert not wrong, (act, wrong)
        assert found.table.version - before.version == bool(found.due)
        return found

    def play(self, user: int, action: Action) -> Next:
        """Somebody acts in the game."""
        return self.act(user, Play(action))

    def pass_time(self, seconds: float) -> None:
        """Time passes, and what is due is done when it is due."""
        end = self.now + seconds
        for _ in range(200):
            at = None if self.game is None else next_look(self.table, self.game, self.people)
            if at is None or at > end:
                break
            self.now = max(self.now + 1, at)
            self.act(0, Look())
        self.now = max(self.now, end)
