"""What is kept of tables, games and people, and in which transactions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from bot.models import PANEL, Projection, Table, UserSettings
from bot.store.damage import Conflict, Damaged, Unreadable
from bot.store.database import IDLE, LONGEST, Database, Run
from bot.store.rows import (
    TABLES,
    Statement,
    members_of,
    projection_in,
    record_of,
    records_in,
    seed_in,
    table_in,
    update_of,
)

P = ParamSpec("P")
T = TypeVar("T")

KEEP_INTERACTIONS = 7 * 86_400
"""Seconds for which a repeated interaction is recognised (Discord's own last 15 minutes)."""
UPKEEP = f"DELETE FROM interactions WHERE created < (SELECT max(created) FROM interactions) - {KEEP_INTERACTIONS}"


class Store:
    """One SQLite file. `run` names the world that ids of users, channels and interactions belong to: always
    "discord" on Discord; at the offline table a name per simulated world, because its ids start anew.

    Methods that change something return when it is committed, and go on to their end when cancelled. All methods
    raise `Damaged` where the file is damaged.
    """

    def __init__(self, database: Database, run: str) -> None:
        self._database = database
        self.run = run

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        run: str = "discord",
        exclusive: bool = False,
        idle: float = IDLE,
        longest: float = LONGEST,
    ) -> Store:
        """Open or make the file and bring it up to date; raises `SettingsError`.

        `exclusive`: nobody else can open it like this until it is closed, and it is checked for damage. `idle` and
        `longest` are seconds until what was committed is in the file itself, see `Folding`.
        """
        return cls(await Database.open(path, exclusive=exclusive, upkeep=UPKEEP, idle=idle, longest=longest), run)

    async def close(self) -> None:
        """Finish what is under way and close."""
        await self._database.close()

    def damaged(self, number: int, reason: str) -> Damaged:
        """Tell the host, once an hour, why a game can't be read; the error to be raised."""
        return self._database.damaged(number, reason)

    def _made(self, number: int, make: Callable[P, T], *values: P.args, **named: P.kwargs) -> T:
        """What is made of a game's rows."""
        try:
            return make(*values, **named)
        except Unreadable as error:
            raise self.damaged(number, str(error)) from None

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

    async def numbers(self) -> list[int]:
        """Numbers of all tables of all runs."""
        return [row["number"] for row in await self._database.read("SELECT number FROM games ORDER BY number")]

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
        rows = await self._database.read(TABLES.format(f"SELECT max(number) FROM games WHERE {where}"), *values)
        return self._made(rows[0]["number"], table_in, rows) if rows else None

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
            await run(*self._changes(whole, 0, table.created, interaction, due, ()), *members_of(whole))
            return whole

        return await self._database.write(body)

    async def save(
        self,
        table: Table,
        interaction: str | None,
        due: Iterable[str],
        *,
        since: int,
        at: float,
        members: bool = False,
        records: Sequence[tuple[int, int, Any]] = (),
    ) -> None:
        """Store a change of a table, with the interaction that made it, in one commit.

        `since` is the version that the change was made from, `at` its time in seconds since the epoch; `due` names
        the projections that must show `table.version` now; `members` tells whether they changed; `records` are
        (number, actor, JSON data) of new records, the interaction's own first.

        Raises `Conflict` when the table has another version by now, or the interaction or a record is there already.
        """
        statements = self._changes(table, since, at, interaction, due, records)
        if members:
            statements += members_of(table)

        async def body(run: Run) -> None:
            updated, *_ = await run(*statements)
            if not updated:
                raise Conflict(f"game {table.number} has no longer version {since}")

        await self._database.write(body, game=table.number)

    def _changes(
        self,
        table: Table,
        since: int,
        at: float,
        interaction: str | None,
        due: Iterable[str],
        records: Sequence[tuple[int, int, Any]],
    ) -> list[Statement]:
        number = table.number
        revision = records[-1][0] + 1 if records else None
        statements = [update_of(self.run, table, since, revision)]
        statements += [record_of(number, n, actor, data, at) for n, actor, data in records]
        if interaction is not None:
            insert = "INSERT INTO interactions (run, id, game, record, created) VALUES (?, ?, ?, ?, ?)"
            made = records[0][0] if records else None
            statements.append((insert, (self.run, interaction, number, made, at)))
        upsert = (
            "INSERT INTO projections (game, what, due, shown) VALUES (?, ?, ?, 0)"
            " ON CONFLICT DO UPDATE SET due = excluded.due"
        )
        return statements + [(upsert, (number, what, table.version)) for what in due]

    async def rename(self, number: int, user: int, name: str) -> None:
        """Store the display name of somebody who plays; in the lobby, where members come and go, use `save`."""
        await self._mark(number, "UPDATE members SET name = ? WHERE game = ? AND user = ?", name, number, user)

    # --- the log

    async def interaction(self, id: str) -> tuple[int, int | None] | None:
        """(game, number of the record it made or None) of an interaction that has been carried out."""
        query = "SELECT game, record FROM interactions WHERE run = ? AND id = ?"
        rows = await self._database.read(query, self.run, id)
        return (rows[0]["game"], rows[0]["record"]) if rows else None

    async def records(self, number: int) -> list[Any]:
        """JSON data of a game's records, in order."""
        query = (
            "SELECT *, (SELECT revision FROM games WHERE games.number = game) AS revision"
            " FROM records WHERE game = ? ORDER BY number"
        )
        rows = await self._database.read(query, number, game=number)
        return self._made(number, records_in, number, rows, rows[0]["revision"] if rows else None)

    async def latest(self, number: int) -> tuple[int, int]:
        """A table's version, and how many records its game has."""
        query = (
            "SELECT version, (SELECT count(*) FROM records WHERE game = games.number) AS n FROM games WHERE number = ?"
        )
        [row] = await self._database.read(query, number, game=number)
        return row["version"], row["n"]

    async def revision(self, number: int) -> int:
        """Number of a game's records."""
        _, revision = await self.latest(number)
        return revision

    async def seed(self, number: int) -> bytes:
        """A game's secret."""
        [row] = await self._database.read("SELECT seed, commitment FROM games WHERE number = ?", number, game=number)
        return self._made(number, seed_in, number, row)

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
        query = "SELECT number FROM games WHERE run = ? AND deadline IS NOT NULL"
        rows = await self._database.read(query, self.run)
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
            number,
            "INSERT INTO projections (game, what, due, shown, channel, message) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET shown = excluded.shown,"
            " channel = coalesce(excluded.channel, channel), message = coalesce(excluded.message, message)"
            " WHERE excluded.shown >= shown",
            *(number, what, version, version, channel, message),
        )

    async def gone(self, number: int, what: str) -> None:
        """Forget a projection."""
        await self._mark(number, "DELETE FROM projections WHERE game = ? AND what = ?", number, what)

    async def projections(self, number: int) -> list[Projection]:
        """All projections of a game."""
        rows = await self._database.read("SELECT * FROM projections WHERE game = ? ORDER BY what", number, game=number)
        return [projection_in(row) for row in rows]

    async def pending(self) -> list[int]:
        """Tables of this run with something not yet shown."""
        rows = await self._database.read(
            "SELECT DISTINCT game FROM projections JOIN games ON number = game"
            " WHERE run = ? AND shown < due ORDER BY game",
            self.run,
        )
        return [row["game"] for row in rows]

    async def _mark(self, number: int, sql: str, *values: Any) -> None:
        await self._database.write(lambda run: run((sql, values)), durable=False, game=number)

    # --- people

    async def settings(self, user: int) -> UserSettings:
        """Somebody's settings, or the defaults."""
        query = "SELECT user, dms, dms_closed, standing FROM people WHERE run = ? AND user = ?"
        rows = await self._database.read(query, self.run, user)
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
