"""From an open table to a dealt game."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Unpack

from bot.models import CANCELLED, COMMITMENT, LOBBY, PANEL, RUNNING, Table, hand_of
from bot.service import lobby
from bot.service.desk import Desk
from bot.service.values import Options
from bot.store import Conflict
from engine.actions import SetStanding
from engine.chance import SEED_BYTES, SeededChance
from engine.config import Config
from engine.errors import RefereeError
from engine.game import Game

log = logging.getLogger(__name__)


class Lobbies(Desk):
    """Opening, joining, choosing, starting. Each method returns the table as it stands afterwards."""

    async def new_table(
        self,
        guild: int | None,
        channel: int,
        user: int,
        name: str,
        interaction: str,
        *,
        color: str | None = None,
        phrase: str = "",
    ) -> Table:
        """Open a lobby and join it as host; commitment and panel become due.

        Codes: "channel-busy", "color", "phrase".
        """
        table = Table(
            number=0,
            guild=guild,
            channel=channel,
            status=LOBBY,
            host=user,
            anyone_starts=False,
            config=Config(colors=()),
            members=(),
            commitment="",
            entropy=(),
            version=1,
            created=self._now(),
            updated=self._now(),
        )
        table = lobby.joined(table, user, name, interaction, color, phrase)
        return await self._tasks.run(self._open(table, interaction))

    async def join(
        self,
        number: int,
        user: int,
        name: str,
        interaction: str,
        *,
        color: str | None = None,
        phrase: str = "",
    ) -> Table:
        """Join a lobby; who has joined may join again with another colour or phrase.

        Codes: "no-table", "not-lobby", "full", "color", "color-taken", "phrase".
        """
        return await self._change(
            number, interaction, lambda table: lobby.joined(table, user, name, interaction, color, phrase)
        )

    async def leave(self, number: int, user: int, interaction: str) -> Table:
        """Leave a lobby: the next one becomes host; with nobody left the table is cancelled.

        Codes: "no-table", "not-lobby", "not-member".
        """
        return await self._change(number, interaction, lambda table: lobby.left(table, user))

    async def set_options(self, number: int, user: int, interaction: str, **changes: Unpack[Options]) -> Table:
        """Change options, as host. What no number of players could play is refused at once (`ConfigError`).

        A new scenario keeps what it can of the layout and drops the other scenario's own options.
        Codes: "no-table", "not-lobby", "not-member", "not-host", and those of `engine.scenarios.check`.
        """
        return await self._change(number, interaction, lambda table: lobby.configured(table, user, changes))

    async def cancel(self, number: int, user: int, interaction: str) -> Table:
        """Cancel a lobby, as host (a running game ends by `agree_to_end`). Codes as `set_options`."""
        return await self._change(number, interaction, lambda table: lobby.cancelled(table, user))

    async def may_start(self, number: int, user: int) -> Table:
        """Refuse just as `start` would; to be asked before the closing message is posted. Changes nothing."""
        table = await self.table(number)
        lobby.check_start(table, user)
        return table

    async def start(self, number: int, user: int, closing: str, interaction: str) -> Table:
        """Deal the game. `closing` is the id of the message that closed the table: the last of the entropy.

        Panel and all hands become due. Codes: "no-table", "not-lobby", "not-member", "not-host",
        and those of `engine.scenarios.check` (wrong number of players, colours).
        """
        return await self._tasks.run(self._alone(number, lambda: self._start(number, user, closing, interaction)))

    async def rematch(self, number: int, user: int, name: str, interaction: str) -> Table:
        """A new lobby in the same channel after the end: same people and options, hosted by `user`.

        Codes: "no-table", "not-member", "not-over", "channel-busy".
        """
        table = lobby.again(await self.table(number), user, interaction)
        fresh = replace(table, created=self._now(), updated=self._now())
        return await self._tasks.run(self._open(fresh, interaction))

    async def _open(self, table: Table, interaction: str) -> Table:
        async with self._lock(("channel", table.channel)):
            try:
                return await self._opened(table, interaction)
            except Conflict:  # another process has just opened a table there
                return await self._opened(table, interaction)

    async def _opened(self, table: Table, interaction: str) -> Table:
        if earlier := await self._store.interaction(interaction):
            return await self.table(earlier[0])
        if other := await self._store.open_table(table.channel):
            state = "is being played" if other.status == RUNNING else "is waiting for players"
            raise RefereeError(
                "channel-busy",
                f"Game {other.number} {state} in this channel; use another channel or a thread.",
                number=other.number,
            )
        seed = self._entropy(SEED_BYTES)
        table = await self._store.add_table(table, seed, interaction, (COMMITMENT, PANEL))
        self._memory.keep(table)
        log.info("Game %d: opened in channel %d", table.number, table.channel)
        return table

    async def _change(self, number: int, interaction: str, change: Callable[[Table], Table]) -> Table:
        return await self._tasks.run(self._alone(number, lambda: self._changed(number, interaction, change)))

    async def _changed(self, number: int, interaction: str | None, change: Callable[[Table], Table]) -> Table:
        before = await self.table(number)
        if interaction is not None and await self._store.interaction(interaction):
            return before
        table = replace(change(before), version=before.version + 1, updated=self._now())
        await self._save(table, interaction, (PANEL,), before=before, members=True)
        if table.status == CANCELLED:
            log.info("Game %d: cancelled before the start", number)
        return table

    async def _start(self, number: int, user: int, closing: str, interaction: str) -> Table:
        before = await self.table(number)
        if await self._store.interaction(interaction):
            return before
        lobby.check_start(before, user)
        entropy = lobby.entropy(before, closing)
        chance = SeededChance(await self._store.seed(number), str(number), entropy)
        game = await asyncio.to_thread(Game.new, before.config, chance)
        await self._tell_standing(before, game)
        table = replace(before, status=RUNNING, entropy=entropy, version=before.version + 1, updated=self._now())
        due = (PANEL, *map(hand_of, table.users))
        await self._save(table, interaction, due, before=before, game=game, since=0)
        log.info("Game %d: begun by %d players", number, len(table.members))
        return table

    async def _tell_standing(self, table: Table, game: Game) -> None:
        """Let the game know the players' standing numbers, where it asks for them (J2)."""
        if not game.rules.data.special_building:
            return
        for seat in range(game.config.players):
            settings = await self._store.settings(self.user_at(table, game, seat))
            if settings.standing != game.rules.data.standing:
                game.play(seat, SetStanding(settings.standing))
