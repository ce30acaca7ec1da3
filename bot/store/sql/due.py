"""What is due in games, a row each: jobs, which must be done, and what must be shown. What was shown is a mark, which
costs no fsync unless a message is being posted: a power cut can take the latest."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bot.projections import Kind, Name, Place, Projection, State
from bot.store.base import Job, Shards
from bot.store.sql.database import StorePart
from bot.store.sql.tables import Statement, StoredRow, on_shards

# --- jobs


def job_of(namespace: str, job: Job) -> Statement:
    """Statement that sets a job. It counts how often, so that the process that does the job knows whether it was set
    again."""
    upsert = (
        "INSERT INTO jobs (game, name, run, at, held_until) VALUES (?, ?, ?, ?, 0)"
        " ON CONFLICT (game, name) DO UPDATE SET at = excluded.at, times = jobs.times + 1"
    )
    return upsert, (job.game, job.name, namespace, job.at)


class JobStore(StorePart):
    """Jobs: what must be done with a game, and when. By game and name, due in the order of their times.

    `Change.jobs` sets and drops jobs, too.
    """

    async def set_job(self, job: Job) -> None:
        """Set a job, or give it another time."""
        await self._database.write(lambda run: run(job_of(self._namespace, job)), game=job.game)

    async def due_jobs(self, now: float, most: int, shards: Shards | None = None) -> list[Job]:
        """At most `most` jobs of this namespace that are due, the longest overdue first; `shards` as in `pending`."""
        on, values = on_shards(shards)
        query = (
            "SELECT game, name, at, times FROM jobs JOIN games ON number = game"
            f" WHERE jobs.run = ? AND at <= ?{on} ORDER BY at LIMIT ?"
        )
        rows = await self._database.read(query, self._namespace, now, *values, most)
        return [Job(*row) for row in rows]

    async def drop_job(self, job: Job) -> None:
        """Drop a job that is done. If it was set again meanwhile, even for the same time, it stays."""
        delete = "DELETE FROM jobs WHERE game = ? AND name = ? AND at = ? AND times = ?"
        values = (job.game, job.name, job.at, job.times)
        await self._database.write(lambda run: run((delete, values)), game=job.game)

    async def has_job(self, job: Job) -> bool:
        """Whether a job must still be done and hasn't been set again."""
        there = "SELECT 1 FROM jobs WHERE game = ? AND name = ? AND at = ? AND times = ?"
        return bool(await self._database.read(there, job.game, job.name, job.at, job.times))

    async def next_job(self, after: float, shards: Shards | None = None) -> float | None:
        """When the first job after a time is due; None: there is none."""
        on, values = on_shards(shards)
        query = f"SELECT at FROM jobs JOIN games ON number = game WHERE jobs.run = ? AND at > ?{on} ORDER BY at LIMIT 1"
        rows = await self._database.read(query, self._namespace, after, *values)
        return rows[0]["at"] if rows else None


# --- projections

NOT_BARRED = (
    " AND NOT EXISTS (SELECT 1 FROM shown AS bar"
    f" WHERE bar.game = games.number AND bar.kind = '{Kind.BARRED}' AND bar.version >= games.version)"
)
"""A condition: leaves out games that can't be shown until Discord says so (`projections.is_barred`)."""

_KINDS = frozenset(Kind)
"""All kinds but those that a newer version, in another process, has added."""


class ProjectionStore(StorePart):
    """Which version of its game each visible thing must show, which one it shows, and in which message.

    Repeating a method changes nothing. What is noted outlives the process, but a power cut can take the latest notes:
    then something is edited again, which is harmless. That a message is being posted outlives a power cut, too:
    otherwise it would be posted again, and notify people a second time.
    """

    async def note(self, number: int, shown: Iterable[Projection] = (), gone: Iterable[Name] = ()) -> None:
        """Note what is shown of a game, and forget the projections in `gone`: their message was deleted, or nothing is
        left to do about them. A projection in both is forgotten first, then noted as shown.

        What a projection must show (`due`) stays as it is, and so does its place if it has none now. If a later version
        was noted, that stays.
        """
        statements = list[Statement]()
        if names := tuple(dict.fromkeys(gone)):
            same = " OR ".join(['kind = ? AND key = ? AND "user" = ?'] * len(names))
            values = (value for name in names for value in (name.kind.value, name.key, name.user))
            statements.append((f"DELETE FROM shown WHERE game = ? AND ({same})", (number, *values)))
        if noted := {projection.name: projection for projection in shown}:
            statements.append(noted_statement(number, noted.values()))
        posting = any(projection.doubtful for projection in noted.values())
        if len(statements) == 1 and not posting:
            await self._database.mark(statements[0][0], *statements[0][1], game=number)
        elif statements:
            await self._database.write(lambda run: run(*statements), durable=posting, game=number)

    async def visible(self, number: int) -> dict[Name, Projection]:
        """All that is, or must be, visible of a game: its projections by name."""
        query = 'SELECT * FROM shown WHERE game = ? ORDER BY kind, key, "user"'
        rows = await self._database.read(query, number, game=number)
        found = [_projection_in(row) for row in rows if row["kind"] in _KINDS]
        return {projection.name: projection for projection in found}

    async def notified(self, guild: int, topic: str, users: Collection[int]) -> dict[int, int]:
        """The message that last notified each of these users of a topic at any table of a server, if one is known."""
        query = (
            'SELECT "user", max(message) AS message FROM games JOIN shown ON game = number'
            f" WHERE run = ? AND guild = ? AND kind = '{Kind.NOTIFIED}' AND key = ?"
            f' AND "user" IN ({", ".join("?" * len(users))}) AND message IS NOT NULL GROUP BY "user"'
        )
        rows = await self._database.read(query, self._namespace, guild, topic, *users) if users else []
        return {row["user"]: row["message"] for row in rows}

    async def pending(self, shards: Shards | None = None) -> dict[int, set[Kind]]:
        """Which kinds of things are still to be shown, by the numbers of this namespace's tables, in ascending order;
        without tables of which nothing can be shown until Discord says so (`projections.is_barred`). With `shards`,
        only tables of servers on those shards."""
        on, values = on_shards(shards)
        query = (
            "SELECT DISTINCT game, kind FROM shown JOIN games ON number = game"
            f" WHERE run = ? AND shown.version < due{NOT_BARRED}{on} ORDER BY game"
        )
        found: dict[int, set[Kind]] = {}
        for row in await self._database.read(query, self._namespace, *values):
            if row["kind"] in _KINDS:
                found.setdefault(row["game"], set()).add(Kind(row["kind"]))
        return found


def due_statement(number: int, due: Iterable[Name], version: int) -> Statement:
    """Statement that has projections show a version; one for all, as each is a round trip to a server."""
    rows = [(number, name.kind.value, name.key, name.user, State.WANTED.value, version) for name in due]
    upsert = (
        'INSERT INTO shown (game, kind, key, "user", state, due, version) VALUES'
        f" {', '.join(['(?, ?, ?, ?, ?, ?, 0)'] * len(rows))}"
        ' ON CONFLICT (game, kind, key, "user") DO UPDATE SET due = excluded.due'
    )
    return upsert, tuple(value for row in rows for value in row)


def barred_statement(number: int, since: int, version: int) -> Statement:
    """Statement by which what bars a game at one version bars it at a later one, too: no one has acted."""
    update = f"UPDATE shown SET due = ?, version = ? WHERE game = ? AND kind = '{Kind.BARRED}' AND version >= ?"
    return update, (version, version, number, since)


def noted_statement(number: int, noted: Collection[Projection]) -> Statement:
    """Statement that notes what is shown, each with a name of its own; if a later version was noted, that stays."""
    upsert = (
        'INSERT INTO shown (game, kind, key, "user", state, due, version, channel, message)'
        f" VALUES {', '.join(['(?, ?, ?, ?, ?, ?, ?, ?, ?)'] * len(noted))}"
        ' ON CONFLICT (game, kind, key, "user") DO UPDATE SET state = excluded.state,'
        " version = excluded.version, channel = coalesce(excluded.channel, shown.channel),"
        " message = coalesce(excluded.message, shown.message)"
        " WHERE excluded.version >= shown.version"
    )
    return upsert, tuple(value for one in noted for value in _projection_values(number, one))


def _projection_values(number: int, one: Projection) -> tuple[object, ...]:
    place = (None, None) if one.place is None else (one.place.channel, one.place.message)
    return number, one.name.kind.value, one.name.key, one.name.user, one.state.value, one.version, one.version, *place


def _projection_in(row: StoredRow) -> Projection:
    name = Name(Kind(row["kind"]), row["key"], row["user"])
    place = None if row["channel"] is None else Place(row["channel"], row["message"])
    return Projection(name, _state_in(row), row["due"], row["version"], place)


def _state_in(row: StoredRow) -> State:
    """The stored state. If it can't be read, the message might be there, or be there twice: that is looked for."""
    try:
        return State(row["state"])
    except ValueError:
        return State.POSTING if row["channel"] is None else State.REPLACING
