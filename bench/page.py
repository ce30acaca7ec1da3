"""Measures the page of a game: its size, the time to make it, and how quick it is in a browser on a slow machine.

`python -m bench.page [--games 6] [--steps 100] [--phone]`. The browser is Chromium, its processor slowed down four
times; without steps, none is needed. Opening lasts from the navigation until the first position is painted. A step is
the main thread's work for its longest frame, from the input until the frame is ready (`tests.browser.timing`). Its goal
is without the browser's collections of garbage, which come every 20 to 60 steps; with them it is there, too. The same
steps are made three times, and of each the quickest counts for the goal: a virtual machine stands still now and then,
for milliseconds that count as processor time, in any phase of any frame. Both are four times the processor time on this
machine, a step next to that of painting the whole page; and by the clock in a browser that slows itself down, which
shows what else the machine does. The time to make a page is processor time, too, next to that of a replay, and so is
the time to go on with the page of a running game, next to that of reading all of its log again.
"""

from __future__ import annotations

import argparse
import gzip
import pickle
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bench.picture import NAMES, p99
from bench.table import Row, at_most, show
from bot.export import Player, export
from bot.page import FOLLOWING, Unfolding, page
from bot.web.pages import Log, Made
from engine.actions import CallOff
from engine.chance import SeededChance
from engine.config import Config
from engine.game import Game
from engine.record import REFEREE
from engine.scenarios import SCENARIOS
from players.simulate import play_out
from tests.browser.screen import DESKTOP, PHONE, chromium
from tests.browser.timing import KINDS, anew, opened, opening, steps, timed

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Found = TypeVar("Found")

GAMES = (
    ("big-island", 8, 150),
    ("base", 2, 60),
    ("base", 4, 100),
    ("extension", 6, 150),
    ("big-islands", 6, 200),
    ("big-island", 8, 240),
)
"""Scenario, seats and turns of random games with offers."""
SLOWED = 4.0
ROUNDS = 3
"""How often the same steps are made."""
SIZE, MAKE, OPEN, STEP = 400, 300, 1000, 16
CHANGES, CHANGE, NEW = 20, 10, 30
"""Goals: kB of 150 turns with 8 seats, and milliseconds. How many changes of a running game are measured, and goals for
each: milliseconds for those who follow it, and for a page to open."""


def played(scenario: str, seats: int, turns: int) -> Game:
    """A game of random moves with offers, called off after so many turns."""
    config = Config(SCENARIOS[scenario].colors_for(seats)[:seats], scenario, target=20)
    game = Game.new(config, SeededChance(bytes(32), "7", ()))
    play_out(game, random.Random(1), turn_limit=turns, offers=True)
    if game.outcome is None:
        game.play(REFEREE, CallOff())
    return game


def players_of(game: Game) -> list[Player]:
    """Its players."""
    return [Player(name, color) for name, color in zip(NAMES, game.config.colors, strict=False)]


def file_of(game: Game) -> dict[str, Any]:
    """Its exported file."""
    return export(game, "7", bytes(32), (), players_of(game))


def making(what: str, game: Game) -> tuple[bytes, list[Row]]:
    """A game's page, and rows for its size and for the time that making it takes, next to that of a replay."""
    file = file_of(game)
    made, took = quickest(lambda: page(file))
    _, replay = quickest(lambda: Game.replay(game.config, game.records))
    size, actions = len(made) / 1000, len(game.records) - 1
    zipped = f"{len(gzip.compress(made)) / 1000:.0f} kB compressed"
    return made, [
        at_most(
            f"{what}: size", size, SIZE, "kB", f"{zipped}; {actions} actions, {1000 * size / actions:.0f} B each", 0
        ),
        at_most(f"{what}: to make", took, MAKE, "ms", f"{took / replay:.1f} x the time of a replay", 0),
    ]


def changing(what: str, game: Game) -> Iterator[Row]:
    """Rows for what each of the last changes of a running game takes: for those who follow it, and for a new reader."""
    players, end = players_of(game), game.revision - 1  # before it was called off
    logs = [Log("7", game.config, game.records[:number], players) for number in range(end - CHANGES, end + 1)]
    made = Unfolding(*logs[0])
    follow, whole, anew = list[float](), list[float](), list[float]()
    for log in logs[1:]:
        follow.append(milliseconds(partial(followed, made, log)))
        whole.append(milliseconds(lambda: Made.of(made.running().data, FOLLOWING)))
        anew.append(milliseconds(partial(Unfolding, *log)))
    reference = f"{statistics.median(anew):.0f} ms if all of the log is read again"
    yield at_most(f"{what}: a change, to follow", statistics.median(follow), CHANGE, "ms", reference)
    yield at_most(f"{what}: a change, to open", statistics.median(whole), NEW, "ms", "the rest of it, compressed")


def followed(made: Unfolding, log: Log) -> None:
    """What a worker does for a change of a game that someone follows, with what goes to it and back."""
    assert made.go_on(*pickle.loads(pickle.dumps(log))[1:])
    pickle.loads(pickle.dumps(made.course()))


def milliseconds(work: Callable[[], object]) -> float:
    """The milliseconds of processor time that some work takes."""
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


def quickest(work: Callable[[], Found]) -> tuple[Found, float]:
    """What some work gives, and the milliseconds of processor time that it took at best of three times."""
    times = []
    for _ in range(3):
        began = time.process_time()
        found = work()
        times.append(1000 * (time.process_time() - began))
    return found, min(times)


def browsing(what: str, browser: Browser, size: tuple[int, int], path: Path, count: int) -> Iterator[Row]:
    """Rows for the time to open a page, and for each kind of step."""
    clock: dict[str, list[float]] = {}
    with timed(browser, size, SLOWED) as tab:
        times = [opened(tab, path) for _ in range(3)]
        for kind in KINDS:
            clock[kind] = [took.clock for took in steps(tab, kind, count)]
    with timed(browser, size) as tab:
        work = SLOWED * statistics.median(opening(tab, path) for _ in range(5))
        remark = f"by the clock median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms"
        yield at_most(f"{what}: to open", work, OPEN, "ms", remark, 0)
        whole = SLOWED * statistics.median(took.processor for took in anew(tab))
        for kind in KINDS:
            rounds = [steps(tab, kind, count) for _ in range(ROUNDS)]
            figures = [SLOWED * took.processor for found in rounds for took in found]
            clean = [SLOWED * min(took.clean for took in same) for same in zip(*rounds, strict=True)]
            median, p90 = statistics.median(figures), sorted(figures)[int(len(figures) * 0.9)]
            remark = (
                f"slowest {max(clean):.1f} ms; with the browser's collections of garbage median {median:.1f} ms, "
                f"{median / whole:.2f} x the whole page, p90 {p90:.1f} ms, p99 {p99(figures):.1f} ms, slowest "
                f"{max(figures):.1f} ms; by the clock median {statistics.median(clock[kind]):.1f} ms, "
                f"p99 {p99(clock[kind]):.1f} ms"
            )
            yield at_most(f"{what}: {kind}, p99", p99(clean), STEP, "ms", remark)


def rows(games: int = len(GAMES), count: int = 100, size: tuple[int, int] = DESKTOP) -> Iterator[Row]:
    """Rows of the table."""
    made = {}
    for scenario, seats, turns in GAMES[:games]:
        what = f"page: {scenario}, {seats} seats, {turns} turns"
        game = played(scenario, seats, turns)
        made[what], found = making(what, game)
        yield from found
        yield from changing(what, game)
    if not count:
        return
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        yield Row("page: in the browser", "not measured", "needs Chromium and the environment of `make test-browser`")
        return
    with sync_playwright() as play, tempfile.TemporaryDirectory() as folder:
        browser = play.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        path = Path(folder) / "game.html"
        for what, text in made.items():
            path.write_bytes(text)
            yield from browsing(what, browser, size, path, count)
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=len(GAMES))
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--phone", action="store_true")
    given = parser.parse_args()
    show(rows(given.games, given.steps, PHONE if given.phone else DESKTOP))


if __name__ == "__main__":
    main()
