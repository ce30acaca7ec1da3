"""Measures the engine: the speed of random base games next to another engine's, replays, the size of a state.

`python -m bench.engine_speed [--rounds 5] [--games 20] [--catanatron PYTHON]`. Each engine plays in a process of its
own: the other one, ours as it is, and ours compiled. They take turns, a round each, so that all meet the same noise.
All times are processor time, so that what else the machine does counts less.
"""

from __future__ import annotations

import argparse
import gc
import pickle
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from bench.table import Row, at_most, show
from engine.config import COLORS, Config
from engine.game import Game
from players.simulate import play

HERE = Path(__file__)
COMPILED = HERE.parents[1] / ".venv-compiled" / "bin" / "python"
CONFIG = Config(colors=COLORS[:4])
REFEREE, THINKING = 2.5, 4.0
"""Goals: speed of our compiled engine, as a multiple of the other engine's: with options, records, story and provable
chance, and without."""
REPLAY = 0.25
"""Goal: time of a replay, compiled, as a multiple of the time that the other engine takes to play a game."""


class Player:
    """An engine that waits in its process for the next round of games."""

    def __init__(self, python: str, script: str, *words: str) -> None:
        self.speeds: list[float] = []
        """Actions per second, by round."""
        self.times: list[float] = []
        """Milliseconds for a game, by round."""
        self._process: subprocess.Popen[str] | None = None
        # -I: what is installed there runs, not the sources of the current folder
        command = [python, "-I", str(HERE.with_name(script)), *words]
        with suppress(FileNotFoundError):
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    def round(self, first: int, games: int) -> None:
        """Play that many games, and record their times. Does nothing if there is no such engine."""
        if self._process is None:
            return
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{first} {games}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return
        if answer := self._process.stdout.readline():
            seconds, actions = answer.split()
            self.speeds.append(int(actions) / float(seconds))
            self.times.append(1e3 * float(seconds) / games)

    def close(self) -> str:
        """End the process. Returns the last line of its error output, which says why it failed."""
        if self._process is None:
            return "run make compiled first"
        _, errors = self._process.communicate()
        return errors.strip().rpartition("\n")[2]


def median_time(work: Callable[[], object], times: int, repeat: int = 1) -> float:
    """Seconds that the work takes: the median of `times` measurements, each over `repeat` runs."""
    taken = []
    for _ in range(times):
        began = time.process_time()
        for _ in range(repeat):
            work()
        taken.append((time.process_time() - began) / repeat)
    return statistics.median(taken)


def compare(rounds: int, games: int, python: str, compiled: str) -> Iterator[Row]:
    """Rows of actions per second, measured in turn: of our engine as a referee and for thinking, in pure Python and
    compiled; and rows of replays."""
    reference = Player(python, "catanatron_games.py")
    ours = {
        ("games", "pure Python"): Player(sys.executable, "our_games.py", "games"),
        ("games", "compiled"): Player(compiled, "our_games.py", "games"),
        ("playouts", "pure Python"): Player(sys.executable, "our_games.py", "playouts"),
        ("playouts", "compiled"): Player(compiled, "our_games.py", "playouts"),
    }
    replays = {
        "pure Python": Player(sys.executable, "our_games.py", "replays"),
        "compiled": Player(compiled, "our_games.py", "replays"),
    }
    players = (reference, *ours.values(), *replays.values())
    for number in range(rounds):
        for player in players:
            player.round(1 + number * games, games)
    errors = {player: player.close() for player in players}
    goals = {("games", "compiled"): REFEREE, ("playouts", "compiled"): THINKING}
    for (what, build), player in ours.items():
        name, goal = f"engine: {what}, {build}", goals.get((what, build))
        if not player.speeds:
            yield Row(name, "not measured", errors[player])
            continue
        speed = f"{statistics.median(player.speeds):,.0f} actions/s ({spread(player.speeds)})"
        if not reference.speeds:
            yield Row(name, speed, f"catanatron is missing, so there is no comparison: {errors[reference]}")
            continue
        ratio = statistics.median(a / b for a, b in zip(player.speeds, reference.speeds, strict=True))
        theirs = f"catanatron {statistics.median(reference.speeds):,.0f} actions/s ({spread(reference.speeds)})"
        goal_and_met = (f"at least {goal}x", ratio >= goal) if goal else ("", None)
        yield Row(name, f"{ratio:.2f}x", f"{theirs}; ours {speed}", *goal_and_met)
    for build, player in replays.items():
        name = f"engine: replay, {build}"
        if not player.times:
            yield Row(name, "not measured", errors[player])
            continue
        took = f"{statistics.median(player.times):.1f} ms a game ({spread(player.times)})"
        if not reference.times:
            yield Row(name, took, f"catanatron is missing, so there is no comparison: {errors[reference]}")
            continue
        ratio = statistics.median(a / b for a, b in zip(player.times, reference.times, strict=True))
        theirs = f"of the time catanatron takes to play one, {statistics.median(reference.times):.1f} ms; {took}"
        goal_and_met = (f"at most {REPLAY}x", ratio <= REPLAY) if build == "compiled" else ("", None)
        yield Row(name, f"{ratio:.2f}x", theirs, *goal_and_met)


def own_figures(games: int) -> Iterator[Row]:
    """Rows for size, copy and view of positions near the end of games."""
    finished = [play(CONFIG, f"figures/{n}")[0] for n in range(games)]
    late = [Game.replay(g.config, g.records[: g.revision * 3 // 4]) for g in finished]
    sizes = [len(pickle.dumps(game.state, pickle.HIGHEST_PROTOCOL)) / 1024 for game in late]
    remark = f"median {statistics.median(sizes):.2f} KiB"
    yield at_most("engine: largest state, pickled", max(sizes), 4, "KiB", remark, 2)
    copies = [1e6 * median_time(game.state.copy, 5, 200) for game in late]
    yield Row("engine: copy of a state", f"{statistics.median(copies):.1f} us", spread(copies))
    views = [1e6 * median_time(partial(game.view, 0), 5, 50) for game in late]
    yield Row("engine: view of a seat", f"{statistics.median(views):.1f} us", spread(views))


def spread(figures: list[float]) -> str:
    """The least and the greatest figure, with digits that fit their size."""
    digits = 0 if max(figures) > 1000 else 2
    return f"{min(figures):,.{digits}f} to {max(figures):,.{digits}f}"


def rows(
    rounds: int = 5, games: int = 20, python: str = sys.executable, compiled: str = str(COMPILED)
) -> Iterator[Row]:
    """Rows of the table. `python` is an interpreter that has the other engine, `compiled` one with ours compiled."""
    yield from compare(rounds, games, python, compiled)
    gc.collect()
    yield from own_figures(10)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=20, help="games per round")
    parser.add_argument(
        "--catanatron", default=sys.executable, metavar="PYTHON", help="a Python interpreter that has catanatron"
    )
    arguments = parser.parse_args()
    show(rows(arguments.rounds, arguments.games, arguments.catanatron))


if __name__ == "__main__":
    main()
