"""Where a game is played: taken to another channel, or taken up again after it was archived."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from bot.projections import PANEL, hand_name
from bot.service.games import GameService
from bot.service.repository import GameRepository
from bot.store import Store
from bot.table import waiting
from bot.table.table import ARCHIVED, OVER, RUNNING, Table
from engine.errors import RefereeError
from engine.game import Game

log = logging.getLogger(__name__)


class TableService:
    """Tables of games that have begun."""

    def __init__(self, store: Store, repository: GameRepository, games: GameService, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._repository, self._games, self._now = store, repository, games, now

    async def resume(self, number: int, user: int, interaction: str) -> Table:
        """Take up an archived game again, as one of its players; panel and hands become due.

        Codes: "no-table", "not-archived", "not-playing", "channel-busy".
        """
        table = await self._repository.table(number)
        return await self._repository.alone_in(
            table.channel, lambda: self._repository.alone(number, lambda fresh: self._resume(fresh, user, interaction))
        )

    async def move(self, number: int, user: int, channel: int, interaction: str, *, anybody: bool = False) -> Table:
        """Take a game to another channel of its server, as its host, or, where it can't be shown, as `anybody` who
        plays; then all times begin anew. An archived one is taken up again by it. Panel becomes due.

        Codes: "no-table", "not-started", "over", "not-playing", "not-host", "channel-busy", "same-channel".
        """
        return await self._repository.alone_in(
            channel,
            lambda: self._repository.alone(number, lambda t: self._move(t, user, channel, interaction, anybody)),
        )

    async def _move(self, before: Table, user: int, channel: int, interaction: str, anybody: bool) -> Table:
        if await self._store.interaction(interaction):
            return before
        if before.player(user) is None:
            raise RefereeError("not-playing")
        if before.status not in (RUNNING, ARCHIVED):
            raise RefereeError("over" if before.status == OVER else "not-started", number=before.number)
        if before.channel == channel and before.status == RUNNING:
            raise RefereeError("same-channel")
        game = await self._repository.game(before.number)
        host, archived = before.host_in(game), before.status == ARCHIVED
        if user not in (host, before.host) and not anybody and not archived:
            name = next(member.name for member in before.members if member.user == host)
            raise RefereeError("not-host/move", host=name)
        if other := await self._store.open_table(channel):
            raise RefereeError(f"channel-busy/{other.status}", number=other.number)
        now = self._now()
        table = replace(before, channel=channel, version=before.version + 1, updated=now)
        if archived:
            table = await self._awake(table, game, now)
        elif anybody:
            table = waiting.anew(table, game, await self._repository.people(table), now)
        log.info("Game %d: taken to channel %d", table.number, channel)
        due = (PANEL, *map(hand_name, table.people)) if archived else (PANEL,)
        kept = () if archived else (before, (before, game))
        jobs = await self._games.planned(table, game, *kept)
        return await self._repository.save(table, interaction, due, before=before, jobs=jobs)

    async def _resume(self, before: Table, user: int, interaction: str) -> Table:
        if await self._store.interaction(interaction):
            return before
        if before.player(user) is None:
            raise RefereeError("not-playing/resume")
        if before.status != ARCHIVED:
            raise RefereeError("not-archived", number=before.number)
        if other := await self._store.open_table(before.channel):
            raise RefereeError("channel-busy", number=other.number, waiting=before.number)
        game, now = await self._repository.game(before.number), self._now()
        table = await self._awake(replace(before, version=before.version + 1, updated=now), game, now)
        due = (PANEL, *map(hand_name, table.people))
        jobs = await self._games.planned(table, game)
        await self._repository.save(table, interaction, due, before=before, jobs=jobs)
        log.info("Game %d: taken up again", table.number)
        return table

    async def _awake(self, table: Table, game: Game, now: float) -> Table:
        """An archived table as it goes on: nobody knows any more that it was paused, or who was late."""
        people = await self._repository.people(table)
        running = waiting.anew(table, game, people, now, paused=0.0, missed=(), proposals=())
        return replace(running, status=RUNNING)
