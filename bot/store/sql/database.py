"""What a store asks of the database that keeps it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

from bot.store.sql.damage import Damages
from bot.store.sql.rows import Row

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

        One that is not durable outlives the process but maybe not a power cut; the next durable one covers it.
        It goes on to its end when its caller is cancelled.
        Raises `Conflict` when something has the same key as what is there, `Damaged` and `Unavailable`.
        """

    async def close(self) -> None:
        """Finish what is under way and close; closed it is also when that fails."""


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

    async def close(self) -> None:
        pass


async def nothing_to_tidy() -> bool:
    """Nothing has to be tidied up."""
    return False
