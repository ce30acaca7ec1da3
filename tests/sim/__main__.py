"""Runs seeds: `python -m tests.sim --seeds 200`, or one of them again: `python -m tests.sim --seed 17 --log`."""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tests.sim import clocks

if os.environ.get("PYTHONHASHSEED") != "0":  # sets of words keep their order
    os.environ["PYTHONHASHSEED"] = "0"
    os.execv(sys.executable, [sys.executable, "-m", "tests.sim", *sys.argv[1:]])
clocks.install()

if TYPE_CHECKING:
    from tests.sim.plan import Plan
    from tests.sim.play import Result


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("--seeds", type=int, default=200, help="how many")
    parser.add_argument("--first", type=int, default=1, help="the first one")
    parser.add_argument("--processes", type=int, default=0, help="how many at a time; otherwise one for each core")
    parser.add_argument("--seed", type=int, help="run this one alone")
    parser.add_argument("--plan", type=Path, help="run the plan in a file, as a shortened seed prints it")
    parser.add_argument("--hours", type=float, help="play so many hours in which nothing goes wrong, and say how fast")
    parser.add_argument("--log", action="store_true", help="print all that happens")
    parser.add_argument("--verbose", action="store_true", help="print a line for each seed")
    parser.add_argument("--write", type=Path, help="write the figures to a file, for docs.reliability")
    parser.add_argument("--planted", nargs="+", metavar="FAULT", help="plant faults, and run seeds until each is found")
    arguments = parser.parse_args()
    from tests.sim import stand_ins
    from tests.sim.plan import Plan, plan_of
    from tests.sim.play import play

    stand_ins.install()
    if arguments.planted:
        return _planted(arguments.planted, arguments.seeds, arguments.processes, arguments.write)
    if arguments.hours:
        return _timed(arguments.hours, arguments.write)
    if arguments.plan or arguments.seed is not None:
        plan = Plan.of_text(arguments.plan.read_text()) if arguments.plan else plan_of(arguments.seed)
        result = play(plan, print if arguments.log else None)
        _tell(result)
        return 1 if result.problems else 0
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    return _many(seeds, arguments.processes, arguments.verbose, arguments.write)


def _many(seeds: Iterable[int], processes: int, verbose: bool, write: Path | None) -> int:
    """Run seeds; one that fails is shortened."""
    from tests.sim.plan import plan_of
    from tests.sim.runner import run
    from tests.sim.shorten import broken, shortened

    def again(plans: Iterable[Plan]) -> Iterator[Result]:
        return run(plans, processes)

    results = []
    for result in run(map(plan_of, seeds), processes):
        results.append(result)
        if verbose or result.problems:
            _tell(result)
    failed = sorted(result.seed for result in results if result.problems)
    figures = {
        "seeds": len(results),
        "hours": sum(one.simulated for one in results) / 3600,
        "acts": sum(one.acts for one in results),
        "told": sum(one.told for one in results),
        "twice": sum(one.twice is True for one in results),
        "not_twice": sum(one.twice is False for one in results),
        "failed": failed,
    }
    print(
        f"{figures['seeds']} seeds, {figures['hours']:.0f} simulated hours, {figures['acts']} things done by people, "
        f"{figures['told']} actions answered; {figures['twice']} compared with another world, "
        f"{figures['not_twice']} could not be; failed: {failed or 'none'}"
    )
    if write is not None:
        write.write_text(json.dumps({"simulation": figures}))
    for result in [one for one in results if one.problems][:1]:
        plan = shortened(plan_of(result.seed), broken(result), again)
        print(f"Seed {result.seed} still fails with this plan (python -m tests.sim --plan FILE):\n{plan.text()}")
    return 1 if failed else 0


def _timed(hours: float, write: Path | None) -> int:
    """Play alone, and say how many simulated hours of four people one core does in a minute."""
    from tests.sim.plan import HOUR, calm
    from tests.sim.play import play

    gc.collect()
    gc.freeze()
    began = time.process_time()
    result = play(calm(hours * HOUR))
    took = time.process_time() - began
    _tell(result)
    speed = round(result.simulated / HOUR * 60 / took)
    print(f"{took:.1f} s of processor time: {speed} hours in a minute of it")
    if write is not None:
        write.write_text(json.dumps({"speed": {"hours in a minute": speed}}))
    return 1 if result.problems else 0


def _tell(result: Result) -> None:
    twice = "" if result.twice is None else ", compared" if result.twice else ", not compared"
    print(
        f"seed {result.seed}: {result.simulated / 3600:.1f} h, {result.acts} done, {result.told} answered, "
        f"{result.real:.1f} s{twice}, {len(result.problems)} problems, {result.digest[:12]}",
        flush=True,
    )
    for problem in result.problems[:4]:
        print("   ", problem[:2500].replace("\n", "\n    "), flush=True)


def _planted(names: list[str], seeds: int, processes: int, write: Path | None) -> int:
    """Plant faults, and say by which invariant and after how many seeds each is found."""
    from tests.sim.plan import plan_of
    from tests.sim.planted import failures, faults, leaks  # noqa: F401 (they declare what can be planted)
    from tests.sim.planted.planting import PLANTED
    from tests.sim.runner import run
    from tests.sim.shorten import broken

    missed, rows = 0, {}
    for name in names if names != ["all"] else PLANTED:
        for tried, result in enumerate(run(map(plan_of, range(1, seeds + 1)), processes, PLANTED[name].begin), 1):
            if broken(result) & set(PLANTED[name].invariants):
                hits = [one for one in result.problems if one.split(": ", 1)[0] in PLANTED[name].invariants]
                print(f"{name}: after {tried} seeds, seed {result.seed}: {hits[0][:300]}", flush=True)
                by = hits[0].split(": ", 1)[0]
                rows[name] = {"what": PLANTED[name].name, "invariant": by, "seeds": tried}
                break
            for other in result.problems[:2]:
                print(f"    {name}, seed {result.seed}: {other[:300]}", flush=True)
        else:
            print(f"{name}: NOT FOUND in {seeds} seeds", flush=True)
            rows[name] = {"what": PLANTED[name].name, "invariant": "nothing", "seeds": f"not found in {seeds}"}
            missed += 1
    if write is not None:
        write.write_text(json.dumps({"planted": rows}))
    return 1 if missed else 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # worlds are left as they are at their end
