"""People: their names at the tables, and their settings for all their games."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from bot.jobs import LOOK, Job
from bot.plaintext import safe_name
from bot.service.directs import Directs
from bot.service.games import GameService
from bot.service.jobs import Jobs
from bot.service.repository import GameRepository
from bot.store import Store
from bot.table.acts.lobby import Rename
from bot.table.acts.play import Play
from bot.table.preferences import MOST_STANDING, UserSettings
from bot.table.table import Table
from engine.actions import SetStanding
from engine.errors import RefereeError

log = logging.getLogger(__name__)


class PeopleService:
    """Names and settings."""

    def __init__(
        self,
        store: Store,
        repository: GameRepository,
        games: GameService,
        jobs: Jobs,
        directs: Directs,
        now: Callable[[], float],
    ) -> None:
        """`now` in seconds since the epoch."""
        self._store = store
        self._directs = directs
        self._repository = repository
        self._games = games
        self._jobs = jobs
        self._now = now

    async def rename(self, number: int, user: int, name: str) -> Table:
        """Note a member's present display name; has no effect for others or the same name. Code: "no-table"."""
        table, name = await self._repository.table(number), safe_name(name)
        place = table.place_of(user)
        if place is None or table.members[place].name == name:
            return table
        return (await self._games.act(number, user, Rename(name))).table

    async def settings(self, user: int) -> UserSettings:
        """A user's settings, or the defaults."""
        return replace(await self._store.settings(user), stopped=await self._directs.stopped())

    async def settings_of(self, users: Collection[int]) -> dict[int, UserSettings]:
        """The settings of several users."""
        stored, stopped = await self._store.settings_of(users) if users else {}, await self._directs.stopped()
        return {user: replace(stored.get(user) or UserSettings(user), stopped=stopped) for user in users}

    async def change_settings(
        self,
        user: int,
        *,
        dms: bool | None = None,
        dms_closed: bool | None = None,
        standing: int | None = None,
        choices: Mapping[str, Any] = MappingProxyType({}),
        interaction: str = "",
    ) -> UserSettings:
        """Change settings; None, and what isn't in `choices`, stays as it was. Switching direct messages on
        forgets that they were closed.

        A new number of cards from which the user is called to build (J2) is told to their running games, which needs
        an `interaction`. Code: "standing" (0, which is never, to 20 cards).
        """
        if standing is not None and not 0 <= standing <= MOST_STANDING:
            raise RefereeError("standing", most=MOST_STANDING)

        def changed(settings: UserSettings) -> UserSettings:
            if dms is not None:
                asked = replace(settings.choices, messages=dms)
                settings = replace(settings, dms_closed=settings.dms_closed and not dms, choices=asked)
            if dms_closed is not None:
                settings = replace(settings, dms_closed=dms_closed)
            if standing is not None:
                settings = replace(settings, standing=standing)
            chosen = replace(settings.choices, **choices)
            if standing is not None:
                chosen = replace(chosen, building_chosen=True)
            return replace(settings, choices=chosen)

        settings = await self._store.change_settings(user, changed)
        if standing is not None or "building_chosen" in choices:
            for number in await self._store.played_by(user):
                id = f"{interaction}-{number}"
                await update_standing(self._repository, self._games, number, user, id)
        if not choices.keys().isdisjoint(("quiet", "zone")):
            for number in await self._store.played_by(user):
                await self._jobs.set(Job(number, LOOK, self._now()))  # reminders that were held up may be due now
        return settings


async def update_standing(
    repository: GameRepository, games: GameService, number: int, user: int, interaction: str
) -> None:
    """Tell a running game from how many cards on a user, who has just chosen, is called to build (J2)."""
    try:
        table, game = await repository.table(number), await repository.game(number)
        seat = table.seat_of(game, user)
        if not game.rules.data.special_building or seat is None:
            return
        standing = (await repository.people(table)).called_from(table, game, seat)
        if game.state.standing[seat] != standing:
            await games.act(number, user, Play(SetStanding(standing)), interaction)
    except RefereeError as refusal:  # the user has left the game, or it has just ended
        log.info("Game %d: no standing number: %s", number, refusal)
