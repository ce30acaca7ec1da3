"""Small faults (mutants) of source files, those of mutmut: another operator or number, a missing argument, `None`.

mutmut itself leaves out class bodies and decorated functions, and slows down the others; here a mutant is a changed
file. Left out: annotations and type aliases, decorators, docstrings and other text in three quotes, texts of the log,
imports, `__all__`, arguments of `len`, `isinstance` and `cast`, strings in other letter case, and missing cases of
`match`.
"""

from __future__ import annotations

import hashlib
import inspect
import math
import os
import re
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import SequenceMatcher, unified_diff
from itertools import islice
from pathlib import Path
from types import CodeType
from typing import Any

import libcst as cst
from libcst.metadata import MetadataWrapper, WhitespaceInclusivePositionProvider
from mutmut.mutation.mutators import mutation_operators, operator_match, operator_string

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("engine", "bot/table", "bot/service", "bot/store")


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
    key: str
    """What it changes, without the line's number: the same when other lines come or go."""
    original: str = field(repr=False, compare=False)
    """The file without the change."""

    @property
    def has_message(self) -> bool:
        """Whether there is a message for translators in what it changes."""
        return "_(" in self.key or "refusal(" in self.key

    @property
    def changed(self) -> str:
        """The file with the change."""
        lines = self.original.splitlines(keepends=True)
        return "".join((*lines[: self.start[0] - 1], self._in(lines), *lines[self.end[0] :]))

    def _in(self, lines: list[str]) -> str:
        return lines[self.start[0] - 1][: self.start[1]] + self.new + lines[self.end[0] - 1][self.end[1] :]

    def plant(self, copy: Path) -> None:
        """Change the file in a copy of the repository."""
        target = copy / self.path
        target.write_text(self.changed, "utf-8")
        seen = int(time.time() * 1000) % (1 << 30)  # compiled code goes by the time in whole seconds
        os.utime(target, (seen, seen))

    def remove(self, copy: Path) -> None:
        (copy / self.path).write_text(self.original, "utf-8")

    def __str__(self) -> str:
        _, _, *difference = unified_diff(self.original.splitlines(), self.changed.splitlines(), lineterm="", n=0)
        return "\n".join((f"{self.path}:{self.start[0]}", *difference[1:]))


class _Finder(cst.CSTVisitor):  # type: ignore[misc]  # mypy runs where libcst is not installed
    """Collects the mutants of a file."""

    METADATA_DEPENDENCIES = (WhitespaceInclusivePositionProvider,)

    def __init__(self, path: str, text: str, module: cst.Module) -> None:
        super().__init__()
        self._path, self._text, self._module, self._lines = path, text, module, range(0)
        self._split = text.splitlines(keepends=True)
        self._counts = Counter[str]()
        self.found: list[Mutant] = []

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
                    self._note(node, self._module.code_for_node(new))
        return True

    def _note(self, node: cst.CSTNode, new: str) -> None:
        (first, left), (last, right) = ((at.line, at.column) for at in (self._where(node).start, self._where(node).end))
        old = self._split[first - 1 : last]
        changed = old[0][:left] + new + old[-1][right:]
        key = f"{self._path}: {''.join(old).strip()} -> {changed.strip()}"
        self._counts[key] += 1
        key += f" ({self._counts[key]})" if self._counts[key] > 1 else ""
        self.found.append(Mutant(self._path, (first, left), (last, right), new, self._lines, key, self._text))

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


def copied(copy: Path) -> Path:
    """Bring a copy of the repository up to date."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    for source, target in ((ROOT / name, copy / name) for name in names if name):
        if source.is_file() and not (target.exists() and target.stat().st_mtime_ns == source.stat().st_mtime_ns):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    return copy


def mutants(folder: str) -> list[Mutant]:
    """All mutants of a folder, in order."""
    found: list[Mutant] = []
    for file in sorted((ROOT / folder).rglob("*.py")):
        text = file.read_text("utf-8")
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        finder = _Finder(file.relative_to(ROOT).as_posix(), text, wrapper.module)
        wrapper.visit(finder)
        found.extend(finder.found)
    return found


def sample(some: Iterable[Mutant], size: int, seed: int) -> list[Mutant]:
    """A random sample. A larger one contains a smaller one; and it stays nearly the same when few lines change."""
    drawn = sorted(some, key=lambda mutant: hashlib.sha256(f"{seed} {mutant.key}".encode()).digest())
    return list(islice(filter(_is_another_program, drawn), size))


def _is_another_program(mutant: Mutant) -> bool:
    with suppress(SyntaxError):
        old, new = (compile(text, "", "exec", dont_inherit=True) for text in (mutant.original, mutant.changed))
        return _shape(old) != _shape(new)
    return False


def moved_lines(old: str, new: str) -> dict[int, int]:
    """Where the lines of an earlier version of a file are now, from 1."""
    matcher = SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False)
    return {a + n: b + n for a, b, size in matcher.get_matching_blocks() for n in range(1, size + 1)}


def interval(found: int, tried: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, in percent."""
    middle, width = found + 1.96**2 / 2, 1.96 * math.sqrt(found * (tried - found) / max(1, tried) + 1.96**2 / 4)
    return 100 * (middle - width) / (tried + 1.96**2), 100 * (middle + width) / (tried + 1.96**2)


def replacements(mutant: Mutant, file: str) -> dict[CodeType, CodeType] | None:
    """The functions' code that the mutant changes in a module that was imported from this file, and the new code. None
    if it changes more than functions: what runs at import, or what a function takes from around it.
    """
    pairs = _changed(*(compile(text, file, "exec", dont_inherit=True) for text in (mutant.original, mutant.changed)))
    try:
        return dict(pairs)
    except ValueError:
        return None


def _changed(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The changed functions, outer ones first.

    :raises ValueError: if there is a change outside of functions, or one that needs another closure.
    """
    before, after = _inner(old), _inner(new)
    if old.co_flags & inspect.CO_OPTIMIZED:  # a function, no class and no module
        if _shape(old) == _shape(new):
            return
        if old.co_freevars != new.co_freevars:
            raise ValueError("another closure")
        yield old, new
        if len(before) != len(after):  # functions in it that stand now stay as they are
            return
    elif _own(old) != _own(new):
        raise ValueError("not in a function")
    for pair in zip(before, after, strict=True):
        yield from _changed(*pair)


def _inner(code: CodeType) -> list[CodeType]:
    return [one for one in code.co_consts if isinstance(one, CodeType)]


def _own(code: CodeType) -> tuple[object, ...]:
    """What a piece of code does by itself, wherever it stands."""
    constants = tuple(repr(one) for one in code.co_consts if not isinstance(one, CodeType))
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


def _shape(code: CodeType) -> tuple[object, ...]:
    return *_own(code), code.co_exceptiontable, *map(_shape, _inner(code))
