"""Channels are nobody's for ever: whoever manages one can end a table, and what nobody touches is put away.

Nothing is deleted. A lobby that was closed stays in the file; an archived game can be taken up again.
"""

from __future__ import annotations

import contextlib
import logging
from dataclasses import dataclass, replace
from functools import partial

from bot.models import ARCHIVED, CANCELLED, LOBBY, PANEL, RUNNING, Table, hand_of
from bot.service import lobby
from bot.service.deadlines import deadline_of
from bot.service.playing import Playing
from bot.store import Damaged
from engine.actions import CallOff
from engine.errors import RefereeError
from engine.game import REFEREE

log = logging.getLogger(__name__)

DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a table may stay untouched, in seconds."""

    warning: float
    """Until a word of warning."""
    grace: float
    """From the warning to the end."""
    becomes: str
    """Its status afterwards."""


PATIENCE = {LOBBY: Patience(2 * DAY, 1 * DAY, CANCELLED), RUNNING: Patience(27 * DAY, 3 * DAY, ARCHIVED)}
"""By status."""


class Upkeep(Playing):
    """Ending tables from outside, putting them away, taking them up again."""

    async def close_lobby(self, number: int, user: int, interaction: str) -> Table:
        """Cancel a lobby for somebody who manages the channel (the caller has checked that); panel becomes due.

        Codes: "no-table", "not-lobby".
        """
        return await self._tasks.run(self._alone(number, lambda: self._close_lobby(number, user, interaction)))

    async def call_off(self, number: int, user: int, interaction: str) -> Table:
        """End a running or archived game without a winner for somebody who manages the channel (the caller has
        checked that); panel, hands and seed become due.

        Codes: "no-table", "not-started", "over".
        """
        return await self._tasks.run(self._alone(number, lambda: self._call_off(number, user, interaction)))

    async def resume(self, number: int, user: int, interaction: str) -> Table:
        """Take up an archived game again, as one of its players; panel and hands become due.

        Codes: "no-table", "not-archived", "not-playing", "channel-busy".
        """
        return await self._tasks.run(self._resume(number, user, interaction))

    async def put_away(self) -> list[Table]:
        """Warn of tables that nobody has touched for long, later close lobbies and archive games; those changed.

        An end always comes a whole `Patience.grace` after its warning, however long the bot was down.
        """
        now = self._now()
        before = {status: now - patience.warning for status, patience in PATIENCE.items()}
        found = []
        for number in await self._store.untouched(before):
            with contextlib.suppress(Damaged):
                found.append(await self._tasks.run(self._alone(number, partial(self._neglected, number))))
        return [table for table in found if table is not None]

    async def _close_lobby(self, number: int, user: int, interaction: str) -> Table:
        before = await self.table(number)
        if await self._store.interaction(interaction):
            return before
        lobby.in_lobby(before)
        table = replace(before, status=CANCELLED, ended_by=user, version=before.version + 1, updated=self._now())
        await self._save(table, interaction, (PANEL,), before=before)
        log.info("Game %d: cancelled by who manages the channel", number)
        return table

    async def _call_off(self, number: int, user: int, interaction: str) -> Table:
        table = await self.table(number)
        if await self._store.interaction(interaction):
            return table
        if table.status not in (RUNNING, ARCHIVED):
            raise RefereeError("over", "This game is over.")
        old = await self.game(number)
        game = old.copy()
        game.play(REFEREE, CallOff())
        log.info("Game %d: called off by who manages the channel", number)
        return await self._store_played(replace(table, ended_by=user), old, game, interaction)

    async def _resume(self, number: int, user: int, interaction: str) -> Table:
        channel = (await self.table(number)).channel
        async with self._lock(("channel", channel)):
            return await self._alone(number, lambda: self._resumed(number, user, interaction))

    async def _resumed(self, number: int, user: int, interaction: str) -> Table:
        before = await self.table(number)
        if await self._store.interaction(interaction):
            return before
        if before.player(user) is None:
            raise RefereeError("not-playing", "Only somebody who plays in this game can take it up again.")
        if before.status != ARCHIVED:
            raise RefereeError("not-archived", "This game isn't archived.")
        if other := await self._store.open_table(before.channel):
            raise RefereeError(
                "channel-busy",
                f"Game {other.number} has this channel now; game {number} can go on here when that is over.",
                number=other.number,
            )
        game, now = await self.game(number), self._now()
        table = replace(before, status=RUNNING, version=before.version + 1, updated=now)
        table = replace(table, deadline=deadline_of(table, game, now))
        await self._save(table, interaction, (PANEL, *map(hand_of, table.users)), before=before)
        log.info("Game %d: taken up again", number)
        return table

    async def _neglected(self, number: int) -> Table | None:
        before, now = await self.table(number), self._now()
        patience = PATIENCE.get(before.status)
        if patience is None or now - before.updated < patience.warning:
            return None
        table = replace(before, version=before.version + 1)
        if table.warned is None or table.warned < table.updated:
            table = replace(table, warned=now)
        elif now - table.warned >= patience.grace:
            table = replace(table, status=patience.becomes, deadline=None)
            log.info("Game %d: %s, since nobody has touched it for long", number, table.status)
        else:
            return None
        await self._save(table, None, (PANEL,), before=before)
        return table
