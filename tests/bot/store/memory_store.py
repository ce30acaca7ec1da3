"""A store in memory, for tests that need no file: it promises what `Store` does, except that it outlives the process.

`tests/bot/store/test_base.py` holds it to that.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from bot.models import RUNNING, Job, Table
from bot.orders import Orders
from bot.preferences import UserSettings
from bot.projections import HAND, PANEL, Backlog, Projection
from bot.results import Result
from bot.store import Change, Conflict, Damaged, Newer, Store, Taken
from engine.chance import commitment
from engine.codec import encode
from tests.bot.store.memory_contents import Contents, Kept, later
from tests.bot.store.memory_reach import MemoryReach
from tests.bot.store.memory_servers import MemoryServers
from tests.bot.store.memory_shards import MemoryShards


class MemoryStore(MemoryReach, MemoryServers, MemoryShards, Store):
    """Each method waits a moment and then does everything at once."""

    shared = False

    def __init__(self, namespace: str = "discord", contents: Contents | None = None) -> None:
        self.contents = contents or Contents()
        self.process = f"memory-{id(self)}"
        self._namespace = namespace

    async def close(self) -> None:
        await asyncio.sleep(0)

    async def listen(self, heard: Callable[[str], None]) -> None:
        pass

    async def tell(self, words: str) -> None:
        pass

    def damaged(self, number: int, reason: str) -> Damaged:
        return Damaged(number)

    def newer(self, number: int) -> Newer:
        return Newer(number)

    def _mine(self, fits: Callable[[Table], bool]) -> list[Kept]:
        """This namespace's tables that fit, the newest first."""
        found = [k for k in self.contents.tables.values() if k.namespace == self._namespace and fits(k.table)]
        return sorted(found, key=lambda kept: -kept.table.number)

    async def _first(self, fits: Callable[[Table], bool]) -> Table | None:
        await asyncio.sleep(0)
        return next((kept.table for kept in self._mine(fits)), None)

    async def _numbers(self, fits: Callable[[Table], bool]) -> list[int]:
        await asyncio.sleep(0)
        return [kept.table.number for kept in self._mine(fits)]

    # --- tables

    async def add_table(self, table: Table, seed: bytes, interaction: str, due: Sequence[str]) -> Table:
        await asyncio.sleep(0)
        number = max(self.contents.tables, default=0) + 1
        table = replace(table, number=number, commitment=commitment(seed, str(number)))
        self._check(table, interaction)
        self.contents.tables[number] = Kept(self._namespace, table, seed)
        self._carry_out(table, interaction, due, None)
        return table

    async def save(self, change: Change) -> None:
        await asyncio.sleep(0)
        table, records = change.table, change.records
        kept = self.contents.tables[table.number]
        if kept.table.version != change.since or any(number < len(kept.records) for number, _, _ in records):
            raise Conflict(table.number)
        self._check(table, change.interaction)
        if (orders := change.orders) is not None:
            stored = kept.orders.get(orders.after.user, Orders(orders.after.user))
            if orders.before not in (None, stored):
                raise Conflict(table.number)
            kept.orders[orders.after.user] = orders.after
        if table.version != change.since:
            kept.rests_until = 0.0
        kept.table = table if change.members else replace(table, members=kept.table.members)
        kept.records += [json.dumps(data) for _, _, data in records]
        self._carry_out(table, change.interaction, change.due, records[0][0] if records else None)
        kept.result = change.result or kept.result
        for name, at in change.jobs.items():
            kept.jobs.pop(name, None)
            if at is not None:
                kept.jobs[name] = (at, 0.0)

    def _check(self, table: Table, interaction: str | None) -> None:
        """Raise `Conflict` where the channel is taken, or the interaction known."""
        others = self._mine(lambda other: other.open and other.channel == table.channel)
        if table.open and any(other.table.number != table.number for other in others):
            raise Conflict(table.channel)
        if (self._namespace, interaction) in self.contents.interactions:
            raise Conflict(interaction)

    def _carry_out(self, table: Table, interaction: str | None, due: Sequence[str], record: int | None) -> None:
        if interaction is not None:
            self.contents.interactions[self._namespace, interaction] = (table.number, record)
        marks = self.contents.tables[table.number].marks
        for what in due:
            marks[what] = replace(marks.get(what, Projection(what, 0, 0, None, None)), due=table.version)

    async def rename(self, number: int, user: int, name: str) -> None:
        await asyncio.sleep(0)
        kept = self.contents.tables[number]
        members = [replace(m, name=name) if m.user == user else m for m in kept.table.members]
        kept.table = replace(kept.table, members=tuple(members))

    async def table(self, number: int) -> Table | None:
        return await self._first(lambda table: table.number == number)

    async def any_table(self, number: int) -> Table | None:
        await asyncio.sleep(0)
        kept = self.contents.tables.get(number)
        return kept.table if kept else None

    async def numbers(self) -> list[int]:
        await asyncio.sleep(0)
        return list(self.contents.tables)

    async def open_table(self, channel: int) -> Table | None:
        return await self._first(lambda table: table.open and table.channel == channel)

    async def latest_table(self, channel: int) -> Table | None:
        return await self._first(lambda table: table.channel == channel)

    async def tables_in(self, channel: int, statuses: Sequence[str], most: int) -> list[int]:
        return (await self._numbers(lambda table: table.channel == channel and table.status in statuses))[:most]

    async def played_by(self, user: int, status: str = RUNNING) -> list[int]:
        return (await self._numbers(lambda table: table.status == status and user in table.users))[::-1]

    async def untouched(self, before: Mapping[str, float]) -> list[int]:
        return await self._numbers(lambda table: table.updated < before.get(table.status, 0.0))

    # --- games

    async def seed(self, number: int) -> bytes:
        await asyncio.sleep(0)
        return self.contents.tables[number].seed

    async def records(self, number: int, since: int = 0) -> list[Any]:
        await asyncio.sleep(0)
        return [json.loads(record) for record in self.contents.tables[number].records[since:]]

    async def progress(self, number: int) -> tuple[int, int]:
        await asyncio.sleep(0)
        kept = self.contents.tables[number]
        return kept.table.version, len(kept.records)

    async def interaction(self, id: str) -> tuple[int, int | None] | None:
        await asyncio.sleep(0)
        return self.contents.interactions.get((self._namespace, id))

    # --- time

    async def wake(self, now: float, least: float = 0.0) -> float:
        await asyncio.sleep(0)
        updated = (kept.table.updated for kept in self._mine(lambda table: True))
        seen = self.contents.seen.get(self._namespace, 0.0)
        since = seen if least and seen else max(seen, 0.0, *updated)
        down = max(now - since, 0.0) if since else 0.0
        down = 0.0 if down < least else down
        if down:
            await self.move(down, now - least if least else inf)
        await self.alive(now)
        return down

    async def move(self, seconds: float, begun: float = inf) -> None:
        await asyncio.sleep(0)
        for kept in self._mine(lambda table: not table.open or table.updated <= begun):
            kept.jobs = {name: (at + seconds, 0.0) for name, (at, _) in kept.jobs.items()}
        for kept in self._mine(lambda table: table.open and not table.choices.paused):
            moved = later(kept.table, seconds, begun)
            limited = moved.deadline is not None or any(wait.until is not None for wait in moved.waits)
            kept.table = replace(moved, version=kept.table.version + limited)
            if limited and PANEL in kept.marks:
                kept.marks[PANEL] = replace(kept.marks[PANEL], due=kept.table.version)

    async def alive(self, now: float) -> None:
        self.contents.seen[self._namespace] = now

    # --- jobs

    def _jobs(self) -> list[tuple[Job, float]]:
        mine = self._mine(lambda table: True)
        found = [(Job(kept.table.number, n, at), held) for kept in mine for n, (at, held) in kept.jobs.items()]
        return sorted(found, key=lambda job: job[0].at)

    async def set_job(self, job: Job) -> None:
        await asyncio.sleep(0)
        self.contents.tables[job.game].jobs[job.name] = (job.at, 0.0)

    async def take_jobs(self, now: float, until: float, most: int) -> list[Job]:
        await asyncio.sleep(0)
        taken = [job for job, held in self._jobs() if job.at <= now and held < now][:most]
        for job in taken:
            self.contents.tables[job.game].jobs[job.name] = (job.at, until)
        return taken

    async def drop_job(self, job: Job) -> None:
        await asyncio.sleep(0)
        jobs = self.contents.tables[job.game].jobs
        if job.name in jobs and jobs[job.name][0] == job.at and jobs[job.name][1] > 0:
            del jobs[job.name]

    async def has_job(self, job: Job) -> bool:
        await asyncio.sleep(0)
        at, held = self.contents.tables[job.game].jobs.get(job.name, (0.0, 0.0))
        return at == job.at and held > 0

    async def free_jobs(self) -> None:
        await asyncio.sleep(0)
        for kept in self._mine(lambda table: True):
            kept.jobs = {name: (at, 0.0) for name, (at, _) in kept.jobs.items()}

    async def next_job(self, now: float) -> float | None:
        await asyncio.sleep(0)
        return min((job.at if held < now else held for job, held in self._jobs()), default=None)

    # --- commands

    async def commands(self) -> str:
        return self.contents.commands.get(self._namespace, "")

    async def save_commands(self, digest: str) -> None:
        self.contents.commands[self._namespace] = digest

    # --- marks

    async def shown(
        self, number: int, what: str, version: int, channel: int | None = None, message: int | None = None
    ) -> None:
        await asyncio.sleep(0)
        marks = self.contents.tables[number].marks
        old = marks.get(what, Projection(what, version, 0, None, None))
        if version >= old.shown:
            where, which = channel or old.channel, message or old.message
            marks[what] = replace(old, shown=version, channel=where, message=which)

    async def gone(self, number: int, what: str) -> None:
        await asyncio.sleep(0)
        self.contents.tables[number].marks.pop(what, None)

    async def visible(self, number: int) -> dict[str, Projection]:
        await asyncio.sleep(0)
        kept = self.contents.tables.get(number)
        return dict(sorted(kept.marks.items())) if kept else {}

    async def pending(self) -> list[int]:
        await asyncio.sleep(0)
        mine = self._mine(lambda table: True)
        return sorted(kept.table.number for kept in mine if kept.due)

    async def take(self, number: int, now: float, until: float) -> Taken:
        await asyncio.sleep(0)
        kept = self.contents.tables[number]
        if kept.shown_by is not self and kept.shown_by is not None and kept.shown_until >= now:
            return Taken.NOT
        taken = Taken.STILL if kept.shown_by is self else Taken.NEWLY
        kept.shown_by, kept.shown_until = self, until
        return taken

    async def take_pending(self, now: float, until: float, *, since: float, most: int) -> list[int]:
        await asyncio.sleep(0)
        found = [
            k
            for k in self._mine(lambda table: table.updated <= since)
            if k.due and max(k.shown_until, k.rests_until) < now
        ]
        for kept in found[-most:]:
            kept.shown_by, kept.shown_until = self, until
        return sorted(kept.table.number for kept in found[-most:])

    async def keep_taken(self, numbers: Collection[int], until: float) -> list[int]:
        await asyncio.sleep(0)
        tables = self.contents.tables
        mine = [n for n in numbers if tables[n].shown_by is self and tables[n].shown_until > 0]
        for number in mine:
            tables[number].shown_until = until
        return mine

    async def give_back(self, number: int, rest: float | None = None, *, only: str = "") -> bool:
        await asyncio.sleep(0)
        kept = self.contents.tables[number]
        held = [mark.what for mark in kept.marks.values() if mark.pending and not (only and mark.what.startswith(only))]
        if kept.shown_by is not self or ((rest is None or only) and held):
            return rest is not None and not only
        kept.shown_until, kept.rests_until = 0.0, rest or 0.0
        return True

    # --- results

    async def results(self, guild: int | None = None) -> list[Result]:
        await asyncio.sleep(0)
        found = [kept.result for kept in self._mine(lambda table: True) if kept.result is not None]
        return sorted((r for r in found if guild in (None, r.guild)), key=lambda r: (r.ended, r.game))

    async def set_result(self, number: int, result: Result | None) -> None:
        await asyncio.sleep(0)
        self.contents.tables[number].result = result

    # --- figures

    async def backlog(self, now: float) -> Backlog:
        await asyncio.sleep(0)
        mine = self._mine(lambda table: True)
        due = [(kept, mark) for kept in mine if kept.due for mark in kept.marks.values() if mark.pending]
        waiting = [kept.table.updated for kept, mark in due if not mark.what.startswith(HAND)]
        running = sum(kept.table.status == RUNNING for kept in mine)
        return Backlog(len(waiting), max(now - min(waiting, default=now), 0.0), running)

    # --- people

    async def orders(self, number: int) -> dict[int, Orders]:
        await asyncio.sleep(0)
        return dict(self.contents.tables[number].orders)

    async def settings(self, user: int) -> UserSettings:
        await asyncio.sleep(0)
        return self.contents.people.get((self._namespace, user), UserSettings(user))

    async def settings_of(self, users: Collection[int]) -> dict[int, UserSettings]:
        await asyncio.sleep(0)
        mine = ((user, self.contents.people.get((self._namespace, user))) for user in users)
        return {user: settings for user, settings in mine if settings is not None}

    async def change_settings(self, user: int, change: Callable[[UserSettings], UserSettings]) -> UserSettings:
        await asyncio.sleep(0)
        settings = change(self.contents.people.get((self._namespace, user), UserSettings(user)))
        self.contents.people[self._namespace, user] = settings
        return settings

    async def concerning(self, user: int) -> list[int]:
        def knows(table: Table) -> bool:
            return user in (table.host, table.ended_by, *table.users) or str(user) in json.dumps(encode(table.choices))

        return (await self._numbers(knows))[::-1]

    async def forget(self, user: int) -> None:
        await asyncio.sleep(0)
        self.contents.people.pop((self._namespace, user), None)
        for kept in self._mine(lambda table: True):
            kept.orders.pop(user, None)
            kept.marks = {what: mark for what, mark in kept.marks.items() if str(user) not in what.split(":")[1:]}
