"""The store: what is kept of tables, games and people, in which transactions, and what is promised of it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar

from bot.projections import Backlog, Kind, Name
from bot.store.base import Change, Conflict, Damaged, Line, Newer, Progress
from bot.store.sql.database import Database, Execute, Unreadable, WrittenByNewer
from bot.store.sql.due import NOT_BARRED, JobStore, ProjectionStore
from bot.store.sql.people import PeopleStore, ResultStore
from bot.store.sql.promptness import PromptnessStore
from bot.store.sql.reach import ReachStore, TimeStore
from bot.store.sql.rows import LINES, TABLES, changes_of, records_in, seed_in, table_in
from bot.store.sql.servers import ServerStore
from bot.store.sql.shards import ShardStore
from bot.store.sql.subscriptions import SubscriptionStore
from bot.store.sql.upkeep import HISTORY, MADE, Upkeep, history_in, makers_in, makers_of
from bot.table.table import RUNNING, Table
from bot.table.time import setbacks
from engine.chance import commitment
from engine.errors import RefereeError

T = TypeVar("T")
NO_JOBS: Mapping[str, float | None] = MappingProxyType({})


class Store(
    ProjectionStore,
    JobStore,
    PeopleStore,
    PromptnessStore,
    ServerStore,
    SubscriptionStore,
    ResultStore,
    ReachStore,
    TimeStore,
    ShardStore,
):
    """All that is kept of tables, games and people. Several processes can work on the same store at the same time.

    A namespace is the world that ids of users, channels and interactions belong to: "discord" on Discord; at the
    offline table a name for each simulated world, because its ids start over. Table numbers are unique across
    namespaces.

    Each method is one transaction: it happens as a whole or not at all, and no one sees half of it. A method that
    changes something finishes even if its caller is canceled. Unless it promises less, it returns once not even a power
    cut can undo the change. What one method has stored or returned, every later one sees, in other processes, too.

    All methods raise `Unavailable`, and `Damaged` if stored data can't be read. Times are seconds since the epoch.

    The promises are kept by statements that all databases here understand, in the transactions of a `Database`. What
    only one kind of database can do is in its own class.
    """

    shared: bool
    """Whether other processes are expected to change the store, too. Then what is in memory is only a guess."""

    days: int
    """Days after which games are deleted, as for `open_store`."""

    freeze: Sequence[str] = ()
    """Statements after which no one else can change anything until the transaction's end, in addition to what
    `transaction` does anyway."""
    latest_number: str
    """Query for the number that a table got last, even if it was deleted since; 0: none ever got one."""
    count_on: str
    """Statement, with a number as its value, after which new tables get numbers above it, and still above all that any
    table got."""

    def __init__(self, database: Database, namespace: str, days: int = 0) -> None:
        """`days` is as for `open_store`."""
        self._database = database
        self.days = days
        self.deleted: Callable[[int], None] = lambda number: None
        """Called with the number of each game that this process deletes."""
        database.tidy = Upkeep(database, days, lambda number: self.deleted(number)).some
        self._namespace = namespace
        self._process = secrets.token_hex(8)

    async def close(self) -> None:
        """Finish what is under way, then release everything. No other method can be called afterwards."""
        await self._database.close()

    async def transaction(self, body: Callable[[Execute], Awaitable[T]]) -> T:
        """Run the caller's own statements, as `Database.transaction` does."""
        return await self._database.transaction(body)

    async def refuse_if_used(self, run: Execute, place: str) -> None:
        """Raise `SettingsError`, which names the place, if a process runs on it. A file needs no check, as its process
        locks it."""

    async def listen(self, heard: Callable[[str], None]) -> None:
        """From now on, call `heard` with what other processes `tell` in this namespace; never if the store
        isn't shared."""

    async def changed_elsewhere(self) -> bool:
        """Whether another process may have changed the store since the last call, as a command does. Never if the store
        is shared."""
        return False

    async def tell(self, words: str) -> None:
        """Send words to the other processes. Words can get lost, so nothing must depend on them."""

    def damaged(self, number: int, reason: str) -> Damaged:
        """Tell the host, once an hour, why a game can't be read. Returns the error to raise."""
        return self._database.damages.found(number, reason)

    def newer(self, number: int) -> Newer:
        """Tell the host, once an hour, that a newer version wrote a game. Returns the error to raise."""
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

    async def add_table(
        self,
        table: Table,
        seed: bytes,
        interaction: str,
        due: Sequence[Name],
        jobs: Mapping[str, float | None] = NO_JOBS,
    ) -> Table:
        """Store a new table with the game's secret seed. Returns the table with its number and its commitment to the
        seed.

        Numbers rise, but some can be skipped. `interaction`, `due` and `jobs` are as in `Change`. Raises `Conflict` if
        the channel has an open table, or if the interaction was carried out before.
        """

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
            change = Change(whole, interaction, due, since=0, at=table.created, members=True, jobs=jobs)
            await run(*changes_of(self._namespace, replace(change, user=table.host, act="open")))
            return whole

        added = await self._database.write(body)
        self._stored(added)
        return replace(added, changes=1)

    async def save(self, change: Change) -> None:
        """Store a change of a table.

        Raises `Conflict` if the table has changed since, if the interaction or a record is already stored, or if an
        open table would be the channel's second.
        """

        async def body(run: Execute) -> None:
            updated, *_ = await run(*changes_of(self._namespace, change))
            if not updated:
                raise Conflict(f"game {change.table.number} has changed since")

        await self._database.write(body, game=change.table.number)
        self._stored(change.table)

    def _stored(self, table: Table) -> None:
        """Note that a change of a table was stored; its `changes` are those from before."""

    async def table(self, number: int) -> Table | None:
        """A table of this namespace."""
        return await self._table("run = ? AND number = ?", self._namespace, number)

    async def any_table(self, number: int) -> Table | None:
        """A table of any namespace, to be read but not played at."""
        return await self._table("number = ?", number)

    async def open_table(self, channel: int) -> Table | None:
        """The lobby or running game of a channel; there is never more than one."""
        return await self._table("run = ? AND channel = ? AND status IN ('lobby', 'running')", self._namespace, channel)

    async def latest_table(self, channel: int) -> Table | None:
        """The latest table of a channel."""
        return await self._table("run = ? AND channel = ?", self._namespace, channel)

    async def _table(self, where: str, *values: Any) -> Table | None:
        rows = await self._database.read(TABLES.format(f"SELECT max(number) FROM games WHERE {where}"), *values)
        return self._made(rows[0]["number"], table_in, rows) if rows else None

    async def numbers(self) -> list[int]:
        """Numbers of all tables of all namespaces, in ascending order."""
        return await self._numbers("SELECT number FROM games ORDER BY number")

    async def tables_in(self, channel: int, statuses: Sequence[str], most: int) -> list[int]:
        """Numbers of a channel's latest tables with one of these statuses, newest first; at most `most`."""
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
        """Numbers of games of this namespace with this status in which a user plays, in ascending order."""
        return await self._numbers(
            "SELECT number FROM games JOIN members ON game = number"
            ' WHERE run = ? AND status = ? AND "user" = ? ORDER BY number',
            self._namespace,
            status,
            user,
        )

    async def untouched(self, before: Mapping[str, float]) -> list[int]:
        """Numbers of open tables of this namespace that haven't changed since the time given for their status, or
        perhaps haven't, if the clock was set back."""
        back = await self._set_back_by()
        query = (
            "SELECT number FROM games WHERE run = ? AND status IN ('lobby', 'running') AND status = ? AND updated < ?"
            " ORDER BY number"
        )
        found = [await self._numbers(query, self._namespace, status, at + back) for status, at in before.items()]
        return [number for numbers in found for number in numbers]

    async def archived(self, before: float) -> list[int]:
        """Numbers of archived games of this namespace that haven't changed since a time, or perhaps haven't, if the
        clock was set back."""
        query = "SELECT number FROM games WHERE run = ? AND status = 'archived' AND updated < ? ORDER BY number"
        return await self._numbers(query, self._namespace, before + await self._set_back_by())

    async def _set_back_by(self) -> float:
        """Seconds by which the clock was set back in all. A table's time is stored by the clock as it was then."""
        return sum(begin - end for begin, end in setbacks(await self.downtime()))

    # --- games

    async def seed(self, number: int) -> bytes:
        """A game's secret seed. Code: "no-table"."""
        rows = await self._database.read("SELECT seed, commitment FROM games WHERE number = ?", number, game=number)
        if not rows:
            raise RefereeError("no-table", number=number)
        return self._made(number, seed_in, number, rows[0])

    async def records(self, number: int, since: int = 0) -> list[Any]:
        """JSON data of a game's records except the first `since`, in order and without a gap."""
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
        """Lines of a table's audit, in order; none an hour after the end of its game."""
        rows = await self._database.read(f"{LINES} WHERE game = ? ORDER BY number", number, game=number)
        return [Line(*row) for row in rows]

    async def made_by(self, number: int, place: int) -> set[int] | None:
        """Numbers of the records that a member of a table has made themselves, and no bot or autopilot for them.
        `place`: theirs in order of joining. Those that no line of the audit names aren't among them. None: an earlier
        version has packed the game without that."""
        makers = makers_of(await self._database.read(MADE, number, game=number))
        for row in await self._database.read(HISTORY, number, game=number):  # afterwards, as in `records`
            packed = self._made(number, makers_in, number, row)
            if packed is None:
                return None
            makers |= packed
        return {record for record, maker in makers.items() if maker == place}

    async def progress(self, number: int) -> Progress:
        """How far a table has come. Code: "no-table"."""
        query = (
            "SELECT version, changes,"
            " coalesce(packed, 0) + (SELECT count(*) FROM records WHERE game = games.number) AS n"
            " FROM games WHERE number = ?"
        )
        rows = await self._database.read(query, number, game=number)
        if not rows:
            raise RefereeError("no-table", number=number)
        return Progress(rows[0]["version"], rows[0]["changes"], rows[0]["n"])

    async def versions(self, numbers: Collection[int]) -> dict[int, int]:
        """The versions of tables of this namespace, by number."""
        placeholders = ", ".join("?" * len(numbers)) or "NULL"
        query = f"SELECT number, version FROM games WHERE run = ? AND number IN ({placeholders})"
        return {row["number"]: row["version"] for row in await self._database.read(query, self._namespace, *numbers)}

    async def interaction(self, id: str) -> tuple[int, int | None] | None:
        """(game, number of the record it made or None) of an interaction that was carried out.

        Interactions are remembered for at least an hour; Discord itself repeats one for 15 minutes.
        """
        query = "SELECT game, record FROM interactions WHERE run = ? AND id = ?"
        rows = await self._database.read(query, self._namespace, id)
        return (rows[0]["game"], rows[0]["record"]) if rows else None

    # --- commands

    async def commands(self) -> str:
        """The commands that Discord was last told of, as given to `save_commands`; empty: none."""
        rows = await self._database.read("SELECT commands FROM runs WHERE run = ?", self._namespace)
        return (rows[0]["commands"] or "") if rows else ""

    async def save_commands(self, commands: str) -> None:
        """Note which commands Discord was told of; as durable as a mark."""
        upsert = (
            "INSERT INTO runs (run, seen, commands) VALUES (?, 0, ?)"
            " ON CONFLICT (run) DO UPDATE SET commands = excluded.commands"
        )
        await self._database.mark(upsert, self._namespace, commands)

    # --- figures

    async def backlog(self, now: float) -> Backlog:
        """How much is due and running in this namespace. It is called every few seconds, so it must be cheap."""
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
