"""How many bytes games take in each of the two databases, indexes included: `python -m bench.size [GAMES …]`.

Finished games are measured in the hour after their end, and later, when they are packed and their interactions are
forgotten. Running games are half played: in one evening, with all interactions, or over days, without them. PostgreSQL
is measured after VACUUM FULL, SQLite's file without its free pages.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import asyncpg

from bench.table import Row, at_most, show
from bot.settings import StoreAddress
from bot.store import open_store
from tests.bot.store.filled import filled
from tests.postgres import server

GOAL = 20.0
"""Goal: kB of a finished game."""
TABLES = ("games", "members", "records", "histories", "interactions", "shown")


async def size(database: StoreAddress) -> dict[str, int]:
    """Bytes by table, indexes included."""
    if isinstance(database, Path):
        with closing(sqlite3.connect(database)) as sql:
            query = (
                "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name)"
                f" WHERE tbl_name IN {TABLES} GROUP BY tbl_name"
            )
            return dict(sql.execute(query).fetchall())
    connection = await asyncpg.connect(database)
    try:
        await connection.execute("VACUUM FULL")
        return {name: await connection.fetchval("SELECT pg_total_relation_size($1::regclass)", name) for name in TABLES}
    finally:
        await connection.close()


async def pack(database: StoreAddress, days: int = 0) -> float:
    """Pack all finished games, or delete those older than so many days. Returns the seconds that it took."""
    store = await open_store(database, days=days)
    began = time.perf_counter()
    while await store._database.tidy():
        pass
    took = time.perf_counter() - began
    await store.close()
    return took


async def measure(name: str, empty: StoreAddress, other: StoreAddress, games: int) -> None:
    """Print what that many games cost, in two new databases."""

    def told(what: str, sizes: dict[str, int], *without: str, goal: bool = False) -> Row:
        left = {table: n / games / 1000 for table, n in sizes.items() if table not in without and n / games >= 50}
        what, whole = f"{name}, {games:,}: {what}", sum(left.values())
        remark = ", ".join(f"{table} {n:.1f}" for table, n in sorted(left.items(), key=lambda item: -item[1]))
        return at_most(what, whole, GOAL, "kB", remark) if goal else Row(what, f"{whole:.1f} kB", remark)

    await filled(empty, 0, games)
    fresh = await size(empty)
    took = await pack(empty)
    packed = await size(empty)
    await filled(other, games, 0)
    running = await size(other)
    show(
        [
            told("over, in its first hour", fresh),
            told("over, two hours later", packed, "interactions", goal=True),
            told("in the middle of an evening", running),
            told("in the middle, over days", running, "interactions"),
            Row(f"{name}, {games:,}: packing", f"{1000 * took / games:.1f} ms a game"),
        ]
    )


async def main(counts: list[int]) -> None:
    """Print all figures."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)  # otherwise other users can see the server's sockets
        with server() as new:
            for games in counts:
                await measure("SQLite", Path(folder) / f"over{games}.db", Path(folder) / f"running{games}.db", games)
                await measure("PostgreSQL", new(), new(), games)


if __name__ == "__main__":
    asyncio.run(main([int(count) for count in sys.argv[1:]] or [100, 1_000, 10_000]))
