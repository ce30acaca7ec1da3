"""Tables and games as stored: what others can read, and the only way for a change to get into the store. Some are kept
in memory; any of these can be dropped at any time. Last, whether what is stored fits together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

from cachetools import LRUCache

from bot.metrics import Metrics
from bot.projections import Name
from bot.store import Change, Conflict, Damaged, Newer, Store
from bot.store.base import Tell
from bot.table.rules import faults
from bot.table.table import ARCHIVED, OVER, RUNNING, People, Table, by_present_clock
from bot.table.time import Interval, setbacks
from bot.tasks import Locks, Shielded
from engine.chance import SeededChance
from engine.errors import ConfigError, MalformedInput, RefereeError, ReplayError
from engine.game import Game
from engine.record import Record

T = TypeVar("T")
Listener = Callable[[Table], None]
Watcher = Callable[[int, Game, Game], None]

CACHE_MEMORY = 96 << 20
"""Bytes of games kept in memory: about a thousand games."""
TRIES = 10
"""How often a change is tried again while others are faster each time."""


class GameRepository:
    """Tables and games, with a cache. A `Table` or `Game` that is handed out never changes and is always stored."""

    def __init__(self, store: Store, metrics: Metrics, memory: int = CACHE_MEMORY) -> None:
        """`memory`: bytes of games to keep."""
        self._store = store
        self._metrics = metrics
        self._memory = memory
        self._cache = Cache(memory)
        store.deleted = lambda number: self._cache.forget(number)
        self._tables, self._channels = Locks(), Locks()
        self._tasks = Shielded()
        self._listeners: list[Listener] = []
        self._watchers: list[Watcher] = []
        self._expect: Callable[[float], None] = lambda time: None
        self._downtime: tuple[Interval, ...] | None = None
        self._stops, self._known = 1, 0
        """How often time has stood still, and how many of these times are part of `_downtime`."""

    def subscribe(self, listener: Listener) -> None:
        """Call a listener after each change that anyone can notice, as soon as it is stored, in order."""
        self._listeners.append(listener)

    def watch(self, watcher: Watcher) -> None:
        """Call a watcher after each play that anyone can notice, once it is stored: with the game's number, and the
        game before and after."""
        self._watchers.append(watcher)

    def tell(self, table: Table) -> None:
        """Tell all listeners that a table has changed."""
        for listener in self._listeners:
            listener(table)

    def played(self, number: int, before: Game, after: Game) -> None:
        """Tell all watchers what was played."""
        for watcher in self._watchers:
            watcher(number, before, after)

    def expect_by(self, expect: Callable[[float], None]) -> None:
        """Call `expect` with the time of each job that is stored with a change."""
        self._expect = expect

    async def finished(self) -> None:
        """Wait until all changes in progress are done; then the store can be closed."""
        await self._tasks.finished()

    # --- reading

    async def table(self, number: int) -> Table:
        """A table of any status. Code: "no-table"."""
        if self._known != self._stops:  # counted, as time may stand still again while the store is asked
            stops = self._stops
            self._downtime, self._known = await self._store.downtime(), stops
        if (kept := self._cache.table(number)) and not self._store.shared:
            if self._downtime in (None, kept.downtime):
                return kept
            return by_present_clock(replace(kept, downtime=self._downtime))
        table = await self._store.table(number)
        if table is None:
            raise RefereeError("no-table", number=number)
        self._cache.keep(table)
        return table

    async def in_channel(self, channel: int) -> Table | None:
        """The lobby or running game of a channel or thread."""
        if (kept := self._cache.in_channel(channel)) and not self._store.shared:
            return kept
        table = await self._store.open_table(channel)
        if table:
            self._cache.keep(table)
        return table

    async def latest(self, channel: int) -> Table | None:
        """The latest table of a channel, whatever its status."""
        return await self._store.latest_table(channel)

    async def readable(self, numbers: Iterable[int]) -> list[Table]:
        """These tables, without those that can't be read: the host has been told, and the others go on."""
        found = []
        for number in numbers:
            with suppress(RefereeError):
                found.append(await self.table(number))
        return found

    async def latest_in(self, channel: int, *statuses: str) -> Table | None:
        """The latest game of a channel in one of these statuses."""
        found = await self._store.tables_in(channel, statuses, 1)
        return await self.table(found[0]) if found else None

    async def games_in(self, channel: int, *statuses: str, most: int) -> list[Table]:
        """The latest games of a channel in one of these statuses, newest first."""
        return await self.readable(await self._store.tables_in(channel, statuses, most))

    async def games_of(self, user: int, *statuses: str) -> list[Table]:
        """A user's games in one of these statuses, status by status, newest first."""
        by_status = [await self._store.played_by(user, status) for status in statuses]
        return await self.readable(number for numbers in by_status for number in reversed(numbers))

    async def game(self, number: int) -> Game:
        """The game as stored, from the cache or by replay; never waits for the game's lock (autocomplete).

        Codes: "no-table", "not-started", "damaged".
        """
        kept = await self._kept(number)
        self._metrics.game_looked_up(kept is not None)
        if kept:
            return kept
        while True:
            table = await self.table(number)
            if table.status not in (RUNNING, ARCHIVED, OVER):
                raise RefereeError("not-started", number=number)
            chance = SeededChance(await self._store.seed(number), str(number), table.entropy)
            game = await self._read(number, 0, partial(Game.replay, table.config, chance=chance))
            now = await self._store.progress(number)
            if kept := self._cache.game(number):
                return kept
            if now == (table.version, table.changes, game.revision):
                self._cache.keep(self._cache.table(number) or table, game)
                return game
            self._cache.forget(number)  # the table changed meanwhile, and was dropped from the cache again

    async def _kept(self, number: int) -> Game | None:
        """The game in memory, followed by what other processes have played since; None if it must be read."""
        kept = self._cache.game(number)
        if kept is None or not self._store.shared:
            return kept
        revision = (await self._store.progress(number)).records
        if revision < kept.revision:  # a backup was restored meanwhile
            self._cache.forget(number)
            return None
        if revision > kept.revision:
            kept = await self._read(number, kept.revision, kept.followed_by)
            if table := self._cache.table(number):
                self._cache.keep(table, kept)
        return kept

    async def _read(self, number: int, since: int, fold: Callable[[list[Record]], Game]) -> Game:
        """Make a game of its records from number `since` on, in a thread, to keep the event loop free."""
        data = await self._store.records(number, since)
        try:
            return await asyncio.to_thread(lambda: fold([Record.from_json(record) for record in data]))
        except (MalformedInput, ConfigError):  # not damage: the store has checked that this was written
            raise self._store.newer(number) from None
        except ReplayError as error:
            raise self._store.damaged(number, f"it can't be replayed: {error}") from None

    async def people(self, table: Table, *others: int) -> People:
        """The settings that matter at a table: of those at it, of those who may join it, and of `others`."""
        newcomers = (motion.newcomer for motion in table.motions if motion.newcomer)
        settings = await self._store.settings_of({*table.people, *newcomers, *filter(None, others)})
        return People(settings)

    def stood_still(self) -> None:
        """Time has stood still at all tables. Before a table is read, the store is asked when."""
        self._stops += 1

    async def look_again(self) -> None:
        """Forget what another process, such as a command, has changed or deleted meanwhile."""
        if await self._store.changed_elsewhere():
            for number in list(self._cache):
                if await self._outdated(number):
                    self._cache.forget(number)

    def drop_cache(self) -> None:
        """Forget everything in memory; it is read again from the store when needed."""
        self._cache = Cache(self._memory)

    # --- changing

    async def alone(self, number: int, change: Callable[[Table], Awaitable[T]]) -> T:
        """Make a change under the table's lock and return its result; it finishes even if the caller is canceled.

        If another process was faster, the change is tried again with what is stored then. That shows when the change
        is stored, or by a refusal while the cache is out of date. Codes: "no-table", and those of the change.
        """
        return await self._tasks.run(self._alone(number, change))

    async def alone_in(self, channel: int, change: Callable[[], Awaitable[T]]) -> T:
        """Make a change under a channel's lock: no other table is opened or resumed there meanwhile."""
        return await self._tasks.run(self._alone_in(channel, change))

    async def add(
        self, table: Table, seed: bytes, interaction: str, due: Sequence[Name], jobs: Mapping[str, float | None]
    ) -> Table:
        """Store a new table, as `Store.add_table` does, and tell the listeners."""
        downtime = await self._store.downtime()
        table = replace(table, downtime=downtime, set_back=len(setbacks(downtime)))
        table = self._stored(await self._store.add_table(table, seed, interaction, due, jobs))
        self._expect_all(jobs)
        self.tell(table)
        return table

    async def save(self, change: Change, game: Game | None) -> Table:
        """Store a change, as `Store.save` does; only then can anyone know of it. Returns the table, as stored.

        `game`: the table's game after the change, if it matters to it."""
        try:
            await self._store.save(change)
        except BaseException:
            self._cache.forget(change.table.number)  # it may be committed anyway: the store will tell
            raise
        self._expect_all(change.jobs)
        table = replace(change.table, changes=change.table.changes + 1)
        return self._stored(table, game if change.records else None)

    def _expect_all(self, jobs: Mapping[str, float | None]) -> None:
        for time in jobs.values():
            if time is not None:
                self._expect(time)

    def _stored(self, table: Table, game: Game | None = None) -> Table:
        self._cache.keep(table, game)
        return table

    async def _alone(self, number: int, change: Callable[[Table], Awaitable[T]]) -> T:
        async with self._tables(number):
            for _ in range(TRIES):
                try:
                    return await change(await self.table(number))
                except Conflict:
                    self._cache.forget(number)
                except Damaged:
                    raise
                except RefereeError:
                    if not await self._outdated(number):
                        raise
                    self._cache.forget(number)
            return await change(await self.table(number))

    async def _alone_in(self, channel: int, change: Callable[[], Awaitable[T]]) -> T:
        async with self._channels(channel):
            try:
                return await change()
            except Conflict:  # another process has just taken the channel
                return await change()

    async def _outdated(self, number: int) -> bool:
        """Whether the cached table or game differs from the stored one."""
        table, game = self._cache.table(number), self._cache.game(number)
        if table is None:
            return False
        try:
            stored = await self._store.progress(number)
        except RefereeError:  # deleted
            return True
        revision = stored.records if game is None else game.revision
        return stored != (table.version, table.changes, revision)


# --- what is kept in memory

GAME_BYTES, RECORD_BYTES, TABLE_BYTES = 30_000, 270, 3_000
"""Bytes of memory that a game, each of its records and a table take, as measured."""


class Cache(LRUCache[int, tuple[Table, Game | None]]):
    """The tables used last, with their games. Everything in here is stored: nothing runs ahead of the store."""

    def __init__(self, limit: int) -> None:
        """`limit`: roughly how many bytes are kept."""
        self._channels: dict[int, int] = {}
        """Numbers of the open tables, by channel."""
        super().__init__(limit, lambda kept: min(_size(kept[1]), limit))  # one game is kept, however large

    def table(self, number: int) -> Table | None:
        """The table, if it is cached."""
        return self.get(number, (None, None))[0]

    def game(self, number: int) -> Game | None:
        """The game, if it is cached."""
        return self.get(number, (None, None))[1]

    def in_channel(self, channel: int) -> Table | None:
        """The open table of a channel, if it is cached."""
        return self.table(self._channels[channel]) if channel in self._channels else None

    def keep(self, table: Table, game: Game | None = None) -> None:
        """Keep a table that has just been stored or read, and its game; without a game, the cached one stays."""
        game = game or self.game(table.number)
        self.forget(table.number)
        self[table.number] = table, game
        if table.open:
            self._channels[table.channel] = table.number

    def forget(self, number: int) -> None:
        """Drop a table and its game."""
        self.pop(number, None)

    def __delitem__(self, number: int) -> None:
        table, _ = self[number]
        super().__delitem__(number)
        if self._channels.get(table.channel) == number:
            del self._channels[table.channel]


def _size(game: Game | None) -> int:
    return TABLE_BYTES if game is None else TABLE_BYTES + GAME_BYTES + RECORD_BYTES * game.revision


# --- whether what is stored fits together

DAMAGED = "it isn't what was written"


async def unsound_tables(store: Store, tell: Tell, known: Container[int] = ()) -> tuple[int, dict[int, str]]:
    """Check all tables one by one, except those `known` to be wrong: they must be what was written, and open ones must
    fit their games. Returns how many could be checked, and what is wrong with some, by number."""
    checked, wrong, numbers = 0, dict[int, str](), await store.numbers()
    for done, number in enumerate(reversed(numbers), 1):
        fault = None if number in known else await _fault(store, number)
        checked += fault is not None
        if fault:
            wrong[number] = fault
        tell("games checked", done, len(numbers))
    return checked, wrong


async def _fault(store: Store, number: int) -> str | None:
    """What is wrong with a table; empty: nothing. None: it can't be judged here or now."""
    try:
        table = await store.any_table(number)
        if table is None:  # it was deleted meanwhile
            return None
        await store.seed(number)
        data = await store.records(number)
        if not table.open:
            return ""
        if await store.any_table(number) != table:  # it has changed meanwhile
            return None
        game = Game.replay(table.config, [Record.from_json(record) for record in data]) if data else None
    except (Newer, MalformedInput, ConfigError):  # a newer version wrote it
        return None
    except Damaged:
        return DAMAGED
    except ReplayError:
        return "it can't be replayed"
    except RefereeError:  # it was deleted meanwhile
        return None
    return next(faults(table, game), "")
