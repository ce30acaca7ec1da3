"""Runs seeds: `python -m tests.sim --seeds 200`, or one of them again: `python -m tests.sim --seed 17 --log`."""

from __future__ import annotations

import argparse
import os
import sys

from tests.sim import clocks

if os.environ.get("PYTHONHASHSEED") != "0":  # sets of words keep their order
    os.environ["PYTHONHASHSEED"] = "0"
    os.execv(sys.executable, [sys.executable, "-m", "tests.sim", *sys.argv[1:]])
clocks.install()


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("--seed", type=int, help="run this one alone")
    parser.add_argument("--seeds", type=int, default=20, help="how many")
    parser.add_argument("--first", type=int, default=1, help="the first one")
    parser.add_argument("--processes", type=int, default=0, help="how many at a time; otherwise one for each core")
    parser.add_argument("--verbose", action="store_true", help="print a line for each")
    parser.add_argument("--planted", nargs="*", metavar="FAULT", help="plant faults, and run seeds until each is found")
    parser.add_argument("--log", action="store_true", help="print all that happens")
    arguments = parser.parse_args()
    from tests.sim import stand_ins
    from tests.sim.plan import plan_of
    from tests.sim.play import play
    from tests.sim.runner import run

    stand_ins.install()
    if arguments.planted:
        return _planted(arguments.planted, arguments.seeds, arguments.processes)
    if arguments.seed is not None:
        results = iter([play(plan_of(arguments.seed), print if arguments.log else None)])
    else:
        seeds = range(arguments.first, arguments.first + arguments.seeds)
        results = run((plan_of(seed) for seed in seeds), arguments.processes)
    failed, hours, acts, told, real = list[int](), 0.0, 0, 0, 0.0
    for result in results:
        hours, acts, told, real = (
            hours + result.simulated / 3600,
            acts + result.acts,
            told + result.told,
            real + result.real,
        )
        if arguments.verbose or result.problems:
            print(
                f"seed {result.seed}: {result.simulated / 3600:.1f} h, {result.acts} acts, {result.told} answered, "
                f"{result.real:.1f} s, {len(result.problems)} problems, {result.digest[:12]}",
                flush=True,
            )
        for problem in result.problems[:4]:
            print("   ", problem[:2500].replace("\n", "\n    "), flush=True)
        if result.problems:
            failed.append(result.seed)
    print(f"{hours:.0f} h, {acts} acts, {told} answered, {real:.0f} s; failed: {failed or 'none'}")
    return 1 if failed else 0


def _planted(names: list[str], seeds: int, processes: int) -> int:
    """Plant faults, and say by which invariant and after how many seeds each is found."""
    from tests.sim.plan import plan_of
    from tests.sim.planted import FAULTS, LEAKS
    from tests.sim.runner import run

    every, missed = {**FAULTS, **LEAKS}, 0
    for name in names if names != ["all"] else every:
        planted, tried = every[name], 0
        for result in run((plan_of(seed) for seed in range(1, seeds + 1)), processes, planted.begin):
            tried += 1
            if hits := [problem for problem in result.problems if problem.startswith(planted.invariant)]:
                print(f"{name}: found after {tried} seeds (seed {result.seed}): {hits[0][:300]}", flush=True)
                break
            for other in result.problems[:2]:
                print(f"    {name}, seed {result.seed}: {other[:300]}", flush=True)
        else:
            print(f"{name}: NOT FOUND in {tried} seeds", flush=True)
            missed += 1
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
