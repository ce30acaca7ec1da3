"""The program's files on disk: whether they are still those that this process runs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

ROOMS = ("bot", "engine", "players", "render")
CODE = (".py", ".so", ".pyd")
LIBRARIES = ("pillow", "zlib-ng")
"""Packages with native modules that processes for CPU-heavy work import."""


def digest(root: Path = Path(__file__).parents[1]) -> str:
    """A digest of the program's code on disk, and of the versions of what it draws with. It takes some 20 ms."""
    found = hashlib.blake2b(digest_size=16)
    for path in _files(root):
        found.update(f"{path.relative_to(root)}\0".encode())
        found.update(hashlib.blake2b(path.read_bytes()).digest())
    for name in LIBRARIES:
        found.update(metadata.version(name).encode())
    return found.hexdigest()


def _files(root: Path) -> Iterator[Path]:
    for room in ROOMS:
        yield from sorted(path for path in (root / room).rglob("*") if path.suffix in CODE)
