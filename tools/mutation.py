"""Plants small faults in the source, one at a time, and counts how many the tests find: `python tools/mutation.py`
(`make mutation`). The faults (mutants) are those of mutmut: another operator or number, a missing argument, `None`.

mutmut itself leaves out class bodies and decorated functions, and slows down the others; here a mutant is a changed
file. A folder has too many mutants to try all of them, so this tries a random sample, the same for the same seed; a
larger sample contains the smaller one. It all happens in copies, in a temporary folder. What was tried is noted there,
so a run that was interrupted goes on. If tests change, survivors are tried again; if the source does, everything is.

A mutant is tried with the tests that reach its line, likely ones first, up to `--most` seconds of them; so the share
that is found is rather too low than too high. If the line only runs at import, these are the tests that reach its file;
if none does, all tests. Tests that hang have found the mutant, too.

Left out: annotations and type aliases, decorators, docstrings and other text in three quotes, texts of the log,
imports, `__all__`, arguments of `len`, `isinstance` and `cast`, strings in other letter case, and missing cases of
`match`.

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
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff
from functools import lru_cache
from itertools import accumulate, islice, zip_longest
from multiprocessing.context import ForkProcess
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import libcst as cst
import pytest
from coverage import CoverageData
from libcst.metadata import MetadataWrapper, WhitespaceInclusivePositionProvider
from mutmut.mutation.mutators import mutation_operators, operator_match, operator_string

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("engine", "bot/table", "bot/service", "bot/store")
TESTS = ("tests/engine", "tests/games", "tests/players", "tests/bot")

FIRST_TESTS = 40
"""How many tests come before all others: most mutants are found by these."""
PATIENCE = 60.0
"""Seconds that tests can take, a second for each file, and five times what they took, before they count as hanging."""
CONTROL = 50
"""After how many mutants the tests run without one."""

PRELOADED = (
    *("pytest_asyncio.plugin", "pytest_cov.plugin", "xdist.plugin", "hypothesis", "discord", "discord.ext.commands"),
    *("aiosqlite", "asyncpg", "aiohttp.web", "PIL.Image", "babel", "openskill.models", "pydantic_settings"),
    *("prometheus_client", "cachetools", "sentry_sdk", "simcord"),
)
"""What needn't be imported again for each mutant. None of it imports Harbormaster."""


@dataclass(frozen=True)
class Mutant:
    """A change of a file."""

    path: str
    start: tuple[int, int]
    """Line and column, from 1 and from 0."""
    end: tuple[int, int]
    new: str
    lines: range
    """The lines of the statement; of one with a body, without that."""

    @property
    def key(self) -> str:
        return f"{self.path}:{self.start[0]}:{self.start[1]}-{self.end[0]}:{self.end[1]} {self.new}"

    @property
    def original(self) -> str:
        return (ROOT / self.path).read_text("utf-8")

    @property
    def changed(self) -> str:
        """The file with the change."""
        lines = self.original.splitlines(keepends=True)
        before, after = lines[self.start[0] - 1][: self.start[1]], lines[self.end[0] - 1][self.end[1] :]
        return "".join((*lines[: self.start[0] - 1], before, self.new, after, *lines[self.end[0] :]))

    def __str__(self) -> str:
        _, _, *difference = unified_diff(self.original.splitlines(), self.changed.splitlines(), lineterm="", n=0)
        return "\n".join((f"{self.path}:{self.start[0]}", *difference[1:]))


class _Finder(cst.CSTVisitor):  # type: ignore[misc]  # mypy runs where libcst is not installed
    """Collects the mutants of a file."""

    METADATA_DEPENDENCIES = (WhitespaceInclusivePositionProvider,)

    def __init__(self, path: str, module: cst.Module) -> None:
        super().__init__()
        self._path, self._module, self._lines = path, module, range(0)
        self.found: dict[str, Mutant] = {}

    def on_visit(self, node: cst.CSTNode) -> bool:
        if _left_out(node):
            return False
        if isinstance(node, cst.SimpleStatementLine | cst.BaseCompoundStatement):
            where, body = self._where(node), getattr(node, "body", None)
            end = self._where(body).start.line if isinstance(body, cst.BaseSuite) else where.end.line
            self._lines = range(where.start.line, end + 1)
        for kind, operator in mutation_operators:
            if isinstance(node, kind) and operator is not operator_match:  # a statement with an indented body
                variants = list(operator(node))
                for new in variants[:1] if operator is operator_string else variants:
                    self._note(node, new)
        return True

    def _note(self, node: cst.CSTNode, new: cst.CSTNode) -> None:
        start, end = self._where(node).start, self._where(node).end
        changed = self._module.code_for_node(new)
        mutant = Mutant(self._path, (start.line, start.column), (end.line, end.column), changed, self._lines)
        self.found[mutant.key] = mutant

    def _where(self, node: cst.CSTNode | None) -> Any:
        return self.get_metadata(WhitespaceInclusivePositionProvider, node)


def _left_out(node: cst.CSTNode) -> bool:
    match node:
        case cst.Annotation() | cst.Decorator() | cst.Import() | cst.ImportFrom():
            return True
        case cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString()):
            return True
        case cst.Call(func=cst.Name(value=name)):
            return name in {"len", "isinstance", "cast", "TypeVar", "ParamSpec", "NewType"}
        case cst.Call(func=cst.Attribute(value=cst.Name(value=name))):
            return bool(name.endswith("log"))
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value):
            return name == "__all__" or (not isinstance(value, cst.Call) and bool(re.match("[A-Z][a-z]", name)))
    return False


def mutants(folder: str) -> list[Mutant]:
    """All mutants of a folder, in order."""
    found: list[Mutant] = []
    for file in sorted((ROOT / folder).rglob("*.py")):
        wrapper = MetadataWrapper(cst.parse_module(file.read_text("utf-8")), unsafe_skip_copy=True)
        finder = _Finder(file.relative_to(ROOT).as_posix(), wrapper.module)
        wrapper.visit(finder)
        found.extend(finder.found.values())
    return found


def is_python(mutant: Mutant) -> bool:
    with suppress(SyntaxError):
        return bool(compile(mutant.changed, mutant.path, "exec", dont_inherit=True))
    return False


class Plugin:
    """Runs only these tests, in this order (all, if none is named). Notes how long they take, and which fail."""

    def __init__(self, tests: Sequence[str] = ()) -> None:
        self._rank = {test: number for number, test in enumerate(tests)}
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.failed: list[str] = []
        self.hangs = False

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        known = [item for item in items if item.nodeid in self._rank or not self._rank]
        items[:] = sorted(known, key=lambda item: self._rank.get(item.nodeid, 0))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def out_of_time(self, _number: int, _frame: FrameType | None) -> None:
        """Stop, as if a person had: then fixtures end what they have started."""
        self.hangs = True
        raise KeyboardInterrupt


def run(copy: Path, arguments: Iterable[str], plugin: Plugin, limit: float) -> dict[str, Any]:
    """Run pytest in a copy, in a process of its own, for so many seconds at most."""
    told = copy.with_suffix(".json")
    told.unlink(missing_ok=True)
    if not (child := os.fork()):
        try:
            os.chdir(copy)
            sys.path[0] = os.environ["PYTHONPATH"] = str(copy)
            with copy.with_suffix(".log").open("wb") as output:
                os.dup2(output.fileno(), 1)
                os.dup2(output.fileno(), 2)
            signal.signal(signal.SIGALRM, plugin.out_of_time)
            signal.setitimer(signal.ITIMER_REAL, limit)
            status = int(pytest.main(["-q", "--hypothesis-seed=0", "-p", "no:cacheprovider", *arguments], [plugin]))
            signal.setitimer(signal.ITIMER_REAL, 0)
            answer = {"status": status, "failed": plugin.failed, "seconds": plugin.seconds, "hangs": plugin.hangs}
            told.write_text(json.dumps(answer), "utf-8")
        finally:
            os._exit(0)
    until = time.monotonic() + limit + PATIENCE
    while not os.waitpid(child, os.WNOHANG)[0]:
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            until = math.inf
        time.sleep(0.02)
    if told.exists():
        return dict(json.loads(told.read_text("utf-8")))
    return {"status": -1, "failed": [], "seconds": {}, "hangs": until == math.inf}


class Reached:
    """Which tests reach which lines: each folder of tests is watched once, and again when one of them has changed."""

    def __init__(self, work: Path, copy: Path, places: Iterable[str], jobs: int, most: float) -> None:
        self._most = most
        self.seconds: dict[str, float] = {}
        """All tests that pass, and how long they take."""
        self._data: list[CoverageData] = []
        folders: defaultdict[Path, list[Path]] = defaultdict(list)
        for place in places:
            for file in sorted((ROOT / place).rglob("test_*.py")):
                folders[file.parent].append(file)
        self.version = f"{_hash(file for files in folders.values() for file in files)} {most}"
        """Another one when a test has changed, or when more tests are tried."""
        for folder, files in folders.items():
            data = work / f"{'.'.join(folder.relative_to(ROOT).parts)}-{_hash(files)}.coverage"
            if not data.with_suffix(".json").exists():
                print(f"Watching {folder.relative_to(ROOT)} ...", flush=True)
                _watch(copy, [file.relative_to(ROOT).as_posix() for file in files], data, jobs)
            self.seconds.update(json.loads(data.with_suffix(".json").read_text("utf-8")))
            if data.exists():
                self._data.append(CoverageData(str(data)))
                self._data[-1].read()

    def tests(self, mutant: Mutant) -> list[str]:
        """The tests to try a mutant with, likely ones first."""
        by_line = self._lines(mutant.path)
        found = set().union(*(by_line[line] for line in mutant.lines if line in by_line))
        found = found or set().union(*by_line.values()) or set(self.seconds)
        name, places = Path(mutant.path).stem, {Path("tests", f) for f in FOLDERS if mutant.path.startswith(f"{f}/")}

        def unlikely(test: str) -> tuple[bool, bool, float, str]:
            file = Path(test.partition("::")[0])
            return name not in file.stem, places.isdisjoint(file.parents), self.seconds[test], test

        likely = sorted(found, key=unlikely)
        until = list(accumulate(self.seconds[test] for test in likely))
        return likely[: max(1, bisect(until, self._most))]

    @lru_cache  # noqa: B019  # there is one of this class
    def _lines(self, path: str) -> dict[int, set[str]]:
        lines: defaultdict[int, set[str]] = defaultdict(set)
        for data in self._data:
            for file in (file for file in data.measured_files() if file.endswith(f"/{path}")):
                for line, contexts in data.contexts_by_lineno(file).items():
                    lines[line] |= {context.rpartition("|")[0] for context in contexts} & self.seconds.keys()
        return {line: tests for line, tests in lines.items() if tests}


def _watch(copy: Path, files: list[str], data: Path, jobs: int) -> None:
    settings = data.with_suffix(".ini")
    watched = "".join(f"\n  {copy}/{folder}" for folder in FOLDERS)
    settings.write_text(f"[run]\ndata_file = {data}\nsource ={watched}\n", "utf-8")
    cover = ("--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report=")
    spread = (f"-n{jobs}",) if jobs > 1 else ("-n0", "--dist=no")
    done = run(copy, (*spread, *cover, *files), Plugin(), 3600.0)
    if done["status"] not in (0, 1, 5):
        sys.exit(f"The tests could not be watched: see {copy.with_suffix('.log')}")
    for test in done["failed"]:
        print(f"  left out, because it fails in the copy: {test}", flush=True)
        done["seconds"].pop(test, None)
    data.with_suffix(".json").write_text(json.dumps(done["seconds"]), "utf-8")


def _hash(files: Iterable[Path]) -> str:
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:12]


def copied(copy: Path) -> Path:
    """Bring a copy of the repository up to date."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    for source, target in ((ROOT / name, copy / name) for name in names if name):
        if source.is_file() and not (target.exists() and target.stat().st_mtime_ns == source.stat().st_mtime_ns):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    return copy


def tried(copy: Path, mutant: Mutant | None, tests: list[str], seconds: dict[str, float]) -> str:
    """Run these tests with a mutant in the copy, or without one. Returns what found it."""
    if mutant:
        target = copy / mutant.path
        target.write_text(mutant.changed, "utf-8")
        seen = int(time.time() * 1000) % (1 << 30)  # compiled code goes by the time in whole seconds
        os.utime(target, (seen, seen))
    try:
        for part in filter(None, (tests[:FIRST_TESTS], tests[FIRST_TESTS:])):
            files = list(dict.fromkeys(test.partition("::")[0] for test in part))
            limit = PATIENCE + len(files) + 5 * sum(seconds[test] for test in part)
            done = run(copy, ("-n0", "-x", *files), Plugin(part), limit)
            if done["status"] not in (0, 5):
                return str((*done["failed"], "hangs" if done["hangs"] else "crash")[0])
        return ""
    finally:
        if mutant:
            shutil.copy2(ROOT / mutant.path, copy / mutant.path)


def try_all(copy: Path, chosen: Sequence[tuple[Mutant, list[str]]], reached: Reached, results: Path) -> None:
    """Try mutants, each with its tests, and note what found them."""
    for name in PRELOADED:
        importlib.import_module(name)
    gc.freeze()
    for number, (mutant, tests) in enumerate(chosen, 1):
        for planted in (mutant, None) if number % CONTROL == 0 else (mutant,):
            found = tried(copy, planted, tests, reached.seconds)
            noted = {"key": planted.key if planted else "", "version": reached.version, "found": found}
            with results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(noted) + "\n")
            print(f"{number}/{len(chosen)} {planted or 'without a mutant'}: {found or 'SURVIVED'}", flush=True)


def interval(found: int, tried: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, in percent."""
    middle, width = found + 1.96**2 / 2, 1.96 * math.sqrt(found * (tried - found) / tried + 1.96**2 / 4)
    return 100 * (middle - width) / (tried + 1.96**2), 100 * (middle + width) / (tried + 1.96**2)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("folders", nargs="*", default=FOLDERS, help="(%(default)s)")
    parser.add_argument("--sample", type=int, default=200, metavar="N", help="mutants of each folder (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="chooses the sample (%(default)s)")
    parser.add_argument("--most", type=float, default=60.0, metavar="S", help="seconds of tests (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (%(default)s)")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="where the tests are (%(default)s)")
    given = parser.parse_args()

    sources = sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))
    work = Path(tempfile.gettempdir()) / "harbormaster-mutation" / _hash(sources)
    copies = [copied(work / f"copy-{number}") for number in range(given.jobs)]
    reached, results = Reached(work, copies[0], given.tests, given.jobs, given.most), work / "results.jsonl"
    results.touch()

    every = {folder: mutants(folder) for folder in given.folders}
    chosen = {
        folder: list(islice(filter(is_python, Random(f"{given.seed}/{folder}").sample(some, len(some))), given.sample))
        for folder, some in every.items()
    }
    noted = [json.loads(line) for line in results.read_text("utf-8").splitlines()]
    known = {done["key"] for done in noted if done["found"] or done["version"] == reached.version}
    turns = [mutant for some in zip_longest(*chosen.values()) for mutant in some if mutant and mutant.key not in known]
    turns.sort(key=lambda mutant: any(mutant.key == done["key"] for done in noted))  # new ones first
    tests = [(mutant, reached.tests(mutant)) for mutant in turns]  # here, because a fork empties a file of coverage
    shares = [(copy, tests[number :: given.jobs], reached, results) for number, copy in enumerate(copies)]
    workers = [ForkProcess(target=try_all, args=share) for share in shares]
    for act in (ForkProcess.start, ForkProcess.join):
        for worker in workers:
            act(worker)
    noted = [json.loads(line) for line in results.read_text("utf-8").splitlines()]
    found = {done["key"]: done["found"] for done in noted}
    for folder, some in chosen.items():
        answers = [found[mutant.key] for mutant in some if mutant.key in found]
        killed = sum(map(bool, answers))
        low, high = interval(killed, max(1, len(answers)))
        print(
            f"{folder}: {killed} of {len(answers)} found, {100 * killed / max(1, len(answers)):.1f} %"
            f" ({low:.1f} to {high:.1f}); {answers.count('hangs')} hang; of {len(every[folder])} mutants"
        )
    survivors = [str(mutant) for some in chosen.values() for mutant in some if found.get(mutant.key) == ""]
    (work / "survivors.txt").write_text("\n\n".join(survivors) + "\n", "utf-8")
    wrong = [done["found"] for done in noted if not done["key"] and done["found"]]
    print(f"Survivors: {work}/survivors.txt. Failed without a mutant: {', '.join(wrong) or 'nothing'}.")


if __name__ == "__main__":
    main()
