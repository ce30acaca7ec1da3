"""Moves everything from one database to another, of either kind, in one transaction on each side.

Meanwhile no one can change anything in either. The copy is compared with the source, game by game, before it is
committed. So if anything goes wrong, or a process is killed, the target is as empty as before.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bot.settings import SettingsError, StoreAddress, place_of
from bot.store import Store, open_store
from bot.store.base import Conflict, Damaged, NothingYet, Tell, Unavailable
from bot.store.sql.database import Damages, Execute, Within
from bot.store.sql.tables import KEYS
from bot.store.sqlite.copies import new_file
from bot.table.table import ARCHIVED, OVER, RUNNING, Table
from bot.tasks import processes
from engine.config import Config
from engine.errors import ConfigError, MalformedInput, ReplayError
from engine.game import Game
from engine.record import Record

ROWS_AT_A_TIME = 500
"""Rows that are copied at a time."""
GAMES_AT_A_TIME = 16
"""Games that are compared at a time."""


@dataclass
class Moved:
    """The result of a move."""

    games: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    """Number of rows, by table."""
    damaged: dict[int, str] = field(default_factory=dict)
    """Why some games can't go on, by number. They couldn't before either, and were moved as they are."""
    different: list[int] = field(default_factory=list)
    """Games that are not the same in the target. If there are any, nothing was moved."""


class Different(Exception):
    """The copy differs from the source, so it was rolled back."""

    def __init__(self, moved: Moved) -> None:
        super().__init__(moved)
        self.moved = moved


async def move(source: StoreAddress, target: StoreAddress, tell: Tell) -> Moved:
    """Copy all games, compare them, and then commit, however long that takes.

    Raises `SettingsError`, one sentence, if nothing can be moved from the source or to the target.
    """
    if _same(source, target):
        raise SettingsError(f"{place_of(source)} is both source and target; name two places.")
    try:
        with new_file(target) if isinstance(target, Path) else nullcontext(target) as place:
            return await _moved(source, target, place, tell)
    except Different as error:
        return error.moved


async def _moved(source: StoreAddress, target: StoreAddress, place: StoreAddress, tell: Tell) -> Moved:
    """Move to `place`, which is the target or becomes it; raises `Different` and `SettingsError`."""
    async with _opened(source) as old, _opened(place, make=True) as new:

        async def out(read: Execute) -> Moved:
            await _alone(read, old, source)

            async def into(write: Execute) -> Moved:
                await _alone(write, new, target)
                if holds := await _count(write, "games"):
                    raise SettingsError(f"{place_of(target)} holds {holds} games; move into an empty database.")
                if not await _count(read, "games"):
                    raise SettingsError(f"{place_of(source)} holds no games, so there is nothing to move.")
                await write(*((f"DELETE FROM {table}", ()) for table in reversed(KEYS)))
                rows = {table: await _count(read, table) for table in KEYS}
                done = 0
                for table in KEYS:
                    async for copied in _copied(table, read, write):
                        done += copied
                        tell("rows copied", done, sum(rows.values()))
                [[latest]] = await read((old.latest_number, ()))
                await write((new.count_on, (latest[0],)))
                return await _compared(rows, _Plain.within(read), _Plain.within(write), tell)

            return await new.transaction(into)

        try:
            return await old.transaction(out)
        except Conflict as error:
            raise SettingsError(f"Something was changed during the move, so nothing was moved: {error}.") from None
        except Unavailable as error:
            raise SettingsError(f"Nothing was moved: {error}.") from None
        except Damaged:
            raise SettingsError(f"{place_of(source)} is damaged, so nothing was moved; see docs/hosting.md.") from None


@asynccontextmanager
async def _opened(address: StoreAddress, *, make: bool = False) -> AsyncIterator[Store]:
    try:
        store = await open_store(address, exclusive=True, make=False)  # no start: processes may run there
    except NothingYet:
        if not make:
            raise
        store = await open_store(address, exclusive=True)
    try:
        yield store
    finally:
        await store.close()


def _same(one: StoreAddress, other: StoreAddress) -> bool:
    if isinstance(one, Path) or isinstance(other, Path):
        return isinstance(one, Path) and isinstance(other, Path) and one.resolve() == other.resolve()
    a, b = urlsplit(one), urlsplit(other)
    return (_hosts(a.netloc), a.path, a.query) == (_hosts(b.netloc), b.path, b.query)


def _hosts(place: str) -> list[str]:
    """The hosts of an address, with their ports. There can be several."""
    hosts = place.rpartition("@")[2].lower().split(",")
    return [host if re.search(r":\d+$", host) else f"{host}:5432" for host in hosts]


async def _alone(run: Execute, store: Store, address: StoreAddress) -> None:
    """Keep all others from changing anything until the transaction ends. Raises `SettingsError` if a process runs."""
    await run(*((sql, ()) for sql in store.freeze))
    await store.refuse_if_used(run, place_of(address))


async def _count(run: Execute, table: str) -> int:
    [[row]] = await run((f"SELECT count(*) FROM {table}", ()))
    return int(row[0])


async def _copied(table: str, read: Execute, write: Execute) -> AsyncIterator[int]:
    """Copy a table's rows in the order of its key; yield how many were copied at a time."""
    key = ", ".join(f'"{column}"' for column in KEYS[table])
    marks = ", ".join("?" * len(KEYS[table]))
    latest: tuple[Any, ...] = ()
    while True:
        after = f"WHERE ({key}) > ({marks})" if latest else ""
        [rows] = await read((f"SELECT * FROM {table} {after} ORDER BY {key} LIMIT ?", (*latest, ROWS_AT_A_TIME)))
        if not rows:
            return
        columns = [*rows[0].keys()]
        values = [row[column] for row in rows for column in columns]
        names = ", ".join(f'"{column}"' for column in columns)
        places = ", ".join(["({})".format(", ".join("?" * len(columns)))] * len(rows))
        try:
            await write((f"INSERT INTO {table} ({names}) VALUES {places}", tuple(values)))
        except Exception as error:  # the driver's, whose text can reveal what is in a row
            raise SettingsError(
                f"Nothing was moved: rows of {table} can't be stored there ({type(error).__name__})."
            ) from None
        latest = tuple(rows[-1][column] for column in KEYS[table])
        yield len(rows)


async def _compared(rows: dict[str, int], before: _Plain, after: _Plain, tell: Tell) -> Moved:
    """Compare both sides: the number of rows, and each game with the position that its records lead to.

    Raises `Different`, and `SettingsError` if rows are missing.
    """
    moved = Moved(rows=rows)
    for table, count in rows.items():
        if await after.transaction(partial(_count, table=table)) != count:
            raise SettingsError(f"Nothing was moved: not all rows of {table} have arrived.")
    numbers = await before.numbers()
    loop = asyncio.get_running_loop()
    with processes(os.cpu_count() or 1) as pool:
        for first in range(0, len(numbers), GAMES_AT_A_TIME):
            batch = numbers[first : first + GAMES_AT_A_TIME]
            here = [await _game(before, number) for number in batch]
            there = [await _game(after, number) for number in batch]
            positions = await asyncio.gather(*(_position(loop, pool, game) for game in here + there))
            for number, a, b, was, became in zip(batch, here, there, positions, positions[len(batch) :], strict=False):
                if (a, was) != (b, became):
                    moved.different.append(number)
                elif a.damage or was == "":
                    moved.damaged[number] = a.damage or "it can't be replayed"
            moved.games += len(batch)
            tell("games compared", moved.games, len(numbers))
    if moved.different or numbers != await after.numbers():
        raise Different(moved)
    return moved


class _Plain(Store):
    """Remembers why a game is damaged without telling the host, who was told when the source was opened."""

    shared = False
    reason = ""

    @classmethod
    def within(cls, run: Execute) -> _Plain:
        """The store as an open transaction sees it."""
        return cls(Within(run, Damages("")), "")

    def damaged(self, number: int, reason: str) -> Damaged:
        self.reason = reason
        return Damaged(number)

    async def rows(self, number: int) -> list[tuple[Any, ...]]:
        """What is stored of a game, sound or not."""
        queries = (
            "SELECT config, seed, commitment, entropy FROM games WHERE number = ?",
            "SELECT * FROM members WHERE game = ? ORDER BY position",
            "SELECT * FROM records WHERE game = ? ORDER BY number",
            "SELECT * FROM histories WHERE game = ?",
            "SELECT * FROM acts WHERE game = ? ORDER BY number",
        )
        return [tuple(row) for sql in queries for row in await self._database.read(sql, number)]


@dataclass(frozen=True)
class _Stored:
    """A game as stored on one side."""

    table: Table | None = None
    records: Sequence[Any] = ()
    others: Sequence[Any] = ()
    """What else must be the same."""
    damage: str = ""


async def _game(store: _Plain, number: int) -> _Stored:
    try:
        table, seed, shown = await store.any_table(number), await store.seed(number), await store.visible(number)
        return _Stored(table, await store.records(number), (seed, shown, await store.acts(number)))
    except Damaged:
        return _Stored(damage=store.reason, others=await store.rows(number))


async def _position(loop: asyncio.AbstractEventLoop, pool: Executor, game: _Stored) -> str | None:
    """The hash of a game's position; None: it has no position; empty: it can't be replayed."""
    if game.table is None or game.table.status not in (RUNNING, ARCHIVED, OVER):
        return None
    return await loop.run_in_executor(pool, _replayed, game.table.config, game.records)


def _replayed(config: Config, records: Sequence[Any]) -> str:
    try:
        return Game.replay(config, [Record.from_json(record) for record in records]).hash()
    except (MalformedInput, ReplayError, ConfigError):
        return ""
