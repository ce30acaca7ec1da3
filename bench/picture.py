"""Pictures in figures: a random game, and after each action the time from the view to the PNG bytes, and their size.

`python -m bench.picture [--scenario base] [--games 3] [--actions 400] [--lag]`. The first picture of a game includes
drawing the board; the others are what a table sees. `--lag`: how late an event loop is while pictures are drawn
without pause in a thread beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import time
from collections.abc import Iterator

import render
from engine.chance import SeededChance
from engine.config import COLORS, Config
from engine.game import Game
from engine.scenarios import SCENARIOS
from engine.view import View


def views(scenario: str, seed: int, most: int) -> Iterator[View]:
    """What everybody sees after each action of a random game."""
    rng = random.Random(seed)
    players = max(SCENARIOS[scenario].players)
    colors = SCENARIOS[scenario].colors or COLORS
    config = Config(colors=colors[:players], scenario=scenario, target=10)
    game = Game.new(config, SeededChance(seed.to_bytes(32, "big"), str(seed), ()))
    yield game.view(None)
    for _ in range(most):
        if game.outcome:
            return
        seat = game.to_act[0]
        options = game.options(seat)
        game.play(seat, options[rng.choice(list(options))].sample(rng))
        yield game.view(None)


def measure(scenario: str, games: int, most: int) -> None:
    """Prints a line for a scenario."""
    first, times, sizes = [], [], []
    for seed in range(games):
        for k, view in enumerate(views(scenario, seed, most)):
            began = time.perf_counter()
            picture = render.board(view)
            took = 1000 * (time.perf_counter() - began)
            (times if k else first).append(took)
            sizes.append(len(picture) / 1024)
    times.sort()
    print(
        f"{scenario:18} first {max(first):6.1f} ms   next: median {statistics.median(times):5.2f}"
        f" p99 {times[int(len(times) * 0.99)]:6.2f} ms   size: median {statistics.median(sizes):6.1f}"
        f" largest {max(sizes):6.1f} KiB   {len(times)} pictures",
        flush=True,
    )


async def lag(scenario: str, seconds: float = 4.0) -> None:
    """Prints how late the event loop is while a thread draws."""
    shown = list(views(scenario, 1, 200))
    late: list[float] = []
    end = time.perf_counter() + seconds

    async def draw() -> None:
        while time.perf_counter() < end:
            for view in shown:
                await asyncio.to_thread(render.board, view)

    task = asyncio.create_task(draw())
    while not task.done():
        began = time.perf_counter()
        await asyncio.sleep(0.001)
        late.append(1000 * (time.perf_counter() - began - 0.001))
    late.sort()
    print(f"loop lag while drawing: median {late[len(late) // 2]:.2f} p99 {late[int(len(late) * 0.99)]:.2f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--scenario", choices=[*SCENARIOS, "all"], default="base")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--actions", type=int, default=400)
    parser.add_argument("--lag", action="store_true")
    given = parser.parse_args()
    for scenario in SCENARIOS if given.scenario == "all" else [given.scenario]:
        measure(scenario, given.games, given.actions)
        if given.lag:
            asyncio.run(lag(scenario))


if __name__ == "__main__":
    main()
