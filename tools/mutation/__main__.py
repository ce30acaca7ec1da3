"""Plants small faults in the source, one at a time, and counts how many the tests find: `python -m tools.mutation`
(`make mutation`). `mutants.py` says which faults.

A folder has too many mutants to try all of them, so this tries a random sample, the same for the same seed. It all
happens in copies, in a temporary folder. What was tried is noted there, so a run that was interrupted goes on. What was
found isn't tried again, what survived only when the tests that could find it have changed.

First the tests are watched once, file by file, and again when a file of tests changes: which lines do they reach, and
how long do they take? A mutant is tried with the tests that reach its line, likely ones first, up to `--most` seconds
of them; so the share that is found is rather too low than too high, and survivors can be tried again with more. If no
test reaches the line, or it is a new one, these are the tests that reach its file; if none does, all tests.
Tests that hang have found the mutant, too.

A process that has loaded everything forks for each mutant, and the fork takes the changed functions. Where that isn't
enough, the fork comes from a process that has loaded none of Harbormaster, which is slower.

From time to time the tests run without a mutant. If they fail then, that is said: some mutants may only seem found.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from multiprocessing.context import ForkProcess
from pathlib import Path
from types import FunctionType

import pytest

from tools.mutation.mutants import FOLDERS, Mutant, copied, interval, mutants, replacements, sample
from tools.mutation.reached import Reached, Turn
from tools.mutation.runs import Plugin, answer, found_by, patience, run

TESTS = ("tests/engine", "tests/games", "tests/players", "tests/bot")

FIRST_TESTS = 40
"""Where tests have to be loaded for a mutant, so many come first: most mutants are found by these."""
CONTROL = 50
"""After how many mutants the tests run without one."""

PRELOADED = (
    *("pytest_asyncio.plugin", "pytest_cov.plugin", "xdist.plugin", "hypothesis", "discord", "discord.ext.commands"),
    *("aiosqlite", "asyncpg", "aiohttp.web", "PIL.Image", "babel", "openskill.models", "pydantic_settings"),
    *("prometheus_client", "cachetools", "sentry_sdk", "simcord"),
)
"""What needn't be imported again for each mutant. None of it imports Harbormaster."""


class Loaded(Plugin):
    """Loads the tests once, and forks for each mutant. The fork takes the mutant and runs its tests."""

    def __init__(self, copy: Path, turns: Iterable[Turn], reached: Reached, note: Callable[[Turn, str], None]) -> None:
        super().__init__(expected=reached.seconds)
        self._copy, self._turns, self._note = copy, turns, note

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        if session.testsfailed:
            return None
        items = {item.nodeid: item for item in session.items}
        gc.unfreeze()  # frozen objects aren't listed
        functions: defaultdict[str, list[FunctionType]] = defaultdict(list)
        for one in gc.get_objects():
            if isinstance(one, FunctionType):
                functions[one.__code__.co_filename].append(one)
        gc.freeze()
        for turn in self._turns:
            turn.plant(self._copy)
            if not (child := os.fork()):
                if turn.mutant:
                    file = str(self._copy / turn.mutant.path)
                    new = replacements(turn.mutant, file) or {}
                    for function in functions[file]:
                        function.__code__ = new.get(function.__code__, function.__code__)
                session.items[:] = [items[test] for test in turn.tests]
                return None  # pytest goes on with these
            found = found_by(answer(self._copy, child, patience(turn.tests, self.expected)))
            turn.plant(self._copy, remove=True)
            if found or not turn.at_import:
                self._note(turn, found)
        return True


def tried(copy: Path, turn: Turn, seconds: dict[str, float]) -> str:
    """Load tests with a mutant in the copy, or without one. Returns what found it."""
    turn.plant(copy)
    try:
        for part in filter(None, (turn.tests[:FIRST_TESTS], turn.tests[FIRST_TESTS:])):
            files = list(dict.fromkeys(test.partition("::")[0] for test in part))
            limit = patience(part, seconds) + len(files)
            if found := found_by(run(copy, ("-n0", "-x", *files), Plugin(part, seconds), limit)):
                return found
        return ""
    finally:
        turn.plant(copy, remove=True)


def _with_controls(turns: Iterable[Turn]) -> Iterator[Turn]:
    for number, turn in enumerate(turns, 1):
        yield turn
        if number % CONTROL == 0:
            yield replace(turn, mutant=None)


def _noted(results: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in results.read_text("utf-8").splitlines()]


def try_all(copy: Path, turns: Sequence[Turn], reached: Reached, results: Path) -> None:
    """Try mutants, each with its tests, and note what found them."""
    for name in PRELOADED:
        importlib.import_module(name)
    gc.freeze()
    console = open(os.dup(1), "w", encoding="utf-8")  # noqa: SIM115  # forks write to it, too

    def note(turn: Turn, found: str) -> None:
        key = turn.mutant.key if turn.mutant else ""
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "version": turn.version, "found": found}) + "\n")
        print(f"{turn.mutant or 'Without a mutant'}\n{found or 'SURVIVED'}\n", file=console, flush=True)

    quick = [turn for turn in turns if turn.loaded]
    print(f"{len(turns)} mutants to try in {copy}, {len(quick)} of them quickly.", file=console, flush=True)
    files = list(dict.fromkeys(test.partition("::")[0] for turn in quick for test in turn.tests))
    if quick:
        run(copy, ("-n0", "-x", *files), Loaded(copy, _with_controls(quick), reached, note))
    done = {(one["key"], one["version"]) for one in _noted(results)}
    for turn in _with_controls([turn for turn in turns if turn.mutant and (turn.mutant.key, turn.version) not in done]):
        note(turn, tried(copy, turn, reached.seconds))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("folders", nargs="*", default=FOLDERS, help="(%(default)s)")
    parser.add_argument("--sample", type=int, default=200, metavar="N", help="mutants of each folder (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="chooses the sample (%(default)s)")
    parser.add_argument("--most", type=float, default=60.0, metavar="S", help="seconds of tests (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (%(default)s)")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="where the tests are (%(default)s)")
    parser.add_argument("--write", type=Path, metavar="FILE", help="for docs.reliability")
    given = parser.parse_args()
    work = Path(tempfile.gettempdir()) / "harbormaster-mutation"
    copies = [copied(work / f"copy-{number}") for number in range(given.jobs)]
    reached, results = Reached(work, copies[0], given.tests, given.jobs, given.most), work / "results.jsonl"
    results.touch()
    every = {folder: mutants(folder) for folder in given.folders}
    chosen = {folder: sample(some, given.sample, given.seed) for folder, some in every.items()}
    in_turn = [mutant for some in zip_longest(*chosen.values()) for mutant in some if mutant]
    noted = _noted(results)
    found = {done["key"]: done["found"] for done in noted}
    untried = [mutant for mutant in in_turn if not found.get(mutant.key)]
    untried.sort(key=lambda mutant: mutant.key in found)  # new ones first
    survived = {(done["key"], done["version"]) for done in noted}
    turns = [reached.turn(mutant) for mutant in untried]  # here, because a fork empties a file of coverage
    turns = [turn for turn in turns if turn.mutant and (turn.mutant.key, turn.version) not in survived]
    shares = [turns[number :: given.jobs] for number in range(given.jobs)]
    workers = [ForkProcess(target=try_all, args=(*one, reached, results)) for one in zip(copies, shares, strict=True)]
    for act in (ForkProcess.start, ForkProcess.join):
        for worker in workers:
            act(worker)
    report(work, chosen, {folder: len(some) for folder, some in every.items()}, given.write)


def report(work: Path, chosen: dict[str, list[Mutant]], sizes: dict[str, int], write: Path | None) -> None:
    """Say how many were found."""
    noted = _noted(work / "results.jsonl")
    found, figures = {done["key"]: done["found"] for done in noted}, {}
    for folder, some in chosen.items():
        answers = [found[mutant.key] for mutant in some if mutant.key in found]
        tried, killed = len(answers), sum(map(bool, answers))
        low, high = interval(killed, tried)
        figures[folder] = {"mutants": sizes[folder], "tried": tried, "found": killed, "low": low, "high": high}
        share = f"{100 * killed / max(1, tried):.1f} % ({low:.1f} to {high:.1f})"
        print(f"{folder}: {killed} of {tried} found, {share}; {answers.count('hangs')} hang; {sizes[folder]} mutants")
    survivors = [str(mutant) for some in chosen.values() for mutant in some if found.get(mutant.key) == ""]
    (work / "survivors.txt").write_text("\n\n".join(survivors) + "\n", "utf-8")
    wrong = [done["found"] for done in noted if not done["key"] and done["found"]]
    print(f"Survivors: {work}/survivors.txt. Failed without a mutant: {', '.join(wrong) or 'nothing'}.")
    if write:
        write.write_text(json.dumps({"mutation": figures}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
