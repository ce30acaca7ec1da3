"""The steps that bring a file up to date."""

from __future__ import annotations

import re

from bot.store.sql import migrate

NUMBER = "PRAGMA user_version"
"""Query for the number of a file's latest step."""
_WORDS = {
    "BIGINT": "INTEGER",
    "DOUBLE PRECISION": "REAL",
    "BYTEA": "BLOB",
    "\n);": "\n) STRICT;",
    "string_agg": "group_concat",
}


def scripts() -> dict[int, str]:
    """SQL of all steps by number, in order; each is one transaction and stores its number."""
    return {
        number: f"BEGIN IMMEDIATE;\n{_translated(text)}\nPRAGMA user_version = {number};\nCOMMIT;"
        for number, text in migrate.steps(__package__).items()
    }


def _translated(text: str) -> str:
    """A step with SQLite's names for types, in STRICT tables, which enforce them."""
    return re.sub("|".join(map(re.escape, _WORDS)), lambda found: _WORDS[found[0]], text)
