"""What is kept of tables, games and people, and in which transactions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.store.database import Database, Row, Run, Statement
from bot.tables import PANEL, Deadline, Member, Projection, Table, UserSettings
from bot.words.marks import safe_name
from engine.codec import decode, encode
from engine.config import Config

KEEP_INTERACTIONS = 7 * 86_400.0
"""Seconds for which a repeated interaction is recognised (Discord's own last 15 minutes)."""
TIDY_EVERY = 2_000
"""Commits after which the file is tidied; the write-ahead log has then grown to some 40 MB at most."""


class Store:
    """One SQLite file. `run` names the world that ids of users, channels and interactions belong to: always
    "discord" on Discord; at the offline table a name per simulated world, because its ids start anew.

    Methods that change something return when it is committed, and go on to their end when cancelled.
    """

    def __init__(self, database: Database, run: str) -> None:
        self._database = database
        self.run = run
        self._tidying: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, path: Path, *, run: str = "discord") -> Store:
        """Open or make the file and bring it up to date; raises `SettingsError`."""
        return cls(await Database.open(path), run)

    async def close(self) -> None:
        """Finish what is under way and close."""
        if self._tidying:
            await asyncio.wait([self._tidying])
        await self._database.close()

    async def backup(self, target: Path) -> None:
        """Write a consistent copy while games go on."""
        await self._database.backup(target)

    # --- tables

    async def table(self, number: int) -> Table | None:
        """A table of this run."""
        return await self._table("run = ? AND number = ?", self.run, number)

    async def any_table(self, number: int) -> Table | None:
        """A table of any run: to be read, not to be played at."""
        return await self._table("number = ?", number)

    async def all_tables(self) -> list[Table]:
        """All tables of all runs: to be read, not to be played at."""
        rows = await self._database.read("SELECT number FROM games ORDER BY number")
        found = [await self.any_table(row["number"]) for row in rows]
        return [table for table in found if table is not None]

    async def open_table(self, channel: int) -> Table | None:
        """The lobby or running game of a channel."""
        return await self._table("run = ? AND channel = ? AND status IN ('lobby', 'running')", self.run, channel)

    async def latest_table(self, channel: int) -> Table | None:
        """The latest table of a channel."""
        return await self._table("run = ? AND channel = ?", self.run, channel)

    async def tables_in(self, channel: int, statuses: Sequence[str], most: int) -> list[int]:
        """The latest tables of a channel that have one of these statuses, the newest first."""
        wanted = ", ".join("?" * len(statuses))
        rows = await self._database.read(
            f"SELECT number FROM games WHERE run = ? AND channel = ? AND status IN ({wanted})"
            " ORDER BY number DESC LIMIT ?",
            *(self.run, channel, *statuses, most),
        )
        return [row["number"] for row in rows]

    async def _table(self, where: str, *values: Any) -> Table | None:
        rows = await self._database.read(
            "SELECT g.*, m.user, m.name, m.color, m.asked, m.phrase, m.interaction"
            " FROM games g LEFT JOIN members m ON m.game = g.number"
            f" WHERE g.number = (SELECT max(number) FROM games WHERE {where}) ORDER BY m.position",
            *values,
        )
        return _table_of(rows) if rows else None

    async def add_table(
        self, table: Table, seed: bytes, commit: Callable[[int], str], interaction: str, due: Iterable[str]
    ) -> Table:
        """Store a new table, which gets its number and, of that, its commitment."""

        async def body(run: Run) -> Table:
            insert = (
                "INSERT INTO games (run, guild, channel, status, host, anyone_starts, config, seed,"
                " commitment, entropy, version, created, updated)"
                " VALUES (?, ?, ?, ?, ?, ?, '', ?, '', '', 0, ?, ?) RETURNING number"
            )
            values = (self.run, table.guild, table.channel, table.status, table.host, table.anyone_starts)
            [[row]] = await run((insert, (*values, seed, table.created, table.updated)))
            whole = replace(table, number=row["number"], commitment=commit(row["number"]))
            await run(*self._changes(whole, interaction, due, ()), *_members(whole))
            return whole

        return await self._database.write(body)

    async def save(
        self,
        table: Table,
        interaction: str,
        due: Iterable[str],
        *,
        members: bool = False,
        records: Sequence[tuple[int, int, Any]] = (),
    ) -> None:
        """Store a change of a table, with the interaction that made it, in one commit.

        `due` names the projections that must show `table.version` now; `members` tells whether they changed;
        `records` are (number, actor, JSON data) of new records, the interaction's own first.
        """
        statements = self._changes(table, interaction, due, records)
        if members:
            statements += _members(table)
        await self._database.write(lambda run: run(*statements))
        if self._database.commits >= TIDY_EVERY and (self._tidying is None or self._tidying.done()):
            self._tidying = asyncio.create_task(self.tidy(table.updated))

    def _changes(
        self, table: Table, interaction: str, due: Iterable[str], records: Sequence[tuple[int, int, Any]]
    ) -> list[Statement]:
        number, updated, limit = table.number, table.updated, table.deadline
        update = (
            "UPDATE games SET status = ?, host = ?, anyone_starts = ?, config = ?, commitment = ?,"
            " entropy = ?, version = ?, updated = ?, deadline = ?, deadline_serial = ?, ended_by = ?, warned = ?"
            " WHERE number = ?"
        )
        config, entropy = _json(encode(table.config)), _json(table.entropy)
        values = (table.status, table.host, table.anyone_starts, config, table.commitment, entropy)
        until = (limit.at, limit.serial) if limit else (None, None)
        put_away = (table.ended_by, table.warned)
        statements: list[Statement] = [(update, (*values, table.version, updated, *until, *put_away, number))]
        insert = "INSERT INTO records (game, number, actor, body, created) VALUES (?, ?, ?, ?, ?)"
        statements += [(insert, (number, n, actor, _json(data), updated)) for n, actor, data in records]
        insert = "INSERT INTO interactions (run, id, game, record, created) VALUES (?, ?, ?, ?, ?)"
        made = records[0][0] if records else None
        statements.append((insert, (self.run, interaction, number, made, updated)))
        upsert = (
            "INSERT INTO projections (game, what, due, shown) VALUES (?, ?, ?, 0)"
            " ON CONFLICT DO UPDATE SET due = excluded.due"
        )
        return statements + [(upsert, (number, what, table.version)) for what in due]

    async def rename(self, number: int, user: int, name: str) -> None:
        """Store a member's display name."""
        await self._mark("UPDATE members SET name = ? WHERE game = ? AND user = ?", name, number, user)

    # --- the log

    async def interaction(self, id: str) -> tuple[int, int | None] | None:
        """(game, number of the record it made or None) of an interaction that has been carried out."""
        rows = await self._database.read("SELECT game, record FROM interactions WHERE run = ? AND id = ?", self.run, id)
        return (rows[0]["game"], rows[0]["record"]) if rows else None

    async def tidy(self, now: float) -> None:
        """Delete interactions too old to be repeated, fold the write-ahead log into the file."""
        await self._mark("DELETE FROM interactions WHERE created < ?", now - KEEP_INTERACTIONS)
        await self._database.checkpoint()

    async def records(self, number: int) -> list[Any]:
        """JSON data of a game's records, in order."""
        rows = await self._database.read("SELECT body FROM records WHERE game = ? ORDER BY number", number)
        return [json.loads(row["body"]) for row in rows]

    async def revision(self, number: int) -> int:
        """Number of a game's records."""
        [row] = await self._database.read("SELECT count(*) AS n FROM records WHERE game = ?", number)
        return int(row["n"])

    async def seed(self, number: int) -> bytes:
        """A game's secret."""
        [row] = await self._database.read("SELECT seed FROM games WHERE number = ?", number)
        return bytes(row["seed"])

    # --- time

    async def wake(self, now: float) -> float:
        """Move all deadlines of this run by the seconds since it was last seen, in one commit; those seconds."""

        async def body(run: Run) -> float:
            query = (
                "SELECT max((SELECT coalesce(max(seen), 0) FROM runs WHERE run = ?),"
                " (SELECT coalesce(max(updated), 0) FROM games WHERE run = ?)) AS seen"
            )
            [[row]] = await run((query, (self.run, self.run)))
            down = max(now - row["seen"], 0.0)
            mine = "run = ? AND deadline IS NOT NULL"
            due = (
                "UPDATE projections SET due = (SELECT version FROM games WHERE number = game)"
                f" WHERE what = ? AND game IN (SELECT number FROM games WHERE {mine})"
            )
            await run(
                (f"UPDATE games SET deadline = deadline + ?, version = version + 1 WHERE {mine}", (down, self.run)),
                (due, (PANEL, self.run)),
                _alive(self.run, now),
            )
            return down

        return await self._database.write(body)

    async def alive(self, now: float) -> None:
        """Note that the run was seen."""
        await self._database.write(lambda run: run(_alive(self.run, now)), durable=False)

    async def with_deadline(self) -> list[int]:
        """Tables of this run that have a deadline."""
        rows = await self._database.read("SELECT number FROM games WHERE run = ? AND deadline IS NOT NULL", self.run)
        return [row["number"] for row in rows]

    async def played_by(self, user: int) -> list[int]:
        """Running games of this run in which a user plays."""
        rows = await self._database.read(
            "SELECT number FROM games JOIN members ON game = number"
            " WHERE run = ? AND status = 'running' AND user = ? ORDER BY number",
            *(self.run, user),
        )
        return [row["number"] for row in rows]

    async def untouched(self, before: Mapping[str, float]) -> list[int]:
        """Tables of this run that have not changed since a time that goes by their status."""
        found = []
        for status, time in before.items():
            rows = await self._database.read(
                "SELECT number FROM games WHERE run = ? AND status = ? AND updated < ? ORDER BY number",
                *(self.run, status, time),
            )
            found += [row["number"] for row in rows]
        return found

    # --- what is shown: marks, which cost no fsync

    async def shown(self, number: int, what: str, version: int, channel: int | None, message: int | None) -> None:
        """Note which version a projection shows and, unless None, where; a later one that is noted stays."""
        await self._mark(
            "INSERT INTO projections (game, what, due, shown, channel, message) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET shown = excluded.shown,"
            " channel = coalesce(excluded.channel, channel), message = coalesce(excluded.message, message)"
            " WHERE excluded.shown >= shown",
            *(number, what, version, version, channel, message),
        )

    async def gone(self, number: int, what: str) -> None:
        """Forget a projection."""
        await self._mark("DELETE FROM projections WHERE game = ? AND what = ?", number, what)

    async def projections(self, number: int) -> list[Projection]:
        """All projections of a game."""
        rows = await self._database.read("SELECT * FROM projections WHERE game = ? ORDER BY what", number)
        return [_projection_of(row) for row in rows]

    async def pending(self) -> list[int]:
        """Tables of this run with something not yet shown."""
        rows = await self._database.read(
            "SELECT DISTINCT game FROM projections JOIN games ON number = game"
            " WHERE run = ? AND shown < due ORDER BY game",
            self.run,
        )
        return [row["game"] for row in rows]

    async def _mark(self, sql: str, *values: Any) -> None:
        await self._database.write(lambda run: run((sql, values)), durable=False)

    # --- people

    async def settings(self, user: int) -> UserSettings:
        """Somebody's settings, or the defaults."""
        rows = await self._database.read(
            "SELECT user, dms, dms_closed, standing FROM people WHERE run = ? AND user = ?", self.run, user
        )
        if not rows:
            return UserSettings(user)
        row = rows[0]
        return UserSettings(user, bool(row["dms"]), bool(row["dms_closed"]), row["standing"])

    async def save_settings(self, settings: UserSettings) -> None:
        """Store somebody's settings."""

        upsert = "INSERT OR REPLACE INTO people (run, user, dms, dms_closed, standing) VALUES (?, ?, ?, ?, ?)"
        values = (self.run, settings.user, settings.dms, settings.dms_closed, settings.standing)
        await self._database.write(lambda run: run((upsert, values)))


def _alive(run: str, now: float) -> Statement:
    return "INSERT OR REPLACE INTO runs (run, seen) VALUES (?, ?)", (run, now)


def _members(table: Table) -> list[Statement]:
    insert = (
        "INSERT INTO members (game, position, user, name, color, asked, phrase, interaction)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    )
    return [
        ("DELETE FROM members WHERE game = ?", (table.number,)),
        *(
            (insert, (table.number, place, m.user, m.name, m.color, m.asked, m.phrase, m.interaction))
            for place, m in enumerate(table.members)
        ),
    ]


def _table_of(rows: Sequence[Row]) -> Table:
    first = rows[0]
    return Table(
        number=first["number"],
        guild=first["guild"],
        channel=first["channel"],
        status=first["status"],
        host=first["host"],
        anyone_starts=bool(first["anyone_starts"]),
        config=decode(Config, json.loads(first["config"])),
        members=tuple(
            Member(r["user"], safe_name(r["name"]), r["color"], bool(r["asked"]), r["phrase"], r["interaction"])
            for r in rows
            if r["user"] is not None
        ),
        commitment=first["commitment"],
        entropy=tuple(json.loads(first["entropy"])),
        version=first["version"],
        created=first["created"],
        updated=first["updated"],
        deadline=None if first["deadline"] is None else Deadline(first["deadline_serial"], first["deadline"]),
        ended_by=first["ended_by"],
        warned=first["warned"],
    )


def _projection_of(row: Row) -> Projection:
    return Projection(row["what"], row["due"], row["shown"], row["channel"], row["message"])


def _json(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)
