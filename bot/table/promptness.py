"""How fast people decide, as all can see it: which of their decisions count, and what these say of them together.

A decision begins when all see the game wait for a person's seat (`Wait.since`), and ends with the first action of the
seat that all can notice. Time that stood still for everyone doesn't count (`shared_stops`). The rest of what a seat
does until the game waits for others is no decision of its own: it follows within moments, and would hide how long the
others have waited. If the time of a decision runs out, the decision counts as late, at that moment and only once.

Nothing secret goes in:

- An autopilot's action counts like the person's own.
- Quiet hours and zones matter nowhere. Vacation isn't subtracted. It does make the deadline later, which all see, so a
  decision before that deadline is in time.
- Actions that others don't notice, and answers in a window with its own time limit, don't count.

What else can happen in between:

- After an undo, and after an answer or offer to the player on turn, the game waits again: the decision begins then. It
  isn't counted twice for a player who undoes their own action.
- Votes and resigning decide nothing that the game waits for. A decision in which a player votes isn't counted, unless
  it is late.
- For a player who has taken a seat, or taken it back from a bot, a decision begins with that. What a bot does in a
  person's seat doesn't count, nor does a decision that ends in any other way, for example with the game.
- A player who is alone with bots keeps no one waiting: nothing counts while no other person plays.
- If the turn timer changes, decisions begin again, and count by the new timer.
- Time in the archive stands still, and times that start over because a game was out of reach do so here, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

from bot.table.options import DAY, HOUR
from bot.table.reminders import has_acted
from bot.table.seats import who_plays
from bot.table.table import Table, shared_stops
from bot.table.time import Wait, run
from bot.table.waiting import decisions
from engine.game import Game

SHORTEST_TIMER = DAY
"""Seconds that the turn timer must have for decisions to count: where people play at the same time, all are fast."""


class Promptness(StrEnum):
    """How fast a decision was, and how fast a person usually is, in five classes."""

    HOUR = "hour"
    HOURS = "hours"
    DAY = "day"
    LONGER = "longer"
    LATE = "late"
    """The turn timer ran out; of a person: it often does."""


LIMITS = {Promptness.HOUR: HOUR, Promptness.HOURS: 6 * HOUR, Promptness.DAY: DAY}
"""Most seconds of a decision in each class that has a limit."""
LEAST_DECISIONS, LEAST_GAMES = 20, 2
"""How many decisions, in how many games, it takes to say anything of a person."""
OFTEN_LATE = 5
"""A person often runs out of time if one in so many of their decisions is late."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision of a person that counts."""

    user: int
    promptness: Promptness


@dataclass(frozen=True, slots=True)
class Tally:
    """How many decisions of a person there were of each class (those missing: none), and in how many games."""

    decisions: dict[Promptness, int]
    games: int

    @property
    def promptness(self) -> Promptness | None:
        """The person's class: that of their median decision, unless they often run out of time. None: there are too few
        decisions to say. A late decision is slower than all others."""
        *in_time, late = (self.decisions.get(one, 0) for one in Promptness)
        all_in_all = sum(in_time) + late
        if all_in_all < LEAST_DECISIONS or self.games < LEAST_GAMES:
            return None
        if OFTEN_LATE * late >= all_in_all:
            return Promptness.LATE
        reached = zip(Promptness, accumulate(in_time), strict=False)
        return next((one for one, so_far in reached if 2 * so_far >= all_in_all), Promptness.LONGER)


def counts_at(table: Table) -> bool:
    """Whether it matters at a table how fast people decide. Tables in direct messages have no server to count for."""
    return table.guild is not None and table.options.pace >= SHORTEST_TIMER


def decided(before: Table, old: Game, table: Table, game: Game, acted: int, now: float) -> Iterator[Decided]:
    """The decisions that count and ended with an act, which led from one table and game to the other at that time.

    `acted`: the seat that acted, if all could notice; else `REFEREE`.
    """
    if not counts_at(before) or len(who_plays(before, old)) < 2:
        return
    for wait in decisions(before):
        member = before.member_at(old, wait.seat)
        if not member.is_person or member.level or wait.over or wait.ran_out:
            continue
        if _ran_out(before, old, table, wait):
            yield Decided(member.user, Promptness.LATE)
        elif wait.seat == acted and not has_acted(before, member.user, wait.seat) and _is_answer(old, game, acted):
            seconds = run(wait.since, now, shared_stops(before, wait.since))
            yield Decided(member.user, _class_of(seconds))


def _ran_out(before: Table, old: Game, table: Table, wait: Wait) -> bool:
    """Whether the time of a wait has just run out, and all know it."""
    user = before.user_at(old, wait.seat)
    times, times_before = (sum(late.times for late in one.missed if late.user == user) for one in (table, before))
    return times > times_before or any(other.over and other.asks == wait.asks for other in table.waits)


def _is_answer(old: Game, game: Game, seat: int) -> bool:
    """Whether all could notice what a seat has just done, and it isn't something that is possible at any time."""
    if game.public_revision == old.public_revision:
        return False
    done = game.records[old.revision]
    return done.actor == seat and type(done.action) not in game.rules.anytime


def _class_of(seconds: float) -> Promptness:
    return next((one for one, most in LIMITS.items() if seconds <= most), Promptness.LONGER)
