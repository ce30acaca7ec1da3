"""What lobby and game share: locks, memory, and storing before anything is known."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Awaitable, Callable, Hashable, Iterable
from typing import TypeVar
from weakref import WeakValueDictionary

from bot.models import ARCHIVED, OVER, RUNNING, Table
from bot.service.memory import Memory
from bot.store import Conflict, Damaged, Store
from bot.tasks import Shielded
from engine.chance import SeededChance
from engine.errors import ConfigError, MalformedInput, RefereeError, ReplayError
from engine.game import Game, Record

T = TypeVar("T")

TRIES = 10
"""How often a change is made anew when somebody else is faster each time."""


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

        Codes: "no-table", "not-started", "damaged".
        """
        if kept := self._memory.game(number):
            return kept
        table = await self.table(number)
        if table.status not in (RUNNING, ARCHIVED, OVER):
            raise RefereeError("not-started", "This game has not begun.")
        chance = SeededChance(await self._store.seed(number), str(number), table.entropy)
        while True:
            data = await self._store.records(number)
            try:
                records = [Record.from_json(record) for record in data]
                game = await asyncio.to_thread(Game.replay, table.config, records, chance)
            except MalformedInput:  # whose text may tell what stands there
                raise self._store.damaged(number, "a record is malformed") from None
            except (ReplayError, ConfigError) as error:
                raise self._store.damaged(number, f"it can't be replayed: {error}") from None
            if kept := self._memory.game(number):
                return kept
            # Somebody may have played meanwhile, and been dropped from memory too.
            if (await self._store.latest(number))[1] == len(records):
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

    async def _alone(self, number: int, change: Callable[[], Awaitable[T]]) -> T:
        """Make a change of a table under its lock; anew, with what is stored, if another process was faster.

        That is noticed when storing it, or by a refusal (of what was already possible, say).
        """
        async with self._lock(number):
            for _ in range(TRIES):
                try:
                    return await change()
                except Conflict:
                    self._memory.forget(number)
                except Damaged:
                    raise
                except RefereeError:
                    if not await self._outdated(number):
                        raise
                    self._memory.forget(number)
            return await change()

    async def _outdated(self, number: int) -> bool:
        """Whether memory has another table or game than the store; a secret action doesn't change the version."""
        table, game = self._memory.table(number), self._memory.game(number)
        if table is None:
            return False
        version, revision = await self._store.latest(number)
        return version != table.version or (game is not None and revision != game.revision)

    async def _sound(self, numbers: Iterable[int]) -> list[Table]:
        """The tables that can be read; of the others the host has been told."""
        found = []
        for number in numbers:
            with contextlib.suppress(Damaged):
                found.append(await self.table(number))
        return found

    async def _save(
        self,
        table: Table,
        interaction: str | None,
        due: Iterable[str],
        *,
        before: Table,
        members: bool = False,
        game: Game | None = None,
        since: int = -1,
    ) -> None:
        """Store a change of a table that was `before`, and the game's records from number `since` on; only then does
        memory know.
        """
        new = game.records[since:] if game else []
        records = [(record.number, record.actor, record.to_json()) for record in new]
        try:
            await self._store.save(
                table, interaction, due, since=before.version, at=self._now(), members=members, records=records
            )
        except BaseException:
            self._memory.forget(table.number)  # it may have been committed all the same: the disk will tell
            raise
        self._memory.keep(table)
        if game:
            self._memory.keep_game(table.number, game)
        if self._heard is not None:
            self._heard(table)
