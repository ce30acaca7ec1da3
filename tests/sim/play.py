"""One universe from its beginning to its end: what a plan brings happens to a town, and what must hold is asked."""

from __future__ import annotations

import asyncio
import gc
import logging
import tempfile
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from simloom._context import current_host

from bot import languages
from tests.sim import clocks, saves, stand_ins
from tests.sim.ahead import play_ahead
from tests.sim.checks import Answers, Checks
from tests.sim.loop import Universe
from tests.sim.people import Player
from tests.sim.plan import DAY, HOUR, Plan
from tests.sim.secrets.canaries import Canaries
from tests.sim.secrets.times import Course, Recorder, comparable, compared, in_a_fork, lived_again
from tests.sim.town import Town
from tests.sim.weather import Weather

ERRORS = "no error is logged"


@dataclass(frozen=True)
class Result:
    """What has come of a plan."""

    seed: int
    problems: tuple[str, ...]
    digest: str
    simulated: float = 0.0
    """Seconds of simulated time."""
    acts: int = 0
    """How many things people have done."""
    told: int = 0
    """How many actions were answered."""
    real: float = 0.0
    """Seconds of real time."""
    twice: bool | None = None
    """Whether two worlds could be compared that differ only in a secret; None: there was only one."""
    last: tuple[str, ...] = ()
    """The end of the log."""


class _Logged(logging.Handler):
    """Puts what the processes log into the log of the universe."""

    def __init__(self, universe: Universe) -> None:
        super().__init__(logging.INFO)
        self._universe = universe
        self.calm: Callable[[], bool] = lambda: True
        """Whether nothing happens that a host would be told of."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = record.getMessage()
        except Exception:
            self.handleError(record)
            return
        self._universe.log(f"log {record.levelname} {record.name}: {text}")
        unhandled = record.name == "asyncio"
        if current_host.get() is None:  # Discord's server, to which a machine has died
            if unhandled and record.levelno >= logging.ERROR:
                self._universe.wrong("the simulation goes on", f"{text} {self.trace(record)}")
            return
        if record.name == languages.__name__:
            self._universe.wrong("all that is said can be translated", text)
        if record.levelno >= logging.ERROR and (record.exc_info or unhandled or self.calm()):
            self._universe.wrong(ERRORS, f"{record.name}: {text} {self.trace(record)}")

    def handleError(self, record: logging.LogRecord) -> None:
        """Note a line that can't be written; who logs it doesn't hear of that."""
        self._universe.wrong(ERRORS, f"{record.name}: {record.msg!r} doesn't fit {record.args!r}, line {record.lineno}")

    def trace(self, record: logging.LogRecord) -> str:
        """The traceback of a line."""
        return logging.Formatter().formatException(record.exc_info) if record.exc_info else ""


def play(plan: Plan, tell: Callable[[str], None] | None = None) -> Result:
    """Let it happen; twice, if the plan has a secret to compare."""
    if not plan.secret:
        return _play(plan, tell)[0]
    first: tuple[Result, Course] | None = in_a_fork(lambda: _play(plan))
    if first is None:
        return Result(plan.seed, ("the simulation goes on: the first world died",), "")
    result, course = first
    second, again = _play(plan, tell, course)
    problems = (*result.problems, *second.problems, *compared(course, again))
    twice = comparable(course, again) > 0
    return replace(result, problems=problems, digest=second.digest, real=result.real + second.real, twice=twice)


def _play(plan: Plan, tell: Callable[[str], None] | None = None, first: Course | None = None) -> tuple[Result, Course]:
    """Let it happen. `first`: what people did in another world, and do again."""
    began = clocks.REAL()
    stand_ins.look_every(5.0 if plan.seconds < 6 * HOUR else 60.0 if plan.seconds < DAY else 120.0)
    saves.begin_again()
    universe = Universe(plan.seed, tell)
    handler = _Logged(universe)
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    root.handlers[:] = [handler]
    acts, told, end, course = 0, 0, 0.0, Course()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:

        async def main(universe: Universe) -> None:
            nonlocal acts, told, end, course
            async with Town(universe, plan, Path(folder)) as town:
                if first is None:
                    acts, told, course = await _lived(town, handler)
                else:
                    course = await lived_again(town, first, plan.secret)
                end = universe.now
                gc.collect()  # only now some tasks say that they have failed, and those of dead machines say nothing

        try:
            universe.run(main)
        except Exception as error:
            universe.wrong("the simulation goes on", "".join(traceback.format_exception(error)))
    root.handlers.clear()
    real, last = clocks.REAL() - began, tuple(universe.lines[-60:])
    return Result(plan.seed, tuple(universe.problems), universe.digest, end, acts, told, real, last=last), course


async def _lived(town: Town, handler: _Logged) -> tuple[int, int, Course]:
    canaries = Canaries(town)
    try:
        await town.begin()
    except TimeoutError as late:  # nothing has gone wrong outside yet
        town.universe.wrong(Answers.name, f"the games can't begin: {str(late).splitlines()[0]}")
        raise
    if town.plan.ahead:
        await play_ahead(town)
    begun = town.universe.now
    weather = Weather(town)
    handler.calm = weather.calm
    players = [
        Player(town, game, person, habit)
        for game in town.games
        for person, habit in zip(game.people, town.plan.habits, strict=True)
    ]
    tasks = [asyncio.create_task(player.live()) for player in players]
    checks = Checks(town, weather, players, canaries)
    recorder = Recorder(town, canaries) if town.plan.secret else None
    if recorder is not None:
        stored = await town.games[0].read()
        recorder.course.past, recorder.course.config = stored.records[:], stored.table.config
    tasks.append(asyncio.create_task(weather.go_on(begun)))
    tasks.append(asyncio.create_task(checks.keep_looking(town.pause)))
    while town.universe.now - begun < town.plan.seconds and town.acts < town.plan.acts:
        await asyncio.wait(tasks, timeout=town.plan.seconds / 200, return_when=asyncio.FIRST_EXCEPTION)
        if any(task.done() and task.exception() for task in tasks):
            break
    for task in tasks:
        if task.done() and (error := task.exception()):
            raise error
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks, return_exceptions=True)
    course = recorder.end() if recorder is not None else Course()
    await asyncio.sleep(150.0)
    await checks.look_closely()
    return town.acts, checks.once.told, course
