"""Plants small faults in the source, one at a time, and counts how many the tests find: `python -m tools.mutation`
(`make mutation`). The faults are those of `tools/mutants.py`.

A folder has too many mutants to try all of them, so this tries a random sample, the same for the same seed. It all
happens in copies, in a temporary folder. What was tried is noted there, so a run that was interrupted goes on. What was
found isn't tried again, what survived only when the tests that could find it have changed.

First the tests are watched once, file by file, and again when a file of tests changes: which lines do they reach, and
how long do they take? A mutant is tried with the tests that reach its line, likely ones first, up to `--most` seconds
of them; so the share that is found is rather too low than too high, and survivors can be tried again with more. If no
test reaches the line, or the file has changed since, these are the tests that reach its file; if none does, all tests.
Tests that hang have found the mutant, too.

A process that has loaded everything forks for each mutant, and the fork takes the changed functions. Where that isn't
enough, the fork comes from a process that has loaded none of Harbormaster, which is slower.

From time to time the tests run without a mutant. If they fail then, that is said: some mutants may only seem found.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import importlib
import json
import math
import os
import signal
import sys
import tempfile
import time
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, count, zip_longest
from multiprocessing.context import ForkProcess
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

import pytest
from coverage import CoverageData

from tools.mutants import FOLDERS, ROOT, Mutant, copied, interval, mutants, replacements, sample

TESTS = ("tests/engine", "tests/games", "tests/players", "tests/bot")

MESSAGES = "tests/bot/words/test_catalogues.py::test_the_template_has_the_messages_of_the_source"
"""A test that reads the source instead of running it."""
FIRST_TESTS = 40
"""Where tests have to be loaded for a mutant, so many come first: most mutants are found by these."""
AT_A_TIME = 5
"""How many tests of one file come before those of another: of many tests that reach a line, all sorts are tried."""
PATIENCE = 20.0
"""Seconds that a test can take, besides five times what it took, before it counts as hanging."""
CONTROL = 50
"""After how many mutants the tests run without one."""

PRELOADED = (
    *("pytest_asyncio.plugin", "pytest_cov.plugin", "xdist.plugin", "hypothesis", "discord", "discord.ext.commands"),
    *("aiosqlite", "asyncpg", "aiohttp.web", "PIL.Image", "babel", "openskill.models", "pydantic_settings"),
    *("prometheus_client", "cachetools", "sentry_sdk", "simcord"),
)
"""What needn't be imported again for each mutant. None of it imports Harbormaster."""


@dataclass(frozen=True)
class Turn:
    """A mutant, or none, and how to try it."""

    mutant: Mutant | None
    tests: list[str]
    version: str
    """Another one when other tests reach the mutant, or when one of their files has changed."""
    loaded: bool
    """Whether it is enough to change functions that are loaded."""
    at_import: bool
    """Whether the line also runs at import; then what survives so is tried again with all loaded afresh."""

    def plant(self, copy: Path, remove: bool = False) -> None:
        """Change the file in a copy, or change it back."""
        if self.mutant:
            self.mutant.remove(copy) if remove else self.mutant.plant(copy)


class Plugin:
    """Runs only these tests, in this order (all, if none is named). Notes how long they take, and which fail."""

    def __init__(self, tests: Sequence[str] = (), expected: dict[str, float] | None = None) -> None:
        self._rank = {test: number for number, test in enumerate(tests)}
        self.expected = expected or {}
        """How long tests should take. Those that take much longer are stopped."""
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.failed: list[str] = []
        self.hangs = False

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self._rank:
            items[:] = sorted((i for i in items if i.nodeid in self._rank), key=lambda i: self._rank[i.nodeid])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if expected := self.expected.get(item.nodeid):
            signal.setitimer(signal.ITIMER_REAL, PATIENCE + 5 * expected)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.failed += [report.nodeid] * report.failed

    def out_of_time(self, _number: int, _frame: FrameType | None) -> None:
        """Stop, as if a person had: then fixtures end what they have started."""
        self.hangs = True
        raise KeyboardInterrupt


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


def patience(tests: Iterable[str], seconds: dict[str, float]) -> float:
    """After how many seconds a process is killed: it should have stopped by itself before."""
    return 3 * PATIENCE + 5 * sum(seconds[test] for test in tests)


def run(copy: Path, arguments: Iterable[str], plugin: Plugin, limit: float = math.inf) -> dict[str, Any]:
    """Run pytest in a copy, in a process of its own, for so many seconds at most."""
    if not (child := os.fork()):
        try:
            os.chdir(copy)
            sys.path[0] = os.environ["PYTHONPATH"] = str(copy)
            with copy.with_suffix(".log").open("wb") as output:
                os.dup2(output.fileno(), 1)
                os.dup2(output.fileno(), 2)
            signal.signal(signal.SIGALRM, plugin.out_of_time)
            options = ("-q", "--hypothesis-seed=0", "-p", "no:cacheprovider", f"--basetemp={copy}.tmp")
            status = int(pytest.main([*options, *arguments], [plugin]))
            signal.setitimer(signal.ITIMER_REAL, 0)
            told = {"status": status, "failed": plugin.failed, "seconds": plugin.seconds, "hangs": plugin.hangs}
            copy.with_suffix(".json").write_text(json.dumps(told), "utf-8")
        finally:
            os._exit(0)
    return answer(copy, child, limit)


def answer(copy: Path, child: int, limit: float) -> dict[str, Any]:
    """What a process tells that runs pytest in this copy. Kills it after so many seconds."""
    told, until = copy.with_suffix(".json"), time.monotonic() + limit
    while not os.waitpid(child, os.WNOHANG)[0]:
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            limit = until = math.inf
        time.sleep(0.005)
    try:
        return dict(json.loads(told.read_text("utf-8")))
    except FileNotFoundError:
        return {"status": -1, "failed": [], "seconds": {}, "hangs": until == math.inf}
    finally:
        told.unlink(missing_ok=True)


def found_by(told: dict[str, Any]) -> str:
    """What found the mutant; empty, if the tests have passed."""
    if told["status"] in (0, 5):
        return ""
    return str((*told["failed"], "hangs" if told["hangs"] else "crash")[0])


class Reached:
    """Which tests reach which lines: each file of tests is watched once, and again when it has changed."""

    def __init__(self, work: Path, copy: Path, places: Iterable[str], jobs: int, most: float) -> None:
        self._most, self._work = most, work
        self.seconds: dict[str, float] = {}
        """All tests that pass, and how long they take."""
        self._data: list[tuple[CoverageData, dict[str, str]]] = []
        """What was watched, and the sources that ran then, by their hash."""
        files = sorted(file for place in places for file in (ROOT / place).rglob("test_*.py"))
        self._hashes = {file.relative_to(ROOT).as_posix(): _hash(file.read_bytes()) for file in files}
        known = set().union(*map(self._read, sorted(work.glob("*.watched.json"))))
        folders: defaultdict[str, list[str]] = defaultdict(list)
        for name in self._hashes.keys() - known:
            folders[name.rpartition("/")[0]].append(name)
        for folder, names in sorted(folders.items()):
            print(f"Watching {len(names)} files of {folder} ...", flush=True)
            data = work / f"{folder.replace('/', '.')}-{_hash(*(self._hashes[name] for name in sorted(names)))}"
            self._read(_watch(copy, sorted(names), data, jobs, self._hashes))

    def _read(self, noted: Path) -> set[str]:
        """Read what was noted. Returns the files of tests that are still the same."""
        told = json.loads(noted.read_text("utf-8"))
        same = {name for name, hashed in told["tests"].items() if self._hashes.get(name) == hashed}
        self.seconds.update({test: s for test, s in told["seconds"].items() if test.partition("::")[0] in same})
        data = CoverageData(str(noted).removesuffix(".watched.json") + ".coverage")
        if same and data.data_filename() and Path(data.data_filename()).exists():
            data.read()
            self._data.append((data, told["sources"]))
        return same

    def turn(self, mutant: Mutant) -> Turn:
        """The tests to try a mutant with, likely ones first, and how."""
        by_line = self._lines(mutant.path)
        found = set().union(*(by_line[line] for line in mutant.lines if line in by_line))
        at_import, loaded = "" in found, replacements(mutant, "") is not None
        found = (found - {""}) or set().union(*by_line.values()) - {""} or set(self.seconds)
        name, places = Path(mutant.path).stem, {Path("tests", f) for f in FOLDERS if mutant.path.startswith(f"{f}/")}
        files = {test: Path(test.partition("::")[0]) for test in found}
        named = {test for test, file in files.items() if name in file.stem}
        own = {test for test, file in files.items() if not places.isdisjoint(file.parents)}
        tests = [MESSAGES] if mutant.has_message and MESSAGES in self.seconds else []
        tests += self._some(named - {*tests}, self._most / 3)
        tests += self._some(own - {*tests}, self._most / 3)
        tests += self._some(found - {*tests}, self._most / 3)
        hashes = (self._hashes[file] for file in dict.fromkeys(test.partition("::")[0] for test in tests))
        return Turn(mutant, tests, _hash(*tests, *hashes), loaded, at_import)

    def _some(self, tests: Iterable[str], most: float) -> list[str]:
        """So many seconds of tests, but one at least: quick ones of each file, then slower ones."""
        number: defaultdict[str, Iterator[int]] = defaultdict(count)
        quick = sorted(tests, key=lambda test: (self.seconds[test], test))
        quick.sort(key={test: next(number[test.partition("::")[0]]) // AT_A_TIME for test in quick}.__getitem__)
        return quick[: max(1, bisect(list(accumulate(self.seconds[test] for test in quick)), most))]

    @lru_cache  # noqa: B019  # there is one of this class
    def _lines(self, path: str) -> dict[int, set[str]]:
        """The tests that reach the lines of a file; line 0 stands for any. A test without a name is the import."""
        lines: defaultdict[int, set[str]] = defaultdict(set)
        now = _hash((ROOT / path).read_bytes())
        for data, sources in self._data:
            for file in (file for file in data.measured_files() if file.endswith(f"/{path}")):
                for line, contexts in data.contexts_by_lineno(file).items():
                    tests = {context.rpartition("|")[0] for context in contexts} & {"", *self.seconds}
                    lines[line if sources.get(path) == now else 0] |= tests
        return lines


def _watch(copy: Path, files: list[str], data: Path, jobs: int, hashes: dict[str, str]) -> Path:
    settings, noted = Path(f"{data}.ini"), Path(f"{data}.watched.json")
    watched = "".join(f"\n  {copy}/{folder}" for folder in FOLDERS)
    settings.write_text(f"[run]\ndata_file = {data}.coverage\nsource ={watched}\n", "utf-8")
    cover = ("--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report=")
    spread = (f"-n{jobs}",) if jobs > 1 else ("-n0", "--dist=no")
    done = run(copy, (*spread, *cover, *files), Plugin())
    if done["status"] not in (0, 1, 5):
        sys.exit(f"The tests could not be watched: see {copy.with_suffix('.log')}")
    for test in done["failed"]:
        print(f"  left out, because it fails in the copy: {test}", flush=True)
        done["seconds"].pop(test, None)
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    sources = {path.relative_to(ROOT).as_posix(): _hash(path.read_bytes()) for path in paths}
    told = {"tests": {file: hashes[file] for file in files}, "sources": sources, "seconds": done["seconds"]}
    noted.write_text(json.dumps(told), "utf-8")
    return noted


def _hash(*parts: str | bytes) -> str:
    return hashlib.sha256(b"\0".join(part.encode() if isinstance(part, str) else part for part in parts)).hexdigest()[
        :12
    ]


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
