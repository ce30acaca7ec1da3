"""The project keeps its shape: imports go one way, files stay short, and nothing ties the project to one machine."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest

from tests.house import ROOT, page, tracked

ALONE = ("engine", "tools")
"""Rooms that import only themselves and the standard library. `make lint` checks the layers."""
# The engine has no clock, no chance of its own, no store and no network.
NOT_IN_ENGINE = frozenset({"time", "datetime", "secrets", "uuid", "sqlite3", "asyncio", "socket", "subprocess"})
DRIVERS = frozenset({"sqlite3", "aiosqlite", "asyncpg"})
STORES = frozenset({ROOT / "bot/store/sqlite", ROOT / "bot/store/postgresql"})

MOST_LINES = 400
LOCKS = ".lock"
# Written in pieces, so that this file passes its own test.
FOREIGN = re.compile(
    r"(?<![\w.~/-])/(?:home|root|work|tmp|opt|Users|private)/\w"
    r"|\b[A-Z]:\\{1,2}Users"
    r"|py" + r"pi\.org|python" + r"hosted\.org|--(?:extra-)?index" + r"-url|--find" + r"-links"
)

BOOKISH = re.compile(
    r"\b(?:(?:some|any|every|no)body|whoever|anew|once more|beside|any more|colours?|neighbours?|cancelled|grey)\b",
    re.I,
)
QUOTED = re.compile(r"`[^`]*`|\"[^\"\n]*\"")


def imports(path: Path, *names: str) -> Iterator[tuple[int, str]]:
    """Line and full name of each absolute import in a source file, at any depth. If there are `names`, a file without
    any of them is left out: parsing takes long."""
    if names and not any(name in page(path) for name in names):
        return
    for node in ast.walk(ast.parse(page(path), str(path))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def sources(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


FOR_MAINTAINERS = ("texts.py", "fonts.py", "mutation")
"""Tools that only run in the environment of `make test`, or in one of their own."""


@pytest.mark.parametrize("room", ALONE)
def test_the_engine_and_the_tools_need_the_standard_library_only(room: str) -> None:
    allowed = sys.stdlib_module_names | {room}
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sources(room)
        if path.relative_to(ROOT / room).parts[0] not in FOR_MAINTAINERS
        for line, name in imports(path)
        if name.partition(".")[0] not in allowed
    ]
    assert not wrong, "\n".join(wrong)


def test_the_engine_has_no_clock_and_no_randomness_of_its_own() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sources("engine")
        for line, name in imports(path)
        if name.partition(".")[0] in NOT_IN_ENGINE or (name.startswith("random") and name != "random.Random")
    ]
    assert not wrong, "\n".join(wrong)


def test_only_the_stores_import_a_database_driver() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sources("bot")
        for line, name in imports(path, *DRIVERS)
        if name.partition(".")[0] in DRIVERS
        and not {ROOT / "bot/store/sqlite", ROOT / "bot/store/postgresql"} & {*path.parents}
    ]
    assert not wrong, "\n".join(wrong)


def test_no_module_imports_from_a_test_module() -> None:
    """What several tests need is in a module next to them, or is a fixture."""
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for room in ("tests", "bench", "docs")
        for path in sources(room)
        for line, name in imports(path, ".test_", "import test_", "    test_", ", test_")
        if name.startswith("tests.") and ".test_" in name
    ]
    assert not wrong, "\n".join(wrong)


def test_docstrings_and_comments_are_plain_american_english() -> None:
    """What the glossary is for players, this is for developers. Quoted words may be anything."""
    comment_or_docstring = re.compile(r'^ *(?:"""(.*?)"""|#(.*?)$)|  # (.*?)$', re.DOTALL | re.MULTILINE)
    wrong = [
        f"{path.relative_to(ROOT)}: {word[0]}: {' '.join(text.split())[:100]}"
        for path in tracked()
        if path.suffix == ".py"
        for parts in comment_or_docstring.findall(path.read_text("utf-8"))
        for text in parts
        if (word := BOOKISH.search(QUOTED.sub("", text)))
    ]
    assert not wrong, "\n".join(wrong)


def test_source_files_stay_short() -> None:
    lines = {
        path.relative_to(ROOT): len(path.read_text("utf-8").splitlines())
        for path in tracked()
        if path.suffix in (".py", ".js", ".css")
    }
    assert not {str(path): count for path, count in lines.items() if count > MOST_LINES}


def test_no_file_names_a_machine_or_a_registry() -> None:
    wrong = []
    for path in tracked():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a font
        if not FOREIGN.search(text):
            continue
        wrong += [
            f"{path.relative_to(ROOT)}:{number}: {found[0]}"
            for number, line in enumerate(text.splitlines(), 1)
            if (found := FOREIGN.search(line))
        ]
    assert not wrong, "\n".join(wrong)


def test_no_one_is_told_to_install_another_program_of_the_same_name() -> None:
    """On the public index, `harbormaster` is someone else's. The extras are installed from a clone: `.[play]`."""
    theirs = re.compile(r"(?<![\w/-])harbormaster\[|pip3? install (-\S+ )*['\"]?harbormaster\b", re.I)
    wrong = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in tracked()
        if path.suffix in (".md", ".py", ".yml", ".yaml", ".example", ".po", "") and path != Path(__file__)
        if "harbormaster" in page(path).casefold() and (found := theirs.search(page(path)))
    ]
    assert not wrong, "\n".join(wrong)
    needed = tomllib.loads(page(ROOT / "pyproject.toml"))["project"]["optional-dependencies"]
    for name in ("docs/monitoring.md", "bot/process.py"):
        assert needed["sentry"][0] in page(ROOT / name), name


def test_locked_packages_have_hashes_and_only_the_bench_lock_has_gpl_ones() -> None:
    for path in [path for path in tracked() if path.suffix == LOCKS]:
        text = path.read_text("utf-8")
        pinned = re.findall(r"^[a-z0-9][^\n]*==[^\n]*\\\n    --hash=sha256:", text, re.MULTILINE)
        assert len(pinned) == len(re.findall(r"^[a-z0-9]", text, re.MULTILINE)) > 0, path.name
        assert ("catanatron" in text) == (path.stem == "requirements-bench"), path.name


def test_the_locks_pin_extras_by_name() -> None:
    """If only `coverage` is pinned, the pip of Python 3.11 takes the newest `coverage[toml]`."""
    extras = re.compile(r"([\w.-]+)\[(\w+)\][^;]*(?:;(.*))?")
    for path in [path for path in tracked() if path.suffix == LOCKS and path.stem != "requirements-bench"]:
        pinned = dict(re.findall(r"^([\w.-]+)((?:\[\w+\])?)==", path.read_text("utf-8"), re.MULTILINE))
        extras_needed = {
            (found[1].lower(), f"[{found[2]}]")
            for name in pinned
            if (requirements := installed(name)) is not None
            for line in requirements
            if (found := extras.match(line)) and "extra ==" not in (found[3] or "")
        }
        assert {(name, extra) for name, extra in extras_needed if pinned.get(name, extra) != extra} == set(), path.name


def installed(name: str) -> list[str] | None:
    """The requirements of a distribution, or None if it isn't installed here."""
    try:
        return requires(name)
    except PackageNotFoundError:
        return None
