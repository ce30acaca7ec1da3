"""Bringing a file up to date: numbered SQL files, each of which is applied once."""

from __future__ import annotations

from importlib import resources

NUMBER = "PRAGMA user_version"
"""Asks a file for the number of its latest migration."""


def scripts() -> dict[int, str]:
    """SQL of all migrations by number, in order; each is one transaction and stores its number."""
    folder = resources.files(__package__) / "migrations"
    texts = {int(file.name[:4]): file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".sql")}
    return {n: f"BEGIN IMMEDIATE;\n{texts[n]}\nPRAGMA user_version = {n};\nCOMMIT;" for n in sorted(texts)}
