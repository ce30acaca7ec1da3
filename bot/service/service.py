"""The game service: one lock per game, each interaction has one effect, and what is told has been stored."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

from bot.export import Player, export
from bot.models import LOBBY, OVER, Projection, Table, UserSettings
from bot.presentation.texts.marks import safe_name
from bot.service.lobbies import Lobbies
from bot.service.upkeep import Upkeep
from engine.actions import SetStanding
from engine.errors import RefereeError

log = logging.getLogger(__name__)

MOST_STANDING = 20
"""Cards; the standing number of J2 goes up to here."""


class Service(Lobbies, Upkeep):
    """All that a front asks for; see also `Lobbies`, `Playing`, `Upkeep` and `Desk`.

    Refusals are `RefereeError` with a code and one sentence for the person; they leave no trace. Everything
    else that is raised is a bug or a broken disk. Interaction ids are strings, unique in a namespace; one that has
    been carried out before has no second effect and gives its result again, also after a restart. Every
    change goes on to its end when the caller is cancelled. A `Game` or `Table` that was handed out never
    changes and is always stored.
    """

    async def rename(self, number: int, user: int, name: str) -> Table:
        """Note a member's present display name; others, and the same name, have no effect."""
        table, name = await self.table(number), safe_name(name)
        place = table.player(user)
        if place is None or table.members[place].name == name:
            return table
        return await self._tasks.run(self._alone(number, lambda: self._rename(number, user, name)))

    # --- what is shown (no fsync: rides in the next commit)

    async def shown(
        self, number: int, what: str, version: int, *, channel: int | None = None, message: int | None = None
    ) -> None:
        """Note that `what` shows a version, in which message (None: the same message as before).

        Unknown names are fine: a ping, an old panel. A later version that was noted stays.
        """
        await self._store.shown(number, what, version, channel, message)

    async def gone(self, number: int, what: str) -> None:
        """Forget a projection: its message was deleted, or nothing is left to do about it."""
        await self._store.gone(number, what)

    async def projections(self, number: int) -> dict[str, Projection]:
        """All that is, or must be, visible of a game, by name."""
        return await self._store.projections(number)

    async def pending(self) -> list[int]:
        """Numbers of this namespace's tables of which something is not yet shown."""
        return await self._store.pending()

    # --- people, and the rest

    async def settings(self, user: int) -> UserSettings:
        """Somebody's settings, or the defaults."""
        return await self._store.settings(user)

    async def change_settings(
        self,
        user: int,
        *,
        dms: bool | None = None,
        dms_closed: bool | None = None,
        standing: int | None = None,
        interaction: str = "",
    ) -> UserSettings:
        """Change settings; None: as it was. Switching DMs on forgets that they were closed.

        A standing number (J2) is told to the user's running games too; then `interaction` is needed.
        Code: "standing" (0, which is never, to 20 cards).
        """
        if standing is not None and not 0 <= standing <= MOST_STANDING:
            raise RefereeError("standing", f"The standing number is 0, for never, to {MOST_STANDING} cards.")
        async with self._lock(("user", user)):
            settings = await self._store.settings(user)
            if dms is not None:
                settings = replace(settings, dms=dms, dms_closed=settings.dms_closed and not dms)
            if dms_closed is not None:
                settings = replace(settings, dms_closed=dms_closed)
            if standing is not None:
                settings = replace(settings, standing=standing)
            await self._store.save_settings(settings)
        if standing is not None:
            await self._tell_games(user, standing, interaction)
        return settings

    async def _tell_games(self, user: int, standing: int, interaction: str) -> None:
        """Tell a new standing number to the running games that have a special building phase."""
        for number in await self._store.played_by(user):
            try:
                if (await self.game(number)).rules.data.special_building:
                    action = SetStanding(standing)
                    await self.play(number, user, action, decision=None, interaction=f"{interaction}-{number}")
            except RefereeError as refusal:  # somebody who has left the game, or it ended just now
                log.info("Game %d: no standing number: %s", number, refusal.message)

    async def export(self, number: int) -> dict[str, Any]:
        """The finished game as JSON data, seed included, for `verify`. Codes: "no-table", "not-over"."""
        table = await self.table(number)
        if table.status != OVER:
            raise RefereeError("not-over", "The game is not over; until then the seed stays secret.")
        game = await self.game(number)
        players = [Player(member.name, member.color) for member in table.members]
        return export(game, str(number), await self._store.seed(number), table.entropy, players)

    async def _rename(self, number: int, user: int, name: str) -> Table:
        def renamed(table: Table) -> Table:
            members = [replace(member, name=name) if member.user == user else member for member in table.members]
            return replace(table, members=tuple(members))

        table = await self.table(number)
        if table.status == LOBBY:  # a change that is made meanwhile would write the members with the old name
            return await self._changed(number, None, renamed)
        await self._store.rename(number, user, name)
        table = renamed(table)
        self._memory.keep(table)
        return table
