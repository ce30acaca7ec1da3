"""Which channel a game takes: no other table is opened there meanwhile."""

from __future__ import annotations

from bot.service.games import Done, GameService
from bot.service.repository import GameRepository
from bot.store import Store
from bot.table.acts.places import Move, TakeUp


class PlaceService:
    """Resumes games, and moves them to other channels."""

    def __init__(self, store: Store, repository: GameRepository, games: GameService) -> None:
        self._store, self._repository, self._games = store, repository, games

    async def resume(self, number: int, user: int, interaction: str) -> Done:
        """Resume an archived game as one of its players; panel and hands become due. Codes: as `TakeUp`."""

        async def alone() -> Done:
            return await self._games.act(number, user, TakeUp(await self._store.open_table(channel)), interaction)

        channel = (await self._repository.table(number)).channel
        return await self._repository.alone_in(channel, alone)

    async def move(self, number: int, user: int, channel: int, interaction: str, *, anybody: bool = False) -> Done:
        """Move a game to another channel of its server; the panel becomes due. Codes: as `Move`."""

        async def alone() -> Done:
            act = Move(channel, anybody, await self._store.open_table(channel))
            return await self._games.act(number, user, act, interaction)

        return await self._repository.alone_in(channel, alone)
