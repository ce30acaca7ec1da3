"""Looks after each running game when a time is over or a reminder is due: one job per game, done by one process. And
absent people: a vacation stops a player's clock in all their games; members who left the server are noted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from bot.projections import is_barred, is_unseen
from bot.service.games import GameService
from bot.service.jobs import Jobs
from bot.service.people import Directs
from bot.service.reach import LONG_OUTAGE, Reach
from bot.service.repository import GameRepository
from bot.store import Store, Unavailable
from bot.store.base import LOOK_JOB, Job
from bot.table.act import By
from bot.table.acts.waiting import Elsewhere, LookAfter, NoteBack, NoteGone, RefreshTimes, called_on, overdue, refreshed
from bot.table.options import DAY
from bot.table.preferences import UserSettings
from bot.table.reminders import due_at
from bot.table.seats import lapsed, who_plays
from bot.table.table import LOBBY, RUNNING, People, Table
from bot.table.time import Wait
from bot.table.waiting import Vacation, decisions, leave_left
from engine.errors import RefereeError
from engine.game import Game

SeenFrom = Callable[[Table, Table], Awaitable[bool]]
"""Whether everyone who reads the first game's channel can see the second game's channel."""


async def _everywhere(there: Table, table: Table) -> bool:
    return True


class Timekeeper:
    """Gathers what must be known of the world, and looks after games; says what else waits for a user."""

    def __init__(
        self,
        store: Store,
        repository: GameRepository,
        games: GameService,
        reach: Reach,
        jobs: Jobs,
        directs: Directs,
        now: Callable[[], float],
    ) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._repository, self._games = store, repository, games
        self._reach, self._directs, self._now = reach, directs, now
        self._seen_from: SeenFrom = _everywhere
        for name in (LOOK_JOB, "deadline"):  # version 0.2.0's name for the end of a window
            jobs.when(name, self._look)

    def seen_by(self, seen_from: SeenFrom) -> None:
        """Call `seen_from` before a game is mentioned in another one's channel."""
        self._seen_from = seen_from

    async def look(self, number: int) -> None:
        """Do what is due in a game now. Raises `Unavailable` if this process stood still meanwhile."""
        table = await self._repository.table(number)
        if table.status != RUNNING:
            return
        game = await self._repository.game(number)
        by, began = By(0, self._now(), await self._people(table, game)), asyncio.get_running_loop().time()
        fresh = refreshed(table, game, by)
        late, closing = overdue(fresh, by.at)
        unseen = await self._reach.recently_lost(table) if late or closing or lapsed(fresh, by.at) else 0.0
        called = [] if table.paused else [by.people.of(user) for user in called_on(fresh, game, by.at)]
        elsewhere = {person.user: await self._elsewhere(fresh, game, person, by.at) for person in called}
        if late and asyncio.get_running_loop().time() - began >= LONG_OUTAGE:  # people couldn't act until now
            raise Unavailable(f"it took too long to look at game {number}")
        await self._games.act(number, 0, LookAfter(unseen, elsewhere, by.at), people=by.people)

    async def games_of(self, user: int) -> list[tuple[Table, Wait | None]]:
        """A user's running games, each with the decision that it awaits from them."""
        found = []
        for number in await self._store.played_by(user):
            with suppress(RefereeError):  # it can't be read, and the host has been told
                table = await self._repository.table(number)
                found.append((table, await self._wait_for(table, user)))
        return found

    async def _look(self, job: Job) -> None:
        await self.look(job.game)

    async def _people(self, table: Table, game: Game) -> People:
        """The settings of all who are awaited, and whether direct messages are possible at all."""
        awaited = {table.user_at(game, wait.seat) for wait in decisions(table)}
        people = await self._repository.people(table, *_persons(awaited))
        if stopped := await self._directs.stopped():
            settings = {user: replace(people.of(user), stopped=stopped) for user in {*people.settings, *awaited}}
            people = replace(people, settings=settings)
        return people

    async def _elsewhere(self, table: Table, game: Game, person: UserSettings, now: float) -> Elsewhere:
        """What else waits for a person. In a channel, no one should learn of games that they play on other servers, or
        in channels that not everyone there can see."""
        seen = not is_unseen(await self._store.visible(table.number))  # else no one sees its pings either
        games, reminded, first = 0, 0.0, False
        own_wait = next((wait for wait in decisions(table) if table.user_at(game, wait.seat) == person.user), None)
        for other, wait in await self.games_of(person.user):
            if wait is None or own_wait is None or other.number == table.number:
                continue
            visible = await self._store.visible(other.number)
            if is_barred(visible, other.version):  # no one is told of its reminders
                continue
            here = seen and other.guild == table.guild and not is_unseen(visible)
            games += here and await self._seen_from(table, other)
            mentioned = here and await self._seen_from(other, table)
            reminded = max(reminded, wait.written, wait.pinged if mentioned else 0.0)
            if person.in_channel and not mentioned:
                continue
            due = due_at(other, await self._repository.game(other.number), wait)
            first |= due is not None and due <= now and (wait.since, other.number) < (own_wait.since, table.number)
        return Elsewhere(games, reminded, first)

    async def _wait_for(self, table: Table, user: int) -> Wait | None:
        """The decision that a game awaits from a user; None: none, or a bot plays for them."""
        if table.status != RUNNING or table.paused:
            return None
        game = await self._repository.game(table.number)
        seat = table.seat_of(game, user)
        if seat is None or table.member_at(game, seat).level:
            return None
        return next((wait for wait in decisions(table) if wait.seat == seat), None)


def _persons(users: Iterable[int]) -> list[int]:
    return [user for user in users if user > 0]


# --- absence

LONGEST_VACATION = 366 * DAY
"""Maximum length of a vacation in seconds, and maximum time until it begins."""


@dataclass(frozen=True, slots=True)
class PartialVacation:
    """A game that stops a player's clock for only a part of their vacation."""

    number: int
    left: float
    """Seconds for which it stops the clock; 0: not at all."""
    until: float
    """When these seconds are used up if the game waits for the player all the time, in seconds since the epoch."""


class AbsenceService:
    """Vacations, and members who have left their server."""

    def __init__(
        self,
        store: Store,
        repository: GameRepository,
        games: GameService,
        jobs: Jobs,
        now: Callable[[], float],
    ) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._repository, self._games, self._jobs, self._now = store, repository, games, jobs, now

    async def leave(self, user: int, begin: float, end: float) -> UserSettings:
        """Set a user's vacation from `begin`, or now if that is later, until `end`, in seconds since the epoch.
        Code: "vacation"."""
        now = self._now()
        begin = max(begin, now)
        if not begin < end or begin > now + LONGEST_VACATION or end > begin + LONGEST_VACATION:
            raise RefereeError("vacation")
        return await self._set(user, lambda before: (begin, end))

    async def back(self, user: int) -> UserSettings:
        """End a user's vacation, or cancel a future one. What has passed of it has still stopped their clocks."""
        now = self._now()

        def ended(before: Vacation | None) -> Vacation | None:
            return None if before is None or before[0] >= now else (before[0], min(before[1], now))

        return await self._set(user, ended)

    async def limits(self, user: int) -> list[PartialVacation]:
        """The user's running games that don't stop their clock for all of the vacation they have just chosen."""
        vacation = (await self._store.settings(user)).choices.vacation
        if vacation is None or vacation[1] <= self._now():
            return []
        (begin, end), found = vacation, []
        for number in await self._store.played_by(user):
            with suppress(RefereeError):  # it can't be read, and the host has been told
                table, game = await self._repository.table(number), await self._repository.game(number)
                left = leave_left(table, game, user, self._now())
                if table.options.pace and user in who_plays(table, game) and left < end - begin:
                    found.append(PartialVacation(number, left, begin + left))
        return found

    async def left_server(self, number: int, user: int) -> None:
        """Note that a member is no longer on the table's server (the caller has checked); the panel becomes due."""
        await self._games.act(number, 0, NoteGone(user))

    async def moved(self, guild: int, user: int, *, joined: bool) -> None:
        """Note in all the user's open tables on a server that they have joined it (`joined`) or left it."""
        for number in [*await self._store.played_by(user, LOBBY), *await self._store.played_by(user)]:
            with suppress(RefereeError):  # it can't be read, and the host has been told
                if (await self._repository.table(number)).guild != guild:
                    continue
                if not joined:
                    await self.left_server(number, user)
                else:
                    await self._games.act(number, 0, NoteBack(user))

    async def _set(self, user: int, change: Callable[[Vacation | None], Vacation | None]) -> UserSettings:
        def changed(settings: UserSettings) -> UserSettings:
            chosen = settings.choices
            return replace(settings, choices=replace(chosen, vacation=change(chosen.vacation)))

        settings = await self._jobs.change_settings(user, changed, [LOOK_JOB])
        for number in await self._store.played_by(user):
            with suppress(RefereeError):  # it can't be read, and the host has been told
                await self._games.act(number, 0, RefreshTimes())
        return settings
