"""The engine in figures: speed of random base games beside another engine's, replay, size of a state.

`python -m bench.engine_speed [--rounds 5] [--games 20] [--catanatron PYTHON]`. The other engine plays in its
own process, the two a round each in turn, so that both meet the same noise; without it only ours is measured.
All times are processor time: what else the machine does counts less.
"""

from __future__ import annotations

import argparse
import gc
import pickle
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bench.table import Row, at_most, show
from bot.simulate import play
from engine.chance import SeededChance
from engine.config import COLORS, Config
from engine.game import Game
from engine.position import Position

REFERENCE = Path(__file__).with_name("catanatron_games.py")
CONFIG = Config(colors=COLORS[:4])
REFEREE, THINKING = 2.5, 4.0
"""Times as fast as the other engine: with options, records, story and provable chance, and without."""


class Reference:
    """The other engine, waiting in its process for the next round."""

    def __init__(self, python: str) -> None:
        self.process = subprocess.Popen(
            [python, str(REFERENCE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def round(self, first: int, games: int) -> float:
        """Actions per second of that many games; raises `BrokenPipeError` when there is no such engine."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{first} {games}\n")
        self.process.stdin.flush()
        if not (answer := self.process.stdout.readline()):
            raise BrokenPipeError
        seconds, actions = answer.split()
        return int(actions) / float(seconds)

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


def our_round(first: int, games: int) -> float:
    """Actions per second of that many games through options, play and record."""
    began = time.process_time()
    actions = sum(play(CONFIG, str(seed))[0].revision - 1 for seed in range(first, first + games))
    return actions / (time.process_time() - began)


def playout_round(first: int, games: int) -> float:
    """Actions per second of that many games, dealt as ours and played out by positions to think with."""
    began, actions = time.process_time(), 0
    for seed in range(first, first + games):
        game, rng = Game.new(CONFIG, SeededChance(bytes(32), str(seed), ())), random.Random(seed)
        position = Position(game.state)
        while position.outcome is None:
            seats = position.to_act
            seat = seats[int(rng.random() * len(seats))]
            position.play(seat, position.options(seat).sample(rng), rng)
            actions += 1
    return actions / (time.process_time() - began)


def median_time(work: Callable[[], object], times: int, repeat: int = 1) -> float:
    """Seconds that the work takes, the median of `times`, each over `repeat` runs."""
    taken = []
    for _ in range(times):
        began = time.process_time()
        for _ in range(repeat):
            work()
        taken.append((time.process_time() - began) / repeat)
    return statistics.median(taken)


def compare(rounds: int, games: int, python: str) -> Iterator[Row]:
    """Actions per second of both engines, interleaved; ours as a referee, and thinking."""
    ours: list[float] = []
    playouts: list[float] = []
    theirs: list[float] = []
    reference: Reference | None = Reference(python)
    for round_ in (our_round, playout_round):
        round_(0, 2)  # tables of the board, caches of the interpreter
    for number in range(rounds):
        first = 1 + number * games
        ours.append(our_round(first, games))
        playouts.append(playout_round(first, games))
        try:
            if reference is not None:
                theirs.append(reference.round(first, games))
        except BrokenPipeError:
            reference = None
    if reference is not None:
        reference.close()
    for name, found, goal in (("random base games", ours, REFEREE), ("random playouts", playouts, THINKING)):
        speed = f"{statistics.median(found):,.0f} actions/s"
        if not theirs:
            remark = f"{spread(found)}; catanatron isn't installed"
            yield Row(f"engine: {name}", speed, remark, f"at least {goal}x")
            continue
        ratio = statistics.median(a / b for a, b in zip(found, theirs, strict=True))
        other = f"catanatron {statistics.median(theirs):,.0f} actions/s ({spread(theirs)})"
        remark = f"{other}; ours {speed} ({spread(found)})"
        yield Row(f"engine: {name}", f"{ratio:.2f}x", remark, f"at least {goal}x", ratio >= goal)


def own_figures(games: int) -> Iterator[Row]:
    """Replay, size and copy, over finished games and their positions near the end."""
    finished = [play(CONFIG, f"figures/{n}")[0] for n in range(games)]
    replays = [1e3 * median_time(partial(Game.replay, game.config, game.records), 3) for game in finished]
    lengths = [game.revision for game in finished]
    remark = f"slowest {max(replays):.1f} ms; {statistics.median(lengths):.0f} records, at most {max(lengths)}"
    yield at_most("engine: replay of a game", statistics.median(replays), 50, "ms", remark)
    late = [Game.replay(g.config, g.records[: g.revision * 3 // 4]) for g in finished]
    sizes = [len(pickle.dumps(game.state, pickle.HIGHEST_PROTOCOL)) / 1024 for game in late]
    remark = f"median {statistics.median(sizes):.2f} KiB"
    yield at_most("engine: largest state, pickled", max(sizes), 4, "KiB", remark, 2)
    copies = [1e6 * median_time(game.state.copy, 5, 200) for game in late]
    yield Row("engine: copy of a state", f"{statistics.median(copies):.1f} us", spread(copies))
    views = [1e6 * median_time(partial(game.view, 0), 5, 50) for game in late]
    yield Row("engine: view of a seat", f"{statistics.median(views):.1f} us", spread(views))


def spread(figures: list[float]) -> str:
    """Least and most, in digits that fit the size."""
    digits = 0 if max(figures) > 1000 else 2
    return f"{min(figures):,.{digits}f} to {max(figures):,.{digits}f}"


def rows(rounds: int = 5, games: int = 20, python: str = sys.executable) -> Iterator[Row]:
    """Lines of the table; `python` is an interpreter that has the other engine."""
    yield from compare(rounds, games, python)
    gc.collect()
    yield from own_figures(10)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=20, help="games a round")
    parser.add_argument("--catanatron", default=sys.executable, metavar="PYTHON", help="an interpreter that has it")
    arguments = parser.parse_args()
    show(rows(arguments.rounds, arguments.games, arguments.catanatron))


if __name__ == "__main__":
    main()
