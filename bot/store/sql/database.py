"""What the store requires of the database that keeps it; and games whose rows can't be what was written, and what host
and players are told about it."""

from __future__ import annotations

import logging
import time
from abc import abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

from bot.store.base import Damaged, Newer
from bot.store.sql.tables import StoredRow
from bot.tasks import Shielded

# --- damage

log = logging.getLogger(__name__)

BY_NEWER = "it was written by a newer version of Harbormaster"
"""Why a game that isn't damaged can't be read."""
TELL_AGAIN_AFTER = 3600.0
"""Seconds after which the host is told about the same game's damage again."""


class Unreadable(Exception):
    """Stored data can't be what was written. The text says why, without hands or seeds."""


class WrittenByNewer(Unreadable):
    """Stored data is what was written, but by a newer version of the program."""

    def __init__(self) -> None:
        super().__init__(BY_NEWER)


class Damages:
    """Tells the host about damage, at most once an hour about the same game."""

    def __init__(self, place: str) -> None:
        """`place`: what the host calls the database."""
        self._place = place
        self._told: dict[int | None, float] = {}

    def newer(self, number: int) -> Newer:
        """Log that a newer version wrote a game. Returns the error that tells its players."""
        if self._is_news(number):
            log.error(
                "Game %s can't go on here: a newer version of Harbormaster has written it. Nothing is damaged: install"
                " that version here, too; docs/hosting.md says how.",
                number,
            )
        return Newer(number)

    def found(self, number: int | None, reason: str) -> Damaged:
        """Log what was found in a game (None: in an unknown one). Returns the error that tells its players."""
        if self._is_news(number):
            where = "A game" if number is None else f"Game {number}"
            log.error(
                "%s can't go on: what %s holds of it is damaged (%s). Stop Harbormaster, keep a copy and restore a"
                " backup; docs/hosting.md says more.",
                where,
                self._place,
                reason,
            )
        return Damaged(number)

    def _is_news(self, number: int | None) -> bool:
        now = time.monotonic()
        if now - self._told.get(number, -TELL_AGAIN_AFTER) < TELL_AGAIN_AFTER:
            return False
        self._told[number] = now
        return True


# --- the database

T = TypeVar("T")
Execute = Callable[..., Awaitable[list[list[StoredRow]]]]
"""`await run(*statements)` gives the rows of each statement."""


class Database(Protocol):
    """Transactions of statements in which question marks stand for values."""

    damages: Damages
    tidy: Callable[[], Awaitable[bool]]
    """Does some of the upkeep, and returns whether more is left. If so, it is called again soon, otherwise in about an
    hour."""

    async def read(self, sql: str, *values: Any, game: int | None = None) -> list[StoredRow]:
        """Return the rows of one query. `game`: the one it is about, if any. Raises `Damaged` and `Unavailable`."""

    async def write(
        self, body: Callable[[Execute], Awaitable[T]], *, durable: bool = True, game: int | None = None
    ) -> T:
        """Run `body` in one transaction: it is committed when this returns, and rolled back when this raises.

        `body` waits for nothing but its statements. A transaction that isn't durable outlives the process, but perhaps
        not a power cut; the next durable one covers it, too. It finishes even if the caller is canceled. Raises
        `Conflict` if a key exists already, `Damaged` and `Unavailable`.
        """

    async def mark(self, sql: str, *values: Any, game: int | None = None) -> list[StoredRow]:
        """Run one statement as a transaction that isn't durable, and return its rows. Raises as `write` does."""

    async def transaction(self, body: Callable[[Execute], Awaitable[T]]) -> T:
        """Run `body` in one durable transaction, which can take long. No one else can write to a file meanwhile.

        If the caller is canceled, the transaction is rolled back.
        """

    async def close(self) -> None:
        """Finish what is under way and close. The database is closed even if this fails."""


class DriverDatabase(Database):
    """A database behind a driver, whose errors become those that a store can raise."""

    errors: tuple[type[Exception], ...]
    """Errors that the driver raises."""

    def __init__(self, place: str) -> None:
        """`place`: what the host calls the database."""
        self.damages = Damages(place)
        self.tidy = nothing_to_tidy
        self._tasks = Shielded()

    async def read(self, sql: str, *values: Any, game: int | None = None) -> list[StoredRow]:
        try:
            return await self._read(sql, *values)
        except self.errors as error:
            raise self._meaning(game, error) from None

    async def write(
        self, body: Callable[[Execute], Awaitable[T]], *, durable: bool = True, game: int | None = None
    ) -> T:
        try:
            return await self._tasks.run(self._write(body, durable))
        except self.errors as error:
            raise self._meaning(game, error) from None

    async def mark(self, sql: str, *values: Any, game: int | None = None) -> list[StoredRow]:
        try:
            return await self._tasks.run(self._mark(sql, *values))
        except self.errors as error:
            raise self._meaning(game, error) from None

    async def transaction(self, body: Callable[[Execute], Awaitable[T]]) -> T:
        try:
            return await self._transaction(body)
        except self.errors as error:
            raise self._meaning(None, error) from None

    @abstractmethod
    async def _read(self, sql: str, *values: Any) -> list[StoredRow]:
        """Return the rows of one query."""

    @abstractmethod
    async def _write(self, body: Callable[[Execute], Awaitable[T]], durable: bool) -> T:
        """Run `body` in one transaction."""

    @abstractmethod
    async def _mark(self, sql: str, *values: Any) -> list[StoredRow]:
        """Run one statement as a transaction, and return its rows."""

    @abstractmethod
    async def _transaction(self, body: Callable[[Execute], Awaitable[T]]) -> T:
        """Run `body`, which can take long, in one transaction."""

    @abstractmethod
    def _meaning(self, game: int | None, error: Exception) -> Exception:
        """The error to raise for an error of the driver; it holds nothing of what is in a row."""


class Within(Database):
    """An open transaction as a database: what is done here is part of it."""

    def __init__(self, run: Execute, damages: Damages) -> None:
        self.run = run
        self.damages = damages
        self.tidy = nothing_to_tidy

    async def read(self, sql: str, *values: Any, game: int | None = None) -> list[StoredRow]:
        [rows] = await self.run((sql, values))
        return rows

    async def write(
        self, body: Callable[[Execute], Awaitable[T]], *, durable: bool = True, game: int | None = None
    ) -> T:
        return await body(self.run)

    async def mark(self, sql: str, *values: Any, game: int | None = None) -> list[StoredRow]:
        return await self.read(sql, *values)

    async def transaction(self, body: Callable[[Execute], Awaitable[T]]) -> T:
        return await body(self.run)

    async def close(self) -> None:
        pass


async def nothing_to_tidy() -> bool:
    """No upkeep: nothing is ever left to do."""
    return False


class StorePart:
    """What a store keeps about one subject: methods of `Store`, which says what they have in common."""

    _database: Database
    _namespace: str
    """The value of the column `run`."""
    _process: str
    """This process, as others know it."""
