"""Writes docs/reliability.md: what was tried, and what was lost. `python -m docs.reliability FILE ...`

Each file is what a campaign has left: the report of a run of pytest (`make soak ARGS="--junitxml=soak.xml"`, likewise
`make soak-browser`), whose tests say what they tried by `record_property`, what the simulation wrote
(`make sim ARGS="--write sim.json"`), or what was counted of mutants (`make mutation ARGS="--write mutation.json"`). The
figures are kept in docs/reliability.json until the same campaign brings newer ones.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

HERE = Path(__file__).parent
FIGURES, PAGE = HERE / "reliability.json", HERE / "reliability.md"
Json = dict[str, Any]

BEGINNING = """\
# What was tried, and what was lost

Harbormaster promises that what a player was told has happened is never lost and never happens twice, that what a player
may not know can't be found out, that anyone can check the dice, and that no one waits forever. This page says how hard
that was tried. `python -m docs.reliability` writes it from what the campaigns have left; nobody counts by hand.

A sample of each campaign runs with `make test`. [stand-in.md](stand-in.md) says what the tests know of Discord.
"""
SIMULATION = """
## A simulated world

`make sim` runs whole worlds in one process: Discord, the network, disks, databases, up to four processes of
Harbormaster, and people who play. Time is simulated, so a day takes seconds. A seed decides all of it: who plays how,
what is slow, which process is killed when, what a disk loses at a power cut. Invariants are asked all along.
The same seed brings the same world again, to the byte, and a seed that fails is shortened to the fewest events that
still fail. [simulation.md](simulation.md) says how it is built.
"""
PLANTED = """
### Faults that were planted

A simulation that finds nothing proves nothing. So faults and leaks were planted in the program, one at a time
(`tests/sim/planted/`), and seeds were run until an invariant broke:
`make sim ARGS="--planted all"`.
"""
FOUND = """
## What the simulation found

What a seed brings changes with the simulation, so each of these fails at the commit that is named here.
"""
CAMPAIGNS = """
## Campaigns

`make soak` and `make test` run them; `make soak-browser` and `make test-browser` those that need a browser. What a test
is about is its name. An archived game's seed stays secret until the game ends, as it can go on.
"""
MUTANTS = """
## Whether tests notice

`make mutation` plants small faults in the source, another operator or a missing argument, and runs the tests that reach
the place. A random sample is tried; the interval says where the share of all of them is, with 95 % certainty. Some of
those that no test finds change nothing that anyone could notice.
"""


def campaigns_in(report: Path) -> Iterator[tuple[str, Json]]:
    """The tests of a pytest report that say what they tried, and those that failed: most say it only in the end."""
    for case in ElementTree.parse(report).iter("testcase"):
        tried = {one.attrib["name"]: float(one.attrib["value"]) for one in case.iter("property")}
        name = f"{case.attrib['classname'].replace('.', '/')}.py::{case.attrib['name'].partition('[')[0]}"
        failed = case.find("failure") is not None or case.find("error") is not None
        if tried or failed:
            yield name, {"tried": tried, "failed": int(failed)}


def merged(figures: Json, files: Sequence[Path]) -> Json:
    """The figures with those in some files, which replace older ones of the same campaigns. Numbers of a test with
    several parameters add up. Which failed tests are campaigns is known by what they have said before."""
    before: Json = figures.get("campaigns", {})
    campaigns: dict[str, Json] = {}
    worlds: Json = {}
    for file in files:
        if file.suffix == ".xml":
            for name, campaign in campaigns_in(file):
                known = campaigns.setdefault(name, {"tried": {}, "failed": 0})
                known["failed"] += campaign["failed"]
                for what, count in campaign["tried"].items():
                    known["tried"][what] = known["tried"].get(what, 0) + count
            continue
        written = json.loads(file.read_text("utf-8"))
        for what, count in written.pop("simulation", {}).items():  # other seeds of the same campaign
            worlds[what] = worlds[what] + count if what in worlds else count
        for part, by_name in written.items():
            figures[part] = {**figures.get(part, {}), **by_name}
    if worlds:
        figures["simulation"] = worlds
    ran = {name: one for name, one in campaigns.items() if one["tried"] or name in before}
    return {**figures, "campaigns": {**before, **ran}}


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n" + "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def page(figures: Mapping[str, Any]) -> str:
    """The page."""
    text = BEGINNING
    if world := figures.get("simulation"):
        counts = {
            "worlds": world["seeds"],
            "simulated hours": round(world["hours"]),
            "things that people did": world["acts"],
            "actions that were answered, and then looked for in the store": world["told"],
            "worlds in which an invariant broke, or seemed to": len(world["failed"]),
        }
        if speed := figures.get("speed"):
            counts["simulated hours of a game of four in a minute of one core"] = speed["hours in a minute"]
        text += SIMULATION + table(("tried", ""), [(what, f"{count:,}") for what, count in counts.items()])
    if planted := figures.get("planted"):
        rows = [(one["what"], one["invariant"], one["seeds"]) for one in planted.values()]
        text += PLANTED + table(("fault or leak", "found by", "after seeds"), rows)
    if found := figures.get("found"):
        defects = [(one["seed"], f"`{one['commit']}`", one["what"], one["mend"]) for one in found]
        text += FOUND + table(("seed", "commit", "what it was", "mend"), defects)
    if mutants := figures.get("mutation"):
        shares = []
        for folder, one in mutants.items():
            share, interval = 100 * one["found"] / one["tried"], f"{one['low']:.0f} to {one['high']:.0f} %"
            shares.append((f"`{folder}/`", f"{one['mutants']:,}", one["tried"], f"{share:.1f} %", interval))
        text += MUTANTS + table(("folder", "faults there are", "tried", "found", "of all, probably"), shares)
    if campaigns := figures.get("campaigns"):
        lines = []
        for name, campaign in sorted(campaigns.items()):
            file, _, test = name.partition("::")
            tried = ", ".join(f"{count:,.0f} {what}" for what, count in campaign["tried"].items())
            lines.append((test.removeprefix("test_").replace("_", " "), tried, campaign["failed"], f"`{file}`"))
        text += CAMPAIGNS + table(("what", "tried", "failed", "where"), lines)
    return text


def main() -> None:
    """Merge what the files hold, and write the page."""
    figures = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}
    figures = merged(figures, [Path(name) for name in sys.argv[1:]])
    FIGURES.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", "utf-8")
    PAGE.write_text(page(figures), "utf-8")


if __name__ == "__main__":
    main()
