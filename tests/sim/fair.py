"""Whether people's time is counted fairly: no one's time runs while no process serves the game, and no one is late who
could not act until just now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from bot.store import Change
from bot.table.table import Table
from bot.table.time import Wait
from bot.table.waiting import WINDOW
from engine.actions import DecideFor, Expire
from engine.game import Game
from engine.record import REFEREE, Record
from tests.sim import clocks, saves
from tests.sim.town import Town
from tests.sim.weather import Weather

ROUNDED = 3.0
"""Seconds by which times can differ: clocks differ by up to a second, and time passes between a look and its commit."""
COUNTED = 14.0
"""Seconds without any process that count as absence if several can exist."""
SLOWEST = 120.0
"""Seconds that a commit can take. A change that seems older was made by another clock."""
COMING_BACK = 290.0
"""Seconds that people have at least to come back after they couldn't act."""


class _Key(NamedTuple):
    """Names a wait, or with the seat `WINDOW` that of all in a window. Within a step there can be several decisions: a
    settlement, and then its road."""

    game: int
    seat: int
    serial: int
    what: str
    offer: bool


@dataclass(frozen=True)
class _Known:
    """A time that runs: how much of it was left when it was last stored."""

    since: float
    """When the wait was first seen, in seconds of the universe."""
    begun: float
    """When it began, by the clock of its process."""
    noted: float
    """When it was last stored, in the same seconds."""
    at: float
    """When that was, by the clock of its process."""
    served: float
    gone: float
    """For how long no process had run by then, and how far the clock had been set ahead."""
    left: float
    full: float
    """The most that was left of it."""
    pace: int


class Fair:
    """Works out how much time each player must have left, from what the town knows of its machines."""

    name = "no one's time runs while it must not"

    def __init__(self, town: Town, weather: Weather) -> None:
        self.town, self.weather = town, weather
        self._known = dict[_Key, _Known]()
        self._gone = 0.0
        """Seconds in which no process ran."""
        self._dead: float | None = None
        for machine in town.machines:
            machine.told = self._told
        saves.listen(self._saved)

    def _told(self) -> None:
        """Note that a machine has started or died."""
        now, alive = self.town.universe.now, any(machine.alive for machine in self.town.machines)
        if not alive and self._dead is None:
            self._dead = now
        elif alive and self._dead is not None:
            gap, self._dead = now - self._dead, None
            if len(self.town.machines) == 1 or gap >= COUNTED:
                self._gone += gap

    @property
    def _served(self) -> float:
        return self.town.universe.now - self._gone

    @property
    def _skipped(self) -> float:
        """Seconds that have passed on the calendar, and don't count; vacations end by the calendar."""
        return self._gone + self.town.time - clocks.EPOCH - self.town.universe.now

    def _saved(self, change: Change, game: Game | None) -> None:
        """Look at a change that was just stored."""
        table, decided = change.table, set(_decided_for(change))
        age = self.town.time - change.at  # its process can have stood still since
        age = age if 0.0 < age < SLOWEST else 0.0
        waits = {_key(table, wait): wait for wait in (*table.waits, *_window(table)) if wait.until is not None}
        before = {key: known for key, known in self._known.items() if key.game == table.number}
        for key, known in before.items():
            wait = waits.get(key)
            late = key.seat in decided and not key.offer if wait is None else wait.over
            left = 0.0 if late or wait is None or wait.until is None else wait.until - change.at
            if late or (wait is not None and table.options.pace == known.pace and not table.paused):
                user = -1 if game is None or key.seat == WINDOW else table.user_at(game, key.seat)
                away = _was_on_leave(table, user, known.at, change.at)
                if not self.town.rests.has_changed(user, known.noted):  # the end can have moved, to either side
                    self._compare(table, key, known, left, age, late=late, away=away)
            del self._known[key]
        served = self._served - age
        for key, wait in waits.items():
            if not wait.over and not table.paused:
                assert wait.until is not None
                last, now, left = before.get(key), self.town.universe.now, wait.until - change.at
                goes_on = last is not None and last.begun == wait.since
                since = last.since if last is not None and goes_on else now
                full = max(left, last.full if last is not None and goes_on else 0.0)
                self._known[key] = _Known(
                    since, wait.since, now, change.at, served, self._skipped, left, full, table.options.pace
                )

    def _compare(
        self, table: Table, key: _Key, known: _Known, left: float, age: float, *, late: bool, away: bool
    ) -> None:
        """Compare what is left of a time with what must be. `away`: a vacation had stopped it already."""
        must = known.left - (self._served - known.served) - away * max(self._skipped - known.gone, 0.0)
        if left < must - ROUNDED and must > 0.0:  # an end that has passed stays where it was
            self._wrong(
                table, f"seat {key.seat} {'is late' if late else 'has ' + str(left)}, and must have {must:.1f} s"
            )
        lost, decided = self.weather.lost, self.town.universe.now - age  # what comes later, no one could know
        if late and known.since < lost < decided < lost + min(COMING_BACK, known.full) - ROUNDED:
            self._wrong(table, f"seat {key.seat} is late, and could not act until {decided - lost:.1f} s before")

    def _wrong(self, table: Table, what: str) -> None:
        self.town.universe.wrong(self.name, f"game {table.number}, {self.town.universe.now:.1f}: {what}")


def _key(table: Table, wait: Wait) -> _Key:
    return _Key(table.number, wait.seat, wait.serial, wait.what, wait.offer)


def _window(table: Table) -> Iterator[Wait]:
    if table.window is not None and table.deadline is not None:
        yield Wait(WINDOW, table.deadline.serial, table.window[1], table.deadline.at)


def _was_on_leave(table: Table, user: int, since: float, now: float) -> bool:
    """Whether a user's vacation stopped their time at some moment."""
    return any(stop.user == user and stop.begin < now and since < stop.end for stop in table.stops)


def _decided_for(change: Change) -> Iterator[int]:
    """The seats for which the referee has decided first in their turn, or ended the window."""
    for _, actor, data in change.records:
        action = Record.from_json(data).action if actor == REFEREE else None
        if isinstance(action, DecideFor | Expire):
            yield action.seat if isinstance(action, DecideFor) else WINDOW
