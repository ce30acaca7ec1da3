"""Runs seeds: `python -m tests.sim --seeds 200`, or one of them again: `python -m tests.sim --seed 17 --log`."""

from __future__ import annotations

import argparse
import gc
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
    parser.add_argument("--log", action="store_true", help="print all that happens")
    arguments = parser.parse_args()
    from tests.sim import stand_ins
    from tests.sim.plan import plan_of
    from tests.sim.play import play

    stand_ins.install()
    gc.collect()
    gc.freeze()
    failed = 0
    seeds = [arguments.seed] if arguments.seed is not None else range(arguments.first, arguments.first + arguments.seeds)
    for seed in seeds:
        plan = plan_of(seed)
        result = play(plan, print if arguments.log else None)
        print(
            f"seed {seed}: {result.simulated / 3600:.1f} h, {result.acts} acts, {result.told} told, "
            f"{result.real:.1f} s, {len(result.problems)} problems, {result.digest[:12]}",
            flush=True,
        )
        for problem in result.problems[:5]:
            print("   ", problem[:3000])
        failed += bool(result.problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
