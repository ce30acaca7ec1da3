"""A table without a store, a clock or Discord: acts are done one by one, and the table must be right after each.

    desk = Desk.at(position(seat(hand="b"), seat(), seat(), on_turn=1), pace=DAY)
    desk.agree(PAUSE)
    desk.now += HOUR
    assert desk.refused(BOB, Play(EndTurn())) == "paused"

Without a seed, all sit in the order of joining: Ann, who is the host, has the first seat, and Bob the second. The
clock moves only when a test moves it, so times are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Self

import pytest

from bot.table.act import Act, By
from bot.table.acts import lobby
from bot.table.acts.lobby import AddComputer, Join, Start, config_of
from bot.table.acts.motions import Agreement, MotionAct, Propose, agreement
from bot.table.acts.options import SetOptions
from bot.table.acts.orders import CarryOut, GiveOrders
from bot.table.acts.play import COMPUTER, PERSON, Play
from bot.table.acts.seats import Replace
from bot.table.acts.waiting import LookAfter, RefreshTimes
from bot.table.preferences import UserSettings
from bot.table.reminders import next_look
from bot.table.rules import Next, concerned, play
from bot.table.seats import who_decides, who_plays
from bot.table.table import People, Table, by_present_clock
from bot.table.time import Interval, Wait
from bot.table.waiting import AWAY, decisions
from engine.actions import Action
from engine.autoplay import default_action
from engine.chance import Chance, SeededChance
from engine.config import Config
from engine.errors import RefereeError
from engine.game import Game
from tests.bot.invariants import changed, problems, waits_problems
from tests.bot.oracle import Deed, folded
from tests.engine import builder

NAMES = {11: "Ann", 12: "Bob", 13: "Cem", 14: "Dot", 15: "Eve", 16: "Fay"}
ANN, BOB, CEM, DOT, EVE, FAY = NAMES
MINUTE, HOUR, DAY = 60, 3600, 86_400
BEGIN = 1_000_000.0
"""The time when a desk opens, in seconds."""


@dataclass
class Desk:
    """The present table, its game, people's settings, and the present time."""

    table: Table
    game: Game | None = None
    now: float = BEGIN
    settings: dict[int, UserSettings] = field(default_factory=dict)
    deeds: list[Deed] = field(default_factory=list)
    """What was done since something else has changed the table."""

    @classmethod
    def lobby(cls, *users: int, computers: int = 0, **options: Any) -> Self:
        """A table in the lobby; the first user is its host."""
        host, *guests = users
        by = By(host, BEGIN, interaction="i0")
        table = replace(lobby.new_lobby(1, 5, Config(colors=()), Join(NAMES[host]), by), number=1, changes=1)
        desk = cls(table)
        desk.act(host, SetOptions({"shuffle_seats": False, **options}))
        for user in guests:
            desk.act(user, Join(NAMES[user]))
        for _ in range(computers):
            desk.act(host, AddComputer("easy"))
        return desk

    @classmethod
    def of(cls, *users: int, seed: int | None = None, computers: int = 0, **options: Any) -> Self:
        """A game at its first placement. With a `seed`, seats are shuffled and draws are random, not the plainest."""
        chosen = {"target": 20, "shuffle_seats": seed is not None, **options}
        desk = cls.lobby(*users, computers=computers, **chosen)
        chance: Chance = builder.Script()
        if seed is not None:
            chance = SeededChance(bytes([seed]) * 32, "1", ("closing",))
        return desk.start(Game.new(config_of(desk.table), chance))

    @classmethod
    def at(cls, position: builder.Table | None = None, *, computers: int = 0, **options: Any) -> Self:
        """A game in a position, by default in the first turn, which is Ann's; bots have the last seats."""
        game = (position or builder.table()).game
        people = [*NAMES][: game.config.players - computers]
        return cls.lobby(*people, computers=computers, scenario=game.config.scenario, **options).start(game)

    def start(self, dealt: Game) -> Self:
        """Let the host start a game that was dealt."""
        self.act(self.table.host, Start("closing"), dealt)
        return self

    @property
    def people(self) -> People:
        return People({**self.settings})

    @property
    def played(self) -> Game:
        """The game; fails if it hasn't begun."""
        assert self.game is not None
        return self.game

    @property
    def playing(self) -> tuple[int, ...]:
        """Users who play their seats themselves."""
        return who_plays(self.table, self.played)

    @property
    def wait(self) -> Wait:
        """The one decision that the game waits for."""
        [wait] = decisions(self.table)
        return wait

    @property
    def awaited(self) -> int:
        """The user who owes that decision."""
        return self.table.user_at(self.played, self.wait.seat)

    @property
    def left(self) -> float:
        """Seconds until the time of that decision is over, if nothing else stops it."""
        assert self.wait.until is not None
        return self.wait.until - self.now

    def seat(self, user: int) -> int:
        """The user's seat in the game."""
        seat = self.table.seat_of(self.played, user)
        assert seat is not None
        return seat

    def act(self, user: int, act: Act, dealt: Game | None = None, *, manages: bool = False) -> Next:
        """Do an act of a user, who can be one who manages the channel, and check the table. If the act is refused,
        raises its error and changes nothing."""
        before, old = by_present_clock(self.table), self.game if concerned(act, self.table) else None
        game, by = old.copy() if old is not None else dealt, By(user, self.now, self.people, "i", manages)
        outcome = play(before, old, game, act, by)
        if self.deeds and self.deeds[-1].after != before:
            self.deeds.clear()
        self.deeds.append(Deed.of(before, old, act, by, outcome))
        self.table = replace(outcome.table, changes=before.changes + 1)
        self.game = outcome.game or self.game
        faults = [*problems(self.table, self.game), *changed(before, self.table)]
        if self.game is not None:
            faults += waits_problems(self.table, self.game)
        assert not faults, (act, faults)
        assert outcome.table.version - before.version == bool(outcome.due)
        return outcome

    def refused(self, user: int, act: Act, *, manages: bool = False) -> str:
        """The key of the error by which an act is refused."""
        with pytest.raises(RefereeError) as caught:
            self.act(user, act, manages=manages)
        return caught.value.key

    def say(self, user: int, act: MotionAct) -> Agreement:
        """Do a user's proposal, or their vote on one. Returns how the proposal stands after it."""
        before, old = self.table, self.played
        self.act(user, act)
        return agreement(act, before, old, self.table, By(user, self.now))

    def agree(self, what: str, **wanted: Any) -> None:
        """Let one player after another propose a motion until it holds."""
        for user in self.playing:
            if self.say(user, Propose(what, **wanted)).done:
                return
        raise AssertionError("they don't agree")

    def play(self, user: int, action: Action) -> Next:
        """Do a user's action in the game."""
        return self.act(user, Play(action))

    def order(self, user: int, **changes: Any) -> Next:
        """Change a user's orders."""
        return self.act(user, GiveOrders(changes))

    def carry_out(self, user: int) -> list[Action | None]:
        """Carry out a user's orders. Returns the actions that were done."""
        before = self.played.revision
        self.act(0, CarryOut(self.seat(user)))
        records = self.played.records[before:]
        assert all(record.actor == self.seat(user) for record in records)
        return [record.action for record in records]

    def go_away(self, user: int) -> None:
        """Let a user have a bot play for them, and be away until the others decide without them."""
        self.act(user, Replace(user))
        self.now += AWAY
        self.look()
        assert user not in who_decides(self.table, self.played)

    def plain(self, times: int = 1) -> None:
        """Let the first player whom the game waits for do the plainest action; that many times."""
        for _ in range(times):
            seat = self.played.to_act[0]
            member = self.table.member_at(self.played, seat)
            action = default_action(self.played.state, seat, self.played.options(seat))
            self.act(member.user, Play(action, how=COMPUTER if member.level else PERSON))

    def until(self, reached: Callable[[Game], bool]) -> None:
        """Let all do the plainest actions until the game reaches a position for which `reached` holds."""
        for _ in range(2000):
            if reached(self.played):
                return
            self.plain()
        raise AssertionError("no such position")

    def until_on(self, user: int) -> None:
        """Do the same until it's the user's turn and the game waits only for them."""
        self.until(lambda game: game.to_act == (self.seat(user),) and game.state.on_turn == self.seat(user))

    def choose(self, user: int, **choices: Any) -> None:
        """Change a user's choices for all their games."""
        old = self.settings.get(user, UserSettings(user))
        self.settings[user] = replace(old, choices=replace(old.choices, **choices))

    def leave(self, user: int, begin: float, end: float) -> Next:
        """Let a user choose a vacation; `begin` and `end` are in seconds from now."""
        return self._away(user, (self.now + begin, self.now + end))

    def back(self, user: int) -> Next:
        """Let a user come back from vacation, or cancel one that hasn't begun."""
        begin, end = self.settings[user].choices.vacation or (self.now, self.now)
        return self._away(user, (begin, min(end, self.now)) if begin < self.now else None)

    def _away(self, user: int, vacation: Interval | None) -> Next:
        self.choose(user, vacation=vacation)
        return self.act(user, RefreshTimes())

    def look(self, **seen: Any) -> Next:
        """Look whether anything of the game is due, and do it."""
        return self.act(0, LookAfter(**seen))

    def down(self, seconds: float) -> None:
        """Let the process be away for that many seconds; if negative, set its clock back by as many."""
        begin, self.now = self.now, self.now + seconds
        if seconds < 0:  # downtime that was noted moves with the clock, as in the store
            noted = tuple((a + seconds, b + seconds) if a < b else (a, b) for a, b in self.table.downtime)
            self.table = replace(self.table, downtime=noted)
        self.table = replace(self.table, downtime=(*self.table.downtime, (begin, self.now)))

    @property
    def next_look(self) -> float | None:
        """When something of the game is due next; None if nothing is."""
        return None if self.game is None else next_look(self.table, self.game, self.people, self.now)

    def folded(self) -> Table:
        """The table that results from doing the same again."""
        return folded(self.deeds, self.table.config, self.game.records if self.game is not None else [])

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and do everything at the moment when it is due."""
        end = self.now + seconds
        for _ in range(200):
            at = self.next_look
            if at is None or at > end:
                break
            self.now = max(self.now + 1, at)
            self.look()
        self.now = max(self.now, end)
