"""Jobs: what must be done with games and when, a row each."""

from __future__ import annotations

from bot.jobs import Job
from bot.store.base import Shards
from bot.store.sql.database import StorePart
from bot.store.sql.values import Statement, on_shards


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
