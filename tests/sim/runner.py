"""Runs many seeds, each in a process of its own that begins where this one stands, so that no seed knows of another."""

from __future__ import annotations

import faulthandler
import gc
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

from tests.sim import clocks
from tests.sim.plan import Plan
from tests.sim.play import Result, play

LONGEST = 180.0
"""Seconds of real time after which a seed counts as hanging."""


def run(plans: Iterable[Plan], processes: int = 0, begin: Callable[[], None] = lambda: None) -> Iterator[Result]:
    """The results of plans, in the order in which they are there. `processes`: how many at a time; 0: one for each
    core. `begin` is called first in each process."""
    gc.collect()
    gc.freeze()
    waiting = iter(plans)
    under_way = dict[Connection, tuple[Plan, multiprocessing.process.BaseProcess]]()
    context = multiprocessing.get_context("fork")
    try:
        yield from _run(waiting, under_way, context, processes or os.cpu_count() or 1, begin)
    finally:
        for _, process in under_way.values():
            process.kill()


def _run(
    waiting: Iterator[Plan],
    under_way: dict[Connection, tuple[Plan, multiprocessing.process.BaseProcess]],
    context: Any,
    most: int,
    begin: Callable[[], None],
) -> Iterator[Result]:
    while True:
        while len(under_way) < most and (plan := next(waiting, None)) is not None:
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_play, args=(plan, theirs, begin))
            process.start()
            theirs.close()
            under_way[ours] = plan, process
        if not under_way:
            return
        for ready in wait(list(under_way)):
            assert isinstance(ready, Connection)
            plan, process = under_way.pop(ready)
            try:
                result = ready.recv()
            except EOFError:
                result = Result(plan.seed, (f"the simulation goes on: it hung or died ({process.exitcode})",), "")
            process.join()
            yield result


def _play(plan: Plan, answer: Connection, begin: Callable[[], None]) -> None:
    faulthandler.dump_traceback_later(LONGEST, exit=True)
    clocks.begin(lambda: 0.0, plan.seed)
    begin()
    answer.send(play(plan))
    answer.close()
    sys.stdout.flush()
    os._exit(0)
