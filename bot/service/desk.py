"""What lobby and game share: locks, memory, and storing before anything is known."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Hashable, Iterable
from weakref import WeakValueDictionary

from bot.service.memory import Memory
from bot.store import Store
from bot.tables import ARCHIVED, OVER, RUNNING, Table
from bot.tasks import Shielded
from engine.chance import SeededChance
from engine.errors import RefereeError
from engine.game import Game, Record


class Desk:
    """Tables and games as stored; one lock per table."""

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = os.urandom,
        games: int = 256,
    ) -> None:
        """`now` in seconds since the epoch, `entropy(n)` n secret bytes, `games` kept in memory."""
        self._store = store
        self._now = now
        self._entropy = entropy
        self._memory = Memory(games)
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()
        self._tasks = Shielded()
        self._heard: Callable[[Table], None] | None = None

    async def close(self) -> None:
        """Wait until what is under way is done; then the store can be closed."""
        await self._tasks.finished()

    # --- who and where

    async def table(self, number: int) -> Table:
        """A table of any status. Code: "no-table"."""
        if kept := self._memory.table(number):
            return kept
        table = await self._store.table(number)
        if table is None:
            raise RefereeError("no-table", f"There is no game {number} here.")
        self._memory.keep(table)
        return table

    async def in_channel(self, channel: int) -> Table | None:
        """The lobby or running game of a channel or thread."""
        if kept := self._memory.in_channel(channel):
            return kept
        table = await self._store.open_table(channel)
        if table:
            self._memory.keep(table)
        return table

    async def latest(self, channel: int) -> Table | None:
        """The latest table of a channel, whatever its status."""
        return await self._store.latest_table(channel)

    async def games_in(self, channel: int, *statuses: str, most: int = 1) -> list[Table]:
        """The latest games of a channel in one of these statuses, the newest first."""
        return [await self.table(number) for number in await self._store.tables_in(channel, statuses, most)]

    @staticmethod
    def seat_of(table: Table, game: Game, user: int) -> int | None:
        """The user's seat (seats may have been shuffled, C1), None when not playing."""
        player = table.player(user)
        if player is None:
            return None
        return game.state.order.index(player)

    @staticmethod
    def user_at(table: Table, game: Game, seat: int) -> int:
        """The user in a seat."""
        return table.members[game.state.order[seat]].user

    async def game(self, number: int) -> Game:
        """The game as stored, from memory or by replay; never waits for the game's lock (autocomplete).

        Codes: "no-table", "not-started".
        """
        if kept := self._memory.game(number):
            return kept
        table = await self.table(number)
        if table.status not in (RUNNING, ARCHIVED, OVER):
            raise RefereeError("not-started", "This game has not begun.")
        chance = SeededChance(await self._store.seed(number), str(number), table.entropy)
        while True:
            records = [Record.from_json(data) for data in await self._store.records(number)]
            game = await asyncio.to_thread(Game.replay, table.config, records, chance)
            if kept := self._memory.game(number):
                return kept
            # Somebody may have played meanwhile, and been dropped from memory too.
            if await self._store.revision(number) == len(records):
                self._memory.keep_game(number, game)
                return game

    def peek(self, number: int) -> Game | None:
        """The game as stored if it is in memory."""
        return self._memory.game(number)

    def drop_cache(self) -> None:
        """Forget everything in memory; it is read again from the store when needed."""
        self._memory.drop()

    # --- for the rooms built on this

    def _lock(self, key: Hashable) -> asyncio.Lock:
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock

    async def _save(
        self,
        table: Table,
        interaction: str,
        due: Iterable[str],
        *,
        members: bool = False,
        game: Game | None = None,
        since: int = -1,
    ) -> None:
        """Store a change of a table, and the game's records from number `since` on; only then does memory know."""
        new = game.records[since:] if game else []
        records = [(record.number, record.actor, record.to_json()) for record in new]
        try:
            await self._store.save(table, interaction, due, members=members, records=records)
        except BaseException:
            self._memory.forget(table.number)  # it may have been committed all the same: the disk will tell
            raise
        self._memory.keep(table)
        if game:
            self._memory.keep_game(table.number, game)
        if self._heard is not None:
            self._heard(table)
