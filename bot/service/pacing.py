"""What happens to those for whom a game waits: reminders, and in the end what the group has chosen."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from bot.projections import PANEL, is_unseen, reminder_name
from bot.service.games import GameService
from bot.service.jobs import Jobs
from bot.service.people import PeopleService, told_again
from bot.service.reach import Reach
from bot.service.referee import Referee
from bot.service.repository import GameRepository
from bot.store import Store
from bot.table import waiting
from bot.table.preferences import CHANNEL, NEVER, UserSettings
from bot.table.reminders import due_at, due_by, held_until, next_look, spoken_by
from bot.table.table import DECIDE, RUNNING, WAITING, Job, Table, Wait
from bot.table.waiting import decisions
from engine.errors import RefereeError
from engine.game import Game

log = logging.getLogger(__name__)

AGAIN = 60.0
"""Seconds until a game looks whether another one, which is to speak for both, has done so."""

Listener = Callable[[int, Game | None], None]


@dataclass(slots=True)
class _Look:
    """What a look at a table has found."""

    table: Table
    game: Game | None = None
    """The game, where something was decided for somebody."""
    due: list[str] = field(default_factory=list)
    """What has to be shown anew."""
    told: dict[int, list[int]] = field(default_factory=dict)
    """By user the other games that their reminder spoke of in time."""
    began: tuple[Table, Game] | None = None
    """A game of an earlier version, at the first look at it."""
    later: list[float] = field(default_factory=list)
    """When to look again, beside what the table says."""


class Pacing:
    """Looks after each running game when a time is over, or a reminder due: one job a game, done by one process."""

    def __init__(
        self,
        store: Store,
        repository: GameRepository,
        games: GameService,
        referee: Referee,
        reach: Reach,
        jobs: Jobs,
        people: PeopleService,
        now: Callable[[], float],
    ) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._repository, self._games, self._referee = store, repository, games, referee
        self._reach, self._people, self._now = reach, people, now
        self._listeners: list[Listener] = []
        jobs.when(WAITING, self._look)

    def subscribe(self, listener: Listener) -> None:
        """Have a listener told of each game that was looked after; None: only its table has changed."""
        self._listeners.append(listener)

    async def _look(self, job: Job) -> None:
        found = await self._repository.alone(job.game, self._pass)
        if found.began is not None:
            await self._tell_standing(*found.began)
        for user, numbers in found.told.items():
            for number in numbers:
                with suppress(RefereeError):  # its players have had enough, or it has just ended
                    await self._repository.alone(number, partial(self._spoken_of, user=user, by=job.game))
        if found.game is not None or found.due:
            for listener in self._listeners:
                listener(job.game, found.game)

    async def _pass(self, before: Table) -> _Look:
        """Under the table's lock: end what is over, and remind those who are to be reminded."""
        found = _Look(before)
        if before.status != RUNNING or before.choices.paused:
            return found
        now = self._now()
        if not before.waits:  # a game of an earlier version
            game = await self._repository.game(before.number)
            people = await self._repository.people(before)
            found.table, found.began = waiting.after(before, game, people, now), (before, game)
        late = [wait for wait in before.waits if wait.until is not None and wait.until <= now and not wait.over]
        missed = await self._reach.missed(before) if late else 0.0
        if any((wait.begun or wait.since) <= missed for wait in late):  # who can't act where they see nothing
            game = await self._repository.game(before.number)
            found.table = waiting.unseen(before, game, await self._repository.people(before), late, now)
            found.due.append(PANEL)
            late = []
        if late and before.choices.expiry == DECIDE:
            found.table, found.game = await self._referee.decide_for(before, late)
            log.info("Game %d: decided for who was late", before.number)
            if found.game.outcome is not None:
                return found
        elif late:
            found.table = _with(before, {wait: replace(wait, over=True) for wait in late})
            found.due.append(PANEL)
        stored = found.table if found.game is not None else before
        for wait in decisions(found.table):
            if (at := due_at(found.table, wait)) is not None and at <= now:
                await self._remind(found, wait, now)
        await self._save(stored, found)
        return found

    async def _tell_standing(self, table: Table, game: Game) -> None:
        """Let a game of an earlier version know when its people are asked to build: then all had the same number."""
        for user in table.users:
            id = f"standing-{table.number}-{game.revision}-{user}"
            await told_again(self._repository, self._games, table.number, user, id)

    async def _remind(self, found: _Look, wait: Wait, now: float) -> None:
        """Remind whom a game waits for, unless they don't want it now, or another game does it."""
        table = found.table
        game = await self._repository.game(table.number)
        member = table.member_at(game, wait.seat)
        if member.level:
            found.table = _with(table, {wait: replace(wait, reminded=due_by(table, wait, now))})
            return
        settings = await self._people.settings(member.user)
        if held := held_until(settings.choices, now):
            found.later.append(held)
            return
        given = replace(wait, reminded=due_by(table, wait, now), pinged=0.0, spoken=None)
        if settings.choices.reminders != NEVER:
            in_channel = _in_channel(settings)
            if wait.spoken is not None and now < wait.spoken[1] + AGAIN:
                found.later.append(wait.spoken[1] + AGAIN)
                return
            if wait.spoken is not None and not is_unseen(await self._store.visible(wait.spoken[0])):
                found.table = _with(table, {wait: given})
                return
            games = await self.games_of(member.user)
            others = [(other, w) for other, w in games if w is not None and other.number != table.number]
            if in_channel:  # where nobody has to know of what somebody plays on other servers
                here = [] if await self._is_unseen(table) else others
                others = [(o, w) for o, w in here if o.guild == table.guild and not await self._is_unseen(o)]
            due = [(other, w) for other, w in others if (at := due_at(other, w)) is not None and at <= now]
            if any((w.since, other.number) < (wait.since, table.number) for other, w in due):
                found.later.append(now + AGAIN)
                return
            soon = [other.number for other, w in others if spoken_by(other, w, now) > w.reminded]
            if soon:
                found.told[member.user] = soon
            if in_channel:
                given = replace(given, pinged=now, more=len(others))
                found.due.append(PANEL)
            else:
                found.due.append(reminder_name(member.user))
        found.table = _with(table, {wait: given})

    async def games_of(self, user: int) -> list[tuple[Table, Wait | None]]:
        """Somebody's running games, each with the decision that it awaits from them."""
        found = []
        for number in await self._store.played_by(user):
            with suppress(RefereeError):  # it can't be read, and the host has been told
                table = await self._repository.table(number)
                found.append((table, await self._wait_for(table, user)))
        return found

    async def _wait_for(self, table: Table, user: int) -> Wait | None:
        """What a game awaits from a user; None: nothing, or a computer plays for them."""
        if table.status != RUNNING or table.choices.paused:
            return None
        game = await self._repository.game(table.number)
        seat = table.seat_of(game, user)
        if seat is None or table.member_at(game, seat).level:
            return None
        return next((wait for wait in decisions(table) if wait.seat == seat), None)

    async def _is_unseen(self, table: Table) -> bool:
        """Whether a game can't be shown: nobody sees its pings either."""
        return is_unseen(await self._store.visible(table.number))

    async def _spoken_of(self, before: Table, user: int, by: int) -> None:
        """A reminder of another game has spoken of this one, too."""
        found, now = _Look(before), self._now()
        wait = await self._wait_for(before, user)
        if wait is None or (reminded := spoken_by(before, wait, now)) <= wait.reminded:
            return
        if _in_channel(await self._people.settings(user)):  # which may turn out to be closed
            given = replace(wait, spoken=(by, now), pinged=0.0)
        else:
            given = replace(wait, reminded=reminded, pinged=0.0)
        found.table = _with(before, {wait: given})
        await self._save(before, found)

    async def _save(self, before: Table, found: _Look) -> None:
        """Store what has changed, and when to look again. Nobody has touched the table: that it rests goes on."""
        table = found.table
        if found.due:
            table = replace(table, version=before.version + 1)
        look = next_look(table, self._now() if found.later else 0.0)
        again = min((at for at in (look, *found.later) if at is not None), default=None)
        found.table = await self._repository.save(table, None, found.due, before=before, jobs={WAITING: again})


def _in_channel(settings: UserSettings) -> bool:
    """Whether somebody who wants reminders gets them where the game is."""
    return settings.choices.reminders == CHANNEL or settings.unreachable


def _with(table: Table, changed: dict[Wait, Wait]) -> Table:
    """With these waits in the place of others."""
    return replace(table, waits=tuple(changed.get(wait, wait) for wait in table.waits))
