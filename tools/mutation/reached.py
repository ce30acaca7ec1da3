"""Which tests reach which lines, and so which tests can find a mutant."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, count
from pathlib import Path

from coverage import CoverageData

from tools.mutation.mutants import FOLDERS, ROOT, Mutant, moved_lines, replacements
from tools.mutation.runs import Plugin, run

MESSAGES = "tests/bot/words/test_catalogues.py::test_the_template_has_the_messages_of_the_source"
"""A test that reads the source instead of running it."""
AT_A_TIME = 5
"""How many tests of one file come before those of another: of many tests that reach a line, all sorts are tried."""


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
        own = {test for test in self.seconds if not places.isdisjoint(Path(test.partition("::")[0]).parents)}
        found |= set() if loaded else own  # what runs at import matters to tests that never come to the file
        named = {test for test in found if name in Path(test.partition("::")[0]).stem}
        tests = [MESSAGES] if mutant.has_message and MESSAGES in self.seconds else []
        tests += self._some(named - {*tests}, self._most / 3)
        tests += self._some((found & own) - {*tests}, self._most / 3)
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
        """The tests that reach the lines of a file; line 0 is any that has changed since. A test without a name is the
        import.
        """
        lines: defaultdict[int, set[str]] = defaultdict(set)
        for data, sources in self._data:
            then = self._work / "sources" / sources.get(path, "")
            now = moved_lines(then.read_text("utf-8"), (ROOT / path).read_text("utf-8")) if then.is_file() else {}
            for file in (file for file in data.measured_files() if file.endswith(f"/{path}")):
                for line, contexts in data.contexts_by_lineno(file).items():
                    lines[now.get(line, 0)] |= {one.rpartition("|")[0] for one in contexts} & {"", *self.seconds}
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
    sources = {path.relative_to(ROOT).as_posix(): _kept(data.parent / "sources", path) for path in paths}
    told = {"tests": {file: hashes[file] for file in files}, "sources": sources, "seconds": done["seconds"]}
    noted.write_text(json.dumps(told), "utf-8")
    return noted


def _kept(folder: Path, file: Path) -> str:
    """Keep a file as it is now. Returns its name there."""
    folder.mkdir(exist_ok=True)
    shutil.copy2(file, folder / (name := _hash(file.read_bytes())))
    return name


def _hash(*parts: str | bytes) -> str:
    return hashlib.sha256(b"\0".join(part.encode() if isinstance(part, str) else part for part in parts)).hexdigest()[
        :12
    ]
