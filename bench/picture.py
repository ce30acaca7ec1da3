"""Measures pictures: the time for a board's first picture and for the next ones of a random game, and their size.

`python -m bench.picture [--scenario base ...] [--games 3] [--actions 400]`. Times are processor time from the view
to the PNG bytes. A board's first picture is of a game under way, as after a restart, in a process that has drawn other
boards. Then it measures how late an event loop is while a thread next to it draws.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import random
import statistics
import sys
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator
from typing import Any

from PIL import Image

import render
from bench.table import Row, at_most, show
from engine.chance import SeededChance
from engine.config import COLORS, Config
from engine.game import Game
from engine.scenarios import SCENARIOS
from engine.views import View
from render.bands import kept

FIRST, NEXT, NEXT_P99 = 0.7, 0.06, 0.25
"""Goals: multiples of the time that Pillow takes to write the same picture as a full RGB PNG."""
LATE = 1.0
"""Goal: multiple of the lag next to a thread that only counts."""
NAMES = ("Annabelle", "Benjamin", "Cleo", "Dorothea", "Eve", "Finn", "Gustav", "Hanna")


def views(scenario: str, seed: int, most: int) -> Iterator[View]:
    """What everyone can see at the start of a random game and after each action."""
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


def drawn(view: View) -> tuple[bytes, float]:
    """The picture of a view, and the milliseconds of processor time that it took."""
    began = time.process_time()
    picture = render.board(view, names=NAMES)
    return picture, 1000 * (time.process_time() - began)


def plain(picture: bytes) -> float:
    """Milliseconds that Pillow takes to write the same picture as a full RGB PNG: the reference."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    began = time.process_time()
    image.save(io.BytesIO(), "PNG")
    return 1000 * (time.process_time() - began)


def first(scenario: str, boards: int = 20, warm: int = 10, actions: int = 60) -> Row:
    """A row for the first picture of some boards, drawn after those of `warm` others, next to the reference."""
    times, ratios = [], []
    start = 1000 * (1 + list(SCENARIOS).index(scenario))
    for seed in range(-warm, boards):
        *_, view = views(scenario, start + seed, actions)
        picture, took = drawn(view)
        if seed >= 0:
            times.append(took)
            ratios.append(took / plain(picture))
    remark = f"of the time to write it as full RGB; {statistics.median(times):.1f} ms, slowest {max(times):.1f} ms"
    return at_most(f"picture: {scenario}, first", statistics.median(ratios), FIRST, "x", remark, 2)


def measure(scenario: str, games: int, most: int) -> Iterator[Row]:
    """Rows for the pictures of whole games: how long all but the first ones took, and the largest file."""
    times: list[float] = []
    sizes: list[float] = []
    reference: list[float] = []
    for view in views(scenario, games, most):  # a running bot has drawn other games before
        drawn(view)
    for seed in range(games):
        for k, view in enumerate(views(scenario, seed, most)):
            picture, took = drawn(view)
            if k:
                times.append(took)
            sizes.append(len(picture) / 1024)
            if k % 20 == 0:
                reference.append(plain(picture))
    full = statistics.median(reference)
    for what, took, limit in (("", statistics.median(times), NEXT), (", p99", p99(times), NEXT_P99)):
        remark = f"of the time to write it as full RGB, {full:.0f} ms; {took:.1f} ms, {len(times)} pictures"
        yield at_most(f"picture: {scenario}, next{what}", took / full, limit, "x", remark, 3)
    remark = f"median {statistics.median(sizes):.0f} KiB"
    yield at_most(f"picture: {scenario}, largest", max(sizes), 115, "KiB", remark, 0)


async def lag(scenario: str, cold: bool, seconds: float = 4.0) -> Row:
    """A row for how late the event loop is while a thread draws, compared with a thread that only counts.

    Both have Harbormaster's switch interval. `cold`: no band is kept from one picture to the next.
    """
    positions = list(views(scenario, 1, 200))
    sys.setswitchinterval(0.001)

    def draw() -> None:
        if cold:
            kept.cache_clear()
        render.board(positions[int(time.perf_counter() * 1000) % len(positions)])

    def count() -> None:
        sum(range(100_000))

    def go_on(work: Callable[[], None]) -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            work()

    await asyncio.to_thread(draw)
    counting = p99(await _late(asyncio.to_thread(go_on, count)))
    drawing = p99(await _late(asyncio.to_thread(go_on, draw)))
    remark = f"of the lag next to a thread that counts, {counting:.2f} ms; {drawing:.2f} ms"
    what = f"picture: event loop lag, p99, {'first' if cold else 'next'} ones"
    return at_most(what, drawing / counting, LATE, "x", remark, 2)


async def _late(work: Coroutine[Any, Any, None]) -> list[float]:
    """Milliseconds by which each sleep of one millisecond was too long, until the work is done."""
    late: list[float] = []
    task = asyncio.create_task(work)
    while not task.done():
        began = time.perf_counter()
        await asyncio.sleep(0.001)
        late.append(1000 * (time.perf_counter() - began - 0.001))
    return late


def p99(figures: list[float]) -> float:
    """The figure that one in a hundred exceeds."""
    return sorted(figures)[int(len(figures) * 0.99)]


def rows(scenarios: Iterable[str] = SCENARIOS, games: int = 3, actions: int = 400) -> Iterator[Row]:
    """Rows of the table."""
    scenarios = list(scenarios)
    *_, view = views(scenarios[0], 1, 60)
    yield Row("picture: first of the process", f"{drawn(view)[1]:.1f} ms", "draws sprites that all boards share")
    yield from map(first, scenarios)
    for scenario in scenarios:
        yield from measure(scenario, games, actions)
    for cold in (False, True):
        yield asyncio.run(lag(scenarios[0], cold))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--scenario", choices=SCENARIOS, nargs="*", default=SCENARIOS)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--actions", type=int, default=400)
    given = parser.parse_args()
    show(rows(given.scenario, given.games, given.actions))


if __name__ == "__main__":
    main()
