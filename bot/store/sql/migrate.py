"""Numbered SQL files that bring a database up to date, each applied once.

What a database had when several could be chosen stands in its own folder; since then all take the same steps, which
are written in PostgreSQL's words for types.
"""

from __future__ import annotations

from importlib import resources


def steps(package: str) -> dict[int, str]:
    """SQL of all steps by number, in order: those in the package of one database, and those that all take."""
    found = {}
    for folder in (resources.files(package), resources.files(__package__)):
        for file in (folder / "migrations").iterdir():
            if file.name.endswith(".sql"):
                found[int(file.name[:4])] = file.read_text("utf-8")
    return dict(sorted(found.items()))
