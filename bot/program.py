"""This program: how it is called from a shell, its version, and whether its files on disk are still those that run."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

NAME = "harbormaster"


def command(words: str = "") -> str:
    """A command as it can be typed here: "harbormaster log", or with the program's path if it isn't on PATH.

    >>> command("log").endswith("harbormaster log")
    True
    """
    program = NAME
    here = Path(sys.executable).with_name(NAME)
    if shutil.which(NAME) is None and here.exists():
        program = os.path.relpath(here) if here.is_relative_to(Path.cwd()) else str(here)
    return f"{program} {words}".rstrip()


def version() -> str:
    """The release, and whether the engine runs as native modules (`make compiled`)."""
    import engine.rules  # here, so that `harbormaster --help` needn't wait for it

    native = Path(engine.rules.__file__).suffix != ".py"
    return f"{NAME} {metadata.version(NAME)} ({'compiled' if native else 'pure Python'})"


PACKAGES = ("bot", "engine", "players", "render")
CODE_SUFFIXES = (".py", ".so", ".pyd")
LIBRARIES = ("pillow", "zlib-ng")
"""Packages with native modules that processes for CPU-heavy work import."""


def code_digest(root: Path = Path(__file__).parents[1]) -> str:
    """A digest of the program's code on disk, and of the versions of what it draws with. It takes some 20 ms."""
    found = hashlib.blake2b(digest_size=16)
    for path in _files(root):
        found.update(f"{path.relative_to(root)}\0".encode())
        found.update(hashlib.blake2b(path.read_bytes()).digest())
    for name in LIBRARIES:
        found.update(metadata.version(name).encode())
    return found.hexdigest()


def _files(root: Path) -> Iterator[Path]:
    for room in PACKAGES:
        yield from sorted(path for path in (root / room).rglob("*") if path.suffix in CODE_SUFFIXES)
