"""Numbered SQL files that bring a database up to date, each applied once.

Up to the fourth step, each database has its own files in its own folder. Since then all databases take the same steps,
written with PostgreSQL's names for types.
"""

from __future__ import annotations

from importlib import resources


def steps(package: str) -> dict[int, str]:
    """SQL of all steps by number, in order: those in the package of one database, and those that all databases take."""
    texts = {}
    for folder in (resources.files(package), resources.files(__package__)):
        for file in (folder / "migrations").iterdir():
            if file.name.endswith(".sql"):
                texts[int(file.name[:4])] = file.read_text("utf-8")
    return dict(sorted(texts.items()))
