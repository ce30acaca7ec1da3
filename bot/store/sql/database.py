"""What a store asks of the database that keeps it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

from bot.store.sql.damage import Damages
from bot.store.sql.values import Row
from bot.tasks import Shielded

T = TypeVar("T")
Execute = Callable[..., Awaitable[list[list[Row]]]]
"""`await run(*statements)`: the rows of each."""


class Database(Protocol):
    """Transactions of statements in which question marks stand for values."""

    damages: Damages
    tidy: Callable[[], Awaitable[bool]]
    """Does a little of what has time; whether more is left. It is called again soon then, else in an hour or so."""

    async def read(self, sql: str, *values: Any, game: int | None = None) -> list[Row]:
        """The rows of one query, about one game if it is named; raises `Damaged` and `Unavailable`."""

    async def write(
        self, body: Callable[[Execute], Awaitable[T]], *, durable: bool = True, game: int | None = None
    ) -> T:
        """Run `body` in one transaction; when this returns it is committed, when it raises it is undone.

        `body` waits for nothing but its statements. One that is not durable outlives the process but maybe not a power
        cut; the next durable one covers it. It goes on to its end when its caller is cancelled.
        Raises `Conflict` when something has the same key as what is there, `Damaged` and `Unavailable`.
        """

    async def mark(self, sql: str, *values: Any, game: int | None = None) -> list[Row]:
        """Run one statement as a transaction that isn't durable; its rows. Raises as `write` does."""

    async def transaction(self, body: Callable[[Execute], Awaitable[T]]) -> T:
        """Run `body` in one durable transaction, which may take its time; to a file nobody else can write meanwhile.

        If the caller is cancelled, it is undone.
        """

    async def close(self) -> None:
        """Finish what is under way and close; closed it is also when that fails."""


class DriverDatabase(Database):
    """A database behind a driver, whose errors become those that a store may raise."""

    errors: tuple[type[Exception], ...]
    """What the driver raises."""

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
        """The rows of one query."""

    @abstractmethod
    async def _write(self, body: Callable[[Execute], Awaitable[T]], durable: bool) -> T:
        """Run `body` in one transaction."""

    @abstractmethod
    async def _mark(self, sql: str, *values: Any) -> list[Row]:
        """Run one statement as a transaction."""

    @abstractmethod
    async def _transaction(self, body: Callable[[Execute], Awaitable[T]]) -> T:
        """Run `body`, which may take its time, in one transaction."""

    @abstractmethod
    def _meaning(self, game: int | None, error: Exception) -> Exception:
        """What an error of the driver's is to others; nothing of what stands in a row."""


class Within(Database):
    """A transaction that is open already: what is done here is a part of it."""

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
    """Nothing has to be tidied up."""
    return False
