"""Absent people: a vacation stops a player's clock in all their games; members who left the server are noted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from bot.service.games import GameService
from bot.service.repository import GameRepository
from bot.store import Store
from bot.table.acts.absence import GoAway, NoteBack, NoteGone
from bot.table.preferences import UserSettings
from bot.table.seats import who_plays
from bot.table.waiting import DAY, Vacation, leave_left
from engine.errors import RefereeError

LONGEST = 366 * DAY
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

    def __init__(self, store: Store, repository: GameRepository, games: GameService, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._repository, self._games, self._now = store, repository, games, now

    async def leave(self, user: int, begin: float, end: float) -> UserSettings:
        """Set a user's vacation from `begin`, or now if that is later, until `end`, in seconds since the epoch.
        Code: "vacation"."""
        now = self._now()
        begin = max(begin, now)
        if not begin < end or begin > now + LONGEST or end > begin + LONGEST:
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
        """Note in all the user's running games on a server that they have joined it (`joined`) or left it."""
        for number in await self._store.played_by(user):
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

        settings = await self._store.change_settings(user, changed)
        for number in await self._store.played_by(user):
            with suppress(RefereeError):  # it can't be read, and the host has been told
                await self._games.act(number, 0, GoAway())
        return settings
