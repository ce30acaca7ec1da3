"""Tells people of new tables who have asked for it: first when a table has been open for a while, and again when it has
long lacked one player. The table's jobs decide whom and how; the front does it.

People who are told by direct message hear of all tables that they haven't heard of. In a table's channel, one message
calls all who want that. No one is told twice in an hour on a server, or in their quiet hours: then a table's job comes
again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import Any

from bot.projections import Kind, Name, Projections, of_kind
from bot.service.jobs import Jobs
from bot.service.people import PeopleService
from bot.service.repository import GameRepository
from bot.store import Store
from bot.store.base import Job, Telling
from bot.table.preferences import CHANNEL, DM, NEVER, UserSettings
from bot.table.subscriptions import (
    LACKING,
    LAST_JOB,
    NEW_JOB,
    ROLE,
    SETTLED_AFTER,
    TELLINGS_APART,
    Subscriber,
    Subscription,
    in_turn,
    lacks_one,
)
from bot.table.table import LOBBY, Table
from engine.errors import RefereeError

MOST_CALLED = 60
"""Most people whom one message calls: their mentions must fit into it. The others are called first the next time."""
MOST_TABLES = 8
"""Most tables that a direct message is about."""

Sees = Callable[[int, int], Awaitable[bool]]
"""Whether a user can see a channel; `ROLE`: whether people can see it without being let in."""


async def _everywhere(user: int, channel: int) -> bool:
    return True


def call_name(job: str) -> Name:
    """The message that calls people in a table's channel, by the job that has it posted."""
    return Name(Kind.PING, job)


def called_by(projections: Projections, job: str) -> list[int]:
    """Users whom that message calls; `ROLE` among them: the role."""
    return [one.name.user for one in of_kind(projections, Kind.CALLED) if one.name.key == job]


def letter_name(job: str, user: int, numbers: Collection[int]) -> Name:
    """A direct message about tables with these numbers."""
    return Name(Kind.NEW_TABLES, f"{job}:{'.'.join(map(str, numbers))}", user)


def is_about(name: Name) -> tuple[str, list[int]]:
    """The job that has a direct message sent, and the numbers of the tables that it is about."""
    job, _, numbers = name.key.partition(":")
    return job, [int(number) for number in numbers.split(".")]


class SubscriptionService:
    """What people have asked to hear of servers' new tables, and who is told now."""

    def __init__(
        self, store: Store, repository: GameRepository, people: PeopleService, jobs: Jobs, now: Callable[[], float]
    ) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._repository, self._people = store, repository, people
        self._jobs, self._now = jobs, now
        self._readers: Callable[[int], Sees] = lambda guild: _everywhere
        self._show: Callable[[int], None] = lambda number: None
        for name in (NEW_JOB, LAST_JOB):
            jobs.when(name, self._tell)

    def shown_by(self, readers: Callable[[int], Sees], show: Callable[[int], None]) -> None:
        """Ask `readers` who can see a server's channels before people are told of a table, and call `show` with its
        number to have them told."""
        self._readers, self._show = readers, show

    async def of(self, guild: int, user: int) -> Subscription:
        """What a user has asked to hear of a server."""
        return (await self._store.subscriber(guild, user)).chosen

    async def by_dm(self, user: int) -> bool:
        """Whether a user has asked to be told by direct message, on any server."""
        return any(one.chosen.how == DM for one in (await self._store.subscriptions_of(user)).values())

    async def change(self, guild: int, user: int, **changes: Any) -> Subscription:
        """Change what a user hears of a server, by names. They aren't told of tables that are there when they ask."""
        there = max(await self._store.open_in(guild), default=0)

        def changed(before: Subscriber) -> Subscriber:
            chosen = replace(before.chosen, **changes)
            begins = before.chosen.how == NEVER != chosen.how
            return replace(before, chosen=chosen, through=max(before.through, there) if begins else before.through)

        return (await self._store.change_subscription(guild, user, changed)).chosen

    async def forget_server(self, guild: int) -> None:
        """Forget what anyone has asked to hear of a server."""
        await self._store.drop_subscriptions(guild)

    # --- who is told

    async def _tell(self, job: Job) -> None:
        """Have those told of a table who can be told now. The others are looked at again."""
        table = await self._repository.table(job.game)
        last, now = job.name == LAST_JOB, self._now()
        if table.guild is None or table.status != LOBBY:
            return
        if last and not (lacks_one(table) and now >= table.updated + LACKING):  # until it does, or has begun
            await self._jobs.set(Job(table.number, LAST_JOB, max(now, table.updated) + LACKING))
            return
        visible, sees = await self._store.visible(table.number), self._readers(table.guild)
        later, tellings, called = inf, list[Telling](), 0
        for one, settings in await self._asked(table.guild):
            if not one.hears_of(table, again=last) or _is_told(one, job.name, visible):
                continue
            stopped = settings.stopped and one.chosen.how == DM
            if (at := now + TELLINGS_APART if stopped else one.free_from(settings, now)) > now:
                later = min(later, at)
            elif called < MOST_CALLED and await sees(one.user, table.channel):
                called += one.chosen.how == CHANNEL
                tellings.append(await self._telling(table, one, job.name, sees))
        told = await self._store.note_told(table, now, tellings) if tellings else []
        if told:
            self._show(table.number)
        if len(told) < len(tellings):  # another table, at the same moment, has told them
            later = min(later, now + TELLINGS_APART)
        if later < inf:
            await self._jobs.set(Job(table.number, job.name, later))

    async def _asked(self, guild: int) -> list[tuple[Subscriber, UserSettings]]:
        """Those who have asked to hear of a server and can be reached, with their settings."""
        stored = await self._store.subscribers(guild)
        people = await self._people.settings_of([one.user for one in stored if one.user != ROLE])
        found = [one for one in stored if one.user != ROLE and _is_reached(one, people[one.user])]
        if (await self._store.server(guild)).called:
            role = next((one for one in stored if one.user == ROLE), Subscriber(ROLE))
            found.append(replace(role, chosen=Subscription(CHANNEL)))
        return [(one, people.get(one.user) or UserSettings(one.user)) for one in in_turn(found)]

    async def _telling(self, table: Table, one: Subscriber, job: str, sees: Sees) -> Telling:
        """How someone is told of a table, and of which others."""
        if one.chosen.how == CHANNEL:
            through = max(one.through, table.number)
            return Telling(one, through, call_name(job), Name(Kind.CALLED, job, one.user))
        numbers = {table.number}
        for number in () if job == LAST_JOB else await self._store.open_in(table.guild or 0):
            with suppress(RefereeError):  # it can't be read, and the host has been told
                other = await self._repository.table(number)
                settled = self._now() - other.created >= SETTLED_AFTER
                if settled and one.hears_of(other) and await sees(one.user, other.channel):
                    numbers.add(number)
        told = sorted(numbers)[-MOST_TABLES:]
        return Telling(one, max(one.through, *told), letter_name(job, one.user, told))


def _is_reached(one: Subscriber, settings: UserSettings) -> bool:
    """Whether a person can be told as they want. No direct messages are opened for this: choosing them does that."""
    written_to = bool(settings.choices.direct) and not settings.dms_closed
    return one.chosen.how == CHANNEL or (one.chosen.how == DM and written_to)


def _is_told(one: Subscriber, job: str, visible: Projections) -> bool:
    """Whether it is too late to tell someone: the channel's message, or the later one, calls others, or they have a
    letter."""
    if one.chosen.how == CHANNEL:
        return bool(called_by(visible, job) or called_by(visible, LAST_JOB))
    return job == LAST_JOB and any(
        found.name.user == one.user and is_about(found.name)[0] == job for found in of_kind(visible, Kind.NEW_TABLES)
    )
