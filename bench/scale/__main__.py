"""Measures many games on one process and on several, with a stand-in for Discord: `python -m bench.scale`.

Results go into a JSON file, and the tables made from it into docs/scale.md. `--quick` shows in about four minutes that
all of it works, and only prints the tables. The stores are made once, in a folder that is kept (see `--folder`).
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import os
import platform
import shutil
import sys
from pathlib import Path
from typing import Any

from bench import disk
from bench.scale import report
from bench.scale.runs import Plan, carry_out, start_up
from bench.scale.stores import ROOT, Size, Stores
from bench.scale.tables import Unplayable

KINDS = ("sqlite", "postgresql")
QUICK = {"games": 100, "finished": 100, "rate": 5.0, "seconds": 20.0, "burst": 20, "flat_out": 10.0, "sizes": [100]}


def main() -> None:
    """Read the arguments, and measure what they ask for."""
    here = argparse.ArgumentParser(add_help=False)  # concerns only this machine, and so isn't reported
    here.add_argument("--folder", type=Path, help="the folder where the stores are kept")
    here.add_argument("--json", type=Path, default=ROOT / "docs" / "scale.json", help="the results (%(default)s)")
    about = (__doc__ or "").split("\n\n")[0]
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=about, parents=[here])
    numbers = lambda text: [int(part) for part in text.split(",")]  # noqa: E731
    parser.add_argument("--games", type=int, default=1000, help="running games (%(default)s)")
    parser.add_argument("--finished", type=int, default=10_000, help="finished games (%(default)s)")
    parser.add_argument("--rate", type=float, default=25.0, help="actions a second (%(default)s)")
    parser.add_argument("--seconds", type=float, default=300.0, help="seconds at that rate (%(default)s)")
    parser.add_argument("--burst", type=int, default=100, help="clicks at the same time (%(default)s)")
    parser.add_argument("--flat-out", type=float, default=60.0, help="seconds as fast as it goes (%(default)s)")
    parser.add_argument("--processes", type=numbers, default=[1, 2, 4], help="processes on PostgreSQL (1,2,4)")
    parser.add_argument(
        "--sizes", type=numbers, default=[100, 1000, 10_000], help="running games at startup (100,1000,10000)"
    )
    parser.add_argument("--global-limit", action="store_true", help="enforce Discord's 50 requests a second")
    parser.add_argument("--quick", action="store_true", help="a small run, which leaves the page as it is")
    parser.add_argument("--render", action="store_true", help="only write the page, from the results of an earlier run")
    if "--quick" in sys.argv:
        parser.set_defaults(**QUICK, json=None)
    arguments, (_, words) = parser.parse_args(), here.parse_known_args()
    if arguments.render:
        report.write(json.loads(arguments.json.read_text("utf-8")))
        return
    try:
        results = asyncio.run(_measure(arguments, words))
    except Unplayable as error:
        sys.exit(str(error))
    if arguments.quick:
        print(report.render(results))
    else:
        report.write(results)
    if problems := report.problems(results):
        sys.exit("\n".join(problems))


async def _measure(arguments: argparse.Namespace, words: list[str]) -> dict[str, Any]:
    size = Size(arguments.games, arguments.finished)
    sizes = [Size(running, min(10 * running, arguments.finished)) for running in arguments.sizes]
    plans = [("sqlite", 1), *(("postgresql", processes) for processes in arguments.processes)]
    results: dict[str, Any] = {
        "machine": _machine(words),
        "asked": {
            "running": size.running,
            "finished": size.finished,
            "rate": arguments.rate,
            "seconds": arguments.seconds,
            "burst": arguments.burst,
            "flat out": arguments.flat_out,
            "limited": arguments.global_limit,
        },
        "runs": [],
        "start-up": [],
        "packed": {},
        "sqlite fsyncs an action": await _traced(),
    }
    stores = Stores(arguments.folder)
    try:
        for kind in KINDS:
            await stores.prepare(kind, [size, *sizes])
        for kind, processes in plans:
            asked = (arguments.rate, arguments.seconds, arguments.burst, arguments.flat_out, arguments.global_limit)
            plan = Plan(kind, processes, size, *asked)
            print(f"{plan.name} …", flush=True)
            results["runs"].append(await carry_out(stores, plan))
            _keep(arguments.json, results)
        for kind in KINDS:
            for other in sizes:
                print(f"startup with {other.running:,} and {other.finished:,} games ({kind}) …", flush=True)
                results["start-up"].append(await start_up(stores, kind, other))
                _keep(arguments.json, results)
        if size.finished:
            for kind in KINDS:
                results["packed"][kind] = round(await stores.packed(kind, size))
            _keep(arguments.json, results)
    finally:
        stores.close()
    return results


def _keep(path: Path | None, results: dict[str, Any]) -> None:
    if path is not None:
        path.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


async def _traced() -> float | None:
    """Fsyncs an action on SQLite, which doesn't count them itself; None if they can't be traced."""
    if shutil.which("strace") is None:
        return None
    try:
        found, posted = await disk.count(40)
    except RuntimeError:
        return None
    return (sum(found) + posted) / len(found)


def _machine(words: list[str]) -> dict[str, Any]:
    names = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "command": " ".join(["python -m bench.scale", *words]),
        "cores": os.cpu_count(),
        "processor": names[0].partition(":")[2].strip() if names else platform.machine(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 2),
    }


if __name__ == "__main__":
    main()
