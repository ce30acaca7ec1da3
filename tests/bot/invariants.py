"""Works out again what must be true of every stored table: all tests check it after each write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from bot.service.repository import GameRepository
from bot.table.parts import FORGOTTEN, PACE, PAUSE, REPLACE, RESUME
from bot.table.rules import faults, seats_awaited
from bot.table.table import CANCELLED, LOBBY, RUNNING, Table, seatings
from bot.table.waiting import timed
from engine.actions import Expire
from engine.game import Game

BROKEN: list[str] = []
"""The problems found since this list was last read."""
_KNOWN = dict[tuple[GameRepository, int], Table]()
"""Each table of the current test as it was stored last, by repository and number."""


def watch(found: Callable[[str], None] = BROKEN.append) -> None:
    """From now on, check each table as soon as any repository in this process stores it. `found` gets each problem."""
    stored = GameRepository._stored

    def looked_at(self: GameRepository, table: Table, game: Game | None = None) -> Table:
        table = stored(self, table, game)
        before, _KNOWN[self, table.number] = _KNOWN.get((self, table.number)), table
        current = game
        if current is None and not self._store.shared:  # elsewhere another process can have played on
            current = self._cache.game(table.number)
        wrong = problems(table, current)
        if current is not None and not _unlooked(before, table):
            wrong += waits_problems(table, current)
        if before is not None:
            wrong += changed(before, table)
        for text in wrong:
            found(f"table {table.number} ({table.status}, version {table.version}): {text}")
        return table

    GameRepository._stored = looked_at  # type: ignore[method-assign]


def forget() -> None:
    """Begin another test."""
    BROKEN.clear()
    _KNOWN.clear()


def problems(table: Table, game: Game | None) -> list[str]:
    """What is wrong with a table and its game; the game can be unknown (None)."""
    found = [*faults(table, game)]
    if game is not None and table.status not in (LOBBY, CANCELLED):
        found += [*_playing(table, game), *_motions(table, game)]
    elif table.status in (LOBBY, CANCELLED):
        found += _nothing_yet(table)
    return found


def changed(before: Table, table: Table) -> Iterator[str]:
    """What can't have come about from the table as it was before."""
    fresh = {*table.users} - {*before.users}
    if table.version < before.version:
        yield "its version went back"
    listed = {
        "gone": table.gone,
        "late": [missed.user for missed in table.missed],
        "voted out": [motion.absent for motion in table.motions if motion.absent],
    }
    for what, users in listed.items():
        if strange := fresh & {*users}:
            yield f"{strange} have just sat down and are {what}"
    used, now = dict(before.on_leave), dict(table.on_leave)
    for old, new in zip(before.users, table.users, strict=False) if table.status != LOBBY else ():
        if new < FORGOTTEN and now.get(new, 0.0) < used.get(old, 0.0):
            yield f"the vacation that {old} has used is forgotten"


def _unlooked(before: Table | None, table: Table) -> bool:
    """Whether the game can be of a release that didn't store whom a game waits for."""
    return not table.waits and (before is None or (before.status == RUNNING and not before.waits))


def _nothing_yet(table: Table) -> Iterator[str]:
    """What a lobby has although it belongs to a game."""
    for name in ("on_leave", "missed", "paused", "motions", "handovers", "gone"):
        if getattr(table, name):
            yield f"a lobby has {name}"
    for name in ("news", "wishes", "acted"):
        if getattr(table, name):
            yield f"a lobby has {name}"


def _playing(table: Table, game: Game) -> Iterator[str]:
    """What is stored about people who can have no such thing, or twice."""
    users, resigned = table.users, game.state.resigned
    if len(users) != game.config.players:
        yield "there are more or fewer members than seats"
    playing = _people(table, game)
    left = [user for place, user in enumerate(users) if not resigned >> game.state.order.index(place) & 1]
    listed: dict[str, tuple[Iterable[int], list[int]]] = {
        "gone": (table.gone, playing),
        "missed": ((missed.user for missed in table.missed), [*users]),
        "on leave": ((user for user, _ in table.on_leave), [*users]),
        "a stop": ((stop.user for stop in table.stops), [0, *users]),
        "a wish": ((wish.user for wish in table.wishes), [*users]),
        "a vote to replace": ((motion.absent for motion in table.motions if motion.absent), playing),
        "a vote": ((user for motion in table.motions for user in (*motion.ayes, *motion.noes)), left),
    }
    for what, (whose, possible) in listed.items():
        if strange := {*whose} - {*possible}:
            yield f"{what} of {strange}, who can have none"
    for place, user in enumerate(users):
        if (taken := seatings(table, place)) and taken[-1].user != user:
            yield f"{user} sits where {taken[-1].user} has sat down last"
    for offered in table.handovers:
        if offered.to in users:
            yield f"a seat is offered to {offered.to}, who has one"
        if resigned >> game.state.order.index(offered.place) & 1:
            yield f"the seat at place {offered.place} is offered, and has resigned"
    replaced = {member.user for member in table.members if member.is_person and member.level} & {*left}
    if table.status == RUNNING and {one.user for one in table.absences} != replaced:
        yield f"{table.absences} are absent, and bots play for {replaced}"
    several: dict[str, list[Any]] = {
        "seats offered": [offered.place for offered in table.handovers],
        "people asked": [offered.to for offered in table.handovers if offered.to],
        "wishes": [wish.user for wish in table.wishes],
        "motions": [motion.about for motion in table.motions],
    }
    for what, values in several.items():
        if len(set(values)) < len(values):
            yield f"one of {what} is there twice: {values}"


def _motions(table: Table, game: Game) -> Iterator[str]:
    """Motions that should be settled by now, or make no sense."""
    deciding = _people(table, game, only_present=False)
    if table.status != RUNNING:
        return
    for motion in table.motions:
        kind, voters = motion.kind, [user for user in deciding if user != motion.absent]
        ayes, still = (sum(user in group for user in voters) for group in (motion.ayes, {*voters} - {*motion.noes}))
        enough = 2 * still >= len(voters) if kind == RESUME else 2 * still > len(voters)
        if {*motion.ayes} & {*motion.noes}:
            yield f"somebody is for and against {kind}"
        if 2 * ayes > len(voters):
            yield f"{kind} is agreed on and not done"
        if not enough:
            yield f"{kind} can't be agreed on and stands open"
        if not motion.ayes and not motion.newcomer:
            yield f"nobody wants {kind}"
        if motion.newcomer in table.users:
            yield f"{motion.newcomer} wants a seat and has one"
        if motion.newcomer and not table.members[motion.place].level:
            yield f"the seat at place {motion.place} is wanted, and no computer plays there"
        if motion.newcomer and table.members[motion.place].user in deciding:
            yield f"the seat at place {motion.place} is wanted, and its owner can still come back"
        if (kind == PAUSE and table.paused) or (kind == RESUME and not table.paused):
            yield f"{kind} is proposed although it is so"
        if kind == PACE and (motion.pace, motion.expiry) == (table.options.pace, table.options.expiry):
            yield "the pace that is proposed is the one there is"
        if kind == REPLACE and (len(voters) < 2 or motion.absent in motion.ayes):
            yield f"{motion.absent} is voted on by too few, or by themselves"


def waits_problems(table: Table, game: Game) -> Iterator[str]:
    """Waits and deadlines that differ from what follows from the game."""
    if table.status != RUNNING:
        return
    step = game.state.agenda[-1]
    limited = Expire in game.rules.referee.get(type(step), {})
    worked_out = timed(table, game, float("inf"))
    if (worked_out.waits, worked_out.deadline) != (table.waits, table.deadline):
        yield f"times are {table.waits}, {table.deadline}, and not {worked_out.waits}, {worked_out.deadline}"
    if limited != (table.deadline is not None):
        yield "a window has no deadline" if limited else "a deadline and no window"
    if table.deadline is not None and table.deadline.serial != step.serial:
        yield "the deadline is of another decision"
    expected = set() if limited else seats_awaited(game)
    waits = {(wait.seat, wait.serial, wait.offer) for wait in table.waits}
    if waits != expected:
        yield f"it waits for {sorted(waits)} and not for {sorted(expected)}"
    for wait in table.waits:
        limited = bool(table.options.pace) and not table.member_at(game, wait.seat).level
        if limited != (wait.until is not None):
            yield f"seat {wait.seat} has {'no time' if limited else 'a time'} for a decision"
        if wait.until is not None and wait.until < wait.since:
            yield f"the time of seat {wait.seat} is over before it begins"


def _people(table: Table, game: Game, *, only_present: bool = True) -> list[int]:
    """Users who play for themselves: no bot does, and they haven't resigned. Not `only_present`: also those for whom a
    bot has played for less than days."""
    seats: list[tuple[int, Any]] = [(seat, table.member_at(game, seat)) for seat in range(game.config.players)]
    people = [m for seat, m in seats if m.is_person and not game.state.resigned >> seat & 1]
    away = [one.user for one in table.absences if only_present or one.over]
    return [m.user for m in people if not m.level or not (only_present or m.user in away or m.user >= FORGOTTEN)]
