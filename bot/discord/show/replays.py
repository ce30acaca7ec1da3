"""The replay of a finished game, for people who ask. It was drawn and posted at the end, so they get the way there."""

from __future__ import annotations

from math import ceil

from cachetools import TTLCache

from bot.discord.show import channels
from bot.discord.show.display import Display, link_to
from bot.discord.show.recent import now, recent
from bot.projections import FILM, Place, is_unseen
from bot.screens.controls import Picture
from bot.screens.viewer import Viewer
from bot.table.table import OVER, Table
from bot.workers import Outdated
from engine.errors import RefereeError

THERE = 600.0
"""Seconds for which a message that was there isn't looked for again."""
APART = 600.0
"""Least seconds between two replays that this process draws because someone asks: each takes a core for seconds."""
KEPT, FEW = 3600.0, 4
"""Seconds for which a replay that was drawn for someone is kept, and how many are."""


class Replays:
    """Finds replays, and draws one that no message has, such as that of a message that was deleted."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._there: TTLCache[int, bool] = recent(THERE)
        self._drawn: TTLCache[int, Picture] = TTLCache(FEW, KEPT, timer=now)
        self._next = 0.0

    async def of(self, table: Table) -> str | Picture:
        """The link to the message with a game's replay, or the replay itself. Code: "no-replay"."""
        if not self._display.films:
            raise RefereeError("no-replay")
        if table.status != OVER:
            raise RefereeError("no-replay/running")
        projections = await self._display.services.projections.visible(table.number)
        film = projections.get(FILM)
        if film is not None and film.pending and not is_unseen(projections):
            raise RefereeError("no-replay/restart" if self._display.pictures.outdated else "no-replay/soon")
        if film is not None and film.posted is not None and await self._is_there(film.posted):
            return link_to(table, film.posted)
        return self._drawn.get(table.number) or await self._draw(table)

    async def _is_there(self, film: Place) -> bool:
        """Whether a replay's message still exists, as far as Discord says."""
        if film.message in self._there:
            return True
        place = channels.place(self._display.client, film.channel)
        try:
            await place.fetch_message(film.message)
        except channels.FAILED as error:
            if getattr(error, "code", None) in channels.GONE:
                return False
        self._there[film.message] = True
        return True

    async def _draw(self, table: Table) -> Picture:
        if now() < self._next:
            raise RefereeError("no-replay/wait", when=f"<t:{ceil(self._next)}:R>")
        self._next = now() + APART
        public = Viewer(table, await self._display.services.repository.game(table.number))
        try:
            picture = self._drawn[table.number] = await self._display.pictures.film(public)
        except Outdated:
            raise RefereeError("no-replay/restart") from None
        return picture
