"""Databases as versions made them that had no table of what is shown."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg

from bot.store.sql import tables
from bot.store.sqlite.file import scripts

LAST = 23
"""The latest migration that those versions knew."""


def make_file(path: Path) -> None:
    """Make a file with the tables of those versions."""
    with closing(sqlite3.connect(path)) as sql:
        for script in [script for number, script in scripts().items() if number <= LAST]:
            sql.executescript(script)


async def make_tables(address: str) -> Any:
    """Make the tables of those versions in an empty database on a server. Returns a connection."""
    connection = await asyncpg.connect(address)
    await connection.execute("CREATE TABLE schema_version (number INTEGER NOT NULL)")
    for text in [text for number, text in tables.steps("bot.store.postgresql").items() if number <= LAST]:
        await connection.execute(text)
    await connection.execute("INSERT INTO schema_version (number) VALUES ($1)", LAST)
    return connection
