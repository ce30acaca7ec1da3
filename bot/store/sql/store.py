"""A store in an SQL database: what it keeps of tables, games and people, and in which transactions."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from bot.jobs import LOOK
from bot.projections import Backlog, Kind, Name
from bot.store.base import Change, Line, Progress, Store
from bot.store.errors import Conflict, Damaged, Newer
from bot.store.sql.damage import Unreadable, WrittenByNewer
from bot.store.sql.database import Database, Execute
from bot.store.sql.histories import HISTORY, history_in
from bot.store.sql.jobs import SqlJobs
from bot.store.sql.people import SqlPeople
from bot.store.sql.projections import NOT_BARRED, SqlProjections
from bot.store.sql.reach import SqlReach
from bot.store.sql.records import records_in
from bot.store.sql.results import SqlResults
from bot.store.sql.rows import LIMITED, LINES, TABLES, changes_of, downtime_in, seed_in, table_in
from bot.store.sql.servers import SqlServers
from bot.store.sql.shards import SqlShards
from bot.store.sql.upkeep import Upkeep
from bot.store.sql.values import Statement, json_text
from bot.table.table import RUNNING, Table
from bot.table.time import Interval, fewer
from engine.chance import commitment

T = TypeVar("T")

KEEP_DOWNTIME, MOST_DOWNTIME = 150 * 86_400.0, 60
"""Seconds for which downtime is kept, longer than a turn timer with a whole vacation; and how many intervals are kept
at most. If a process starts again and again, the time between two starts doesn't count either."""
_SEEN = "INSERT INTO runs (run, seen) VALUES (?, ?) ON CONFLICT (run) DO UPDATE SET seen = excluded.seen"


class SqlStore(SqlProjections, SqlShards, SqlReach, SqlJobs, SqlResults, SqlPeople, SqlServers, Store):
    """An SQL database in which a namespace is the column `run`. `Store` says what each method promises."""

    freeze: Sequence[str] = ()
    """Statements after which no one else can change anything until the transaction's end, in addition to what
    `transaction` does anyway."""
    count_on: Sequence[str] = ()
    """Statements after which new tables get numbers above the existing ones, if they don't anyway."""

    def __init__(self, database: Database, namespace: str, days: int = 0) -> None:
        """`days` is as for `open_store`."""
        self._database = database
        database.tidy = Upkeep(database, days).some
        self._namespace = namespace
        self._process = secrets.token_hex(8)

    async def close(self) -> None:
        await self._database.close()

    async def transaction(self, body: Callable[[Execute], Awaitable[T]]) -> T:
        """Run the caller's own statements, as `Database.transaction` does."""
        return await self._database.transaction(body)

    async def refuse_if_used(self, run: Execute, place: str) -> None:
        """Raise `SettingsError`, which names the place, if a process runs on it. A file needs no check, as its process
        locks it."""

    async def listen(self, heard: Callable[[str], None]) -> None:
        pass

    async def tell(self, words: str) -> None:
        pass

    def damaged(self, number: int, reason: str) -> Damaged:
        return self._database.damages.found(number, reason)

    def newer(self, number: int) -> Newer:
        return self._database.damages.newer(number)

    def _made(self, number: int, make: Callable[..., T], *values: Any) -> T:
        """What `make` makes of a game's rows; raises `Newer` and `Damaged`."""
        try:
            return make(*values)
        except WrittenByNewer:
            raise self.newer(number) from None
        except Unreadable as error:
            raise self.damaged(number, str(error)) from None

    async def _numbers(self, sql: str, *values: Any) -> list[int]:
        """The numbers of tables that a query finds."""
        return [row[0] for row in await self._database.read(sql, *values)]

    # --- tables

    async def add_table(self, table: Table, seed: bytes, interaction: str, due: Sequence[Name]) -> Table:
        async def body(run: Execute) -> Table:
            insert = (
                "INSERT INTO games (run, guild, channel, status, host, anyone_starts, config, seed,"
                " commitment, entropy, version, created, updated)"
                " VALUES (?, ?, ?, ?, ?, ?, '', ?, '', '', 0, ?, ?) RETURNING number"
            )
            values = (self._namespace, table.guild, table.channel, table.status, table.host, int(table.anyone_starts))
            [[row]] = await run((insert, (*values, seed, table.created, table.updated)))
            number = row["number"]
            whole = replace(table, number=number, commitment=commitment(seed, str(number)), changes=0)
            change = Change(whole, interaction, due, since=0, at=table.created, members=True)
            await run(*changes_of(self._namespace, replace(change, user=table.host, act="open")))
            return replace(whole, changes=1)

        return await self._database.write(body)

    async def save(self, change: Change) -> None:
        async def body(run: Execute) -> None:
            updated, *_ = await run(*changes_of(self._namespace, change))
            if not updated:
                raise Conflict(f"game {change.table.number} has changed since")

        await self._database.write(body, game=change.table.number)

    async def table(self, number: int) -> Table | None:
        return await self._table("run = ? AND number = ?", self._namespace, number)

    async def any_table(self, number: int) -> Table | None:
        return await self._table("number = ?", number)

    async def open_table(self, channel: int) -> Table | None:
        return await self._table("run = ? AND channel = ? AND status IN ('lobby', 'running')", self._namespace, channel)

    async def latest_table(self, channel: int) -> Table | None:
        return await self._table("run = ? AND channel = ?", self._namespace, channel)

    async def _table(self, where: str, *values: Any) -> Table | None:
        rows = await self._database.read(TABLES.format(f"SELECT max(number) FROM games WHERE {where}"), *values)
        return self._made(rows[0]["number"], table_in, rows) if rows else None

    async def numbers(self) -> list[int]:
        return await self._numbers("SELECT number FROM games ORDER BY number")

    async def tables_in(self, channel: int, statuses: Sequence[str], most: int) -> list[int]:
        placeholders = ", ".join("?" * len(statuses))
        return await self._numbers(
            f"SELECT number FROM games WHERE run = ? AND channel = ? AND status IN ({placeholders})"
            " ORDER BY number DESC LIMIT ?",
            self._namespace,
            channel,
            *statuses,
            most,
        )

    async def played_by(self, user: int, status: str = RUNNING) -> list[int]:
        return await self._numbers(
            "SELECT number FROM games JOIN members ON game = number"
            ' WHERE run = ? AND status = ? AND "user" = ? ORDER BY number',
            self._namespace,
            status,
            user,
        )

    async def untouched(self, before: Mapping[str, float]) -> list[int]:
        query = (
            "SELECT number FROM games WHERE run = ? AND status IN ('lobby', 'running') AND status = ? AND updated < ?"
            " ORDER BY number"
        )
        found = [await self._numbers(query, self._namespace, status, time) for status, time in before.items()]
        return [number for numbers in found for number in numbers]

    # --- games

    async def seed(self, number: int) -> bytes:
        [row] = await self._database.read("SELECT seed, commitment FROM games WHERE number = ?", number, game=number)
        return self._made(number, seed_in, number, row)

    async def records(self, number: int, since: int = 0) -> list[Any]:
        query = (
            "SELECT *, (SELECT revision FROM games WHERE games.number = game) AS revision"
            " FROM records WHERE game = ? AND number >= ? ORDER BY number"
        )
        rows = await self._database.read(query, number, since, game=number)
        packed = list[Any]()
        if not rows or rows[0]["number"] > since:  # asked afterwards, so a game packed meanwhile is in one of the two
            for row in await self._database.read(HISTORY, number, game=number):
                packed = self._made(number, history_in, number, row)[since:]
        revision = rows[0]["revision"] if rows else None
        # In a thread: a whole game takes milliseconds.
        return packed + await asyncio.to_thread(
            self._made, number, records_in, number, rows, since + len(packed), revision
        )

    async def acts(self, number: int) -> list[Line]:
        rows = await self._database.read(f"{LINES} WHERE game = ? ORDER BY number", number, game=number)
        return [Line(*row) for row in rows]

    async def progress(self, number: int) -> Progress:
        query = (
            "SELECT version, changes,"
            " coalesce(packed, 0) + (SELECT count(*) FROM records WHERE game = games.number) AS n"
            " FROM games WHERE number = ?"
        )
        [row] = await self._database.read(query, number, game=number)
        return Progress(row["version"], row["changes"], row["n"])

    async def interaction(self, id: str) -> tuple[int, int | None] | None:
        query = "SELECT game, record FROM interactions WHERE run = ? AND id = ?"
        rows = await self._database.read(query, self._namespace, id)
        return (rows[0]["game"], rows[0]["record"]) if rows else None

    # --- time

    async def note_downtime(self, now: float, least: float = 0.0) -> float:
        async def body(run: Execute) -> float:
            mine = (self._namespace,)
            # Another process that wakes at the same moment waits for this row.
            seen = "INSERT INTO runs (run, seen) VALUES (?, 0) ON CONFLICT (run) DO UPDATE SET seen = runs.seen"
            query = "SELECT max(updated) FROM games WHERE run = ? AND status IN ('lobby', 'running')"
            [[row], [latest]] = await run((seen + " RETURNING seen", mine), (query, mine))
            since = row["seen"] if least and row["seen"] else max(row["seen"], latest[0] or 0.0)
            down: float = max(now - since, 0.0) if since else 0.0  # a new store has missed nothing
            if down < least:
                down = 0.0
            if down:
                await self._down(run, since, now)
            await run(self._seen(now))
            return down

        return await self._database.write(body)

    async def move(self, seconds: float, now: float) -> None:
        async def body(run: Execute) -> None:
            jobs = "UPDATE jobs SET at = at + ? WHERE run = ?"
            await run((jobs, (seconds, self._namespace)), self._unseen_later(seconds))
            await self._down(run, now - seconds, now)

        await self._database.write(body)

    async def _down(self, run: Execute, since: float, now: float) -> None:
        """Note an interval of downtime, or by how much the clock was set back (`now` is before `since`). The
        `LOOK` jobs of games in which people's time would have run become due `now`."""
        [rows] = await run(("SELECT downtime FROM runs WHERE run = ?", (self._namespace,)))
        intervals = [interval for row in rows for interval in downtime_in(row["downtime"])]
        back = [interval for interval in intervals if interval[1] < interval[0]]
        gaps = [interval for interval in intervals if max(interval[0], now - KEEP_DOWNTIME) < interval[1]]
        if now < since:
            back, gaps = [*back, (since, now)], [(begin + now - since, end + now - since) for begin, end in gaps]
        else:
            gaps.append((since, now))
        note = (
            "INSERT INTO runs (run, seen, downtime) VALUES (?, 0, ?)"
            " ON CONFLICT (run) DO UPDATE SET downtime = excluded.downtime"
        )
        look = (
            f"UPDATE jobs SET at = ? WHERE run = ? AND name = '{LOOK}' AND game IN (SELECT number FROM"
            f" games WHERE run = ? AND status IN ('lobby', 'running') AND {LIMITED})"
        )
        await run(
            (note, (self._namespace, json_text([*back, *fewer(gaps, MOST_DOWNTIME)]))),
            (look, (now, self._namespace, self._namespace)),
        )

    async def downtime(self) -> tuple[Interval, ...]:
        rows = await self._database.read("SELECT downtime FROM runs WHERE run = ?", self._namespace)
        return tuple(interval for row in rows for interval in downtime_in(row["downtime"]))

    async def alive(self, now: float) -> None:
        sql, values = self._seen(now)
        await self._database.mark(sql, *values)

    def _seen(self, now: float) -> Statement:
        return _SEEN, (self._namespace, now)

    # --- commands

    async def commands(self) -> str:
        rows = await self._database.read("SELECT commands FROM runs WHERE run = ?", self._namespace)
        return (rows[0]["commands"] or "") if rows else ""

    async def save_commands(self, commands: str) -> None:
        upsert = (
            "INSERT INTO runs (run, seen, commands) VALUES (?, 0, ?)"
            " ON CONFLICT (run) DO UPDATE SET commands = excluded.commands"
        )
        await self._database.mark(upsert, self._namespace, commands)

    # --- figures

    async def backlog(self, now: float) -> Backlog:
        # Written so that it begins with what is due, and counts the running games by the index of open games.
        query = (
            "SELECT count(*) AS due, min(updated) AS since, (SELECT count(*) FROM games"
            " WHERE run = ? AND status IN ('lobby', 'running') AND status = 'running') AS running"
            f" FROM (SELECT (SELECT updated FROM games WHERE number = game AND run = ?{NOT_BARRED}) AS updated"
            f" FROM shown WHERE shown.version < due AND kind <> '{Kind.HAND}') AS waiting WHERE updated IS NOT NULL"
        )
        [row] = await self._database.read(query, self._namespace, self._namespace)
        oldest = 0.0 if row["since"] is None else max(now - row["since"], 0.0)
        return Backlog(row["due"], oldest, row["running"])
