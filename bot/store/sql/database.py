"""What the store requires of the database that keeps it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

from bot.store.sql.damage import Damages
from bot.store.sql.values import Row
from bot.tasks import Shielded

T = TypeVar("T")
Execute = Callable[..., Awaitable[list[list[Row]]]]
"""`await run(*statements)` gives the rows of each statement."""


class Database(Protocol):
    """Transactions of statements in which question marks stand for values."""

    damages: Damages
    tidy: Callable[[], Awaitable[bool]]
    """Does some of the upkeep, and returns whether more is left. If so, it is called again soon, otherwise in about an
    hour."""

    async def read(self, sql: str, *values: Any, game: int | None = None) -> list[Row]:
        """Return the rows of one query. `game`: the one it is about, if any. Raises `Damaged` and `Unavailable`."""

    async def write(
        self, body: Callable[[Execute], Awaitable[T]], *, durable: bool = True, game: int | None = None
    ) -> T:
        """Run `body` in one transaction: it is committed when this returns, and rolled back when this raises.

        `body` waits for nothing but its statements. A transaction that isn't durable outlives the process, but perhaps
        not a power cut; the next durable one covers it, too. It finishes even if the caller is canceled. Raises
        `Conflict` if a key exists already, `Damaged` and `Unavailable`.
        """

    async def mark(self, sql: str, *values: Any, game: int | None = None) -> list[Row]:
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

    async def read(self, sql: str, *values: Any, game: int | None = None) -> list[Row]:
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

    async def mark(self, sql: str, *values: Any, game: int | None = None) -> list[Row]:
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
    async def _read(self, sql: str, *values: Any) -> list[Row]:
        """Return the rows of one query."""

    @abstractmethod
    async def _write(self, body: Callable[[Execute], Awaitable[T]], durable: bool) -> T:
        """Run `body` in one transaction."""

    @abstractmethod
    async def _mark(self, sql: str, *values: Any) -> list[Row]:
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

    async def read(self, sql: str, *values: Any, game: int | None = None) -> list[Row]:
        [rows] = await self.run((sql, values))
        return rows

    async def write(
        self, body: Callable[[Execute], Awaitable[T]], *, durable: bool = True, game: int | None = None
    ) -> T:
        return await body(self.run)

    async def mark(self, sql: str, *values: Any, game: int | None = None) -> list[Row]:
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
