"""When people couldn't see their games or act in them: the store keeps it for whichever process asks next."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class GameLocation:
    """The place of a game that is open, or has something still to show."""

    number: int
    guild: int
    channel: int
    version: int
    unseen: bool
    """Whether something is known to keep the game from being shown (`projections.is_unseen`)."""


class ReachStore(Protocol):
    """Until when games were out of reach; all of it as durable as a mark. Raises `Unavailable`."""

    async def lost(self, number: int | None, at: float) -> None:
        """Note that people couldn't see a game or act in it until `at`; None: all games of this namespace."""

    async def unseen(self, number: int) -> float:
        """When people last couldn't see a game or act in it; 0: never."""

    async def stopped(self) -> float:
        """Until when no direct messages are opened in this namespace; 0: there was no such time."""

    async def stop(self, until: float) -> None:
        """Have no direct messages opened until then."""

    async def promise(self, user: int, at: float | None) -> None:
        """Note that a user of this namespace is written to by direct message at a time; None: no longer."""

    async def promised(self) -> dict[int, float]:
        """When users of this namespace are written to, by user."""

    async def places(self, guilds: Collection[int] | None = None) -> list[GameLocation]:
        """Places of this namespace's games on these servers (None: on any), in ascending order of numbers."""

    async def note_opened(self, number: int, at: float) -> None:
        """Note that Harbormaster opened a game's archived thread at `at`, by Discord's clock."""

    async def opened(self, number: int) -> float:
        """When Harbormaster last opened a game's archived thread, by Discord's clock; 0: never."""

    async def heard(self, shard: int) -> float:
        """When the connection of a shard, in whichever process, last brought people's clicks, as told to `share`; 0: no
        process has said."""
