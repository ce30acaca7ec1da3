"""When people couldn't see their games, or not act in them, as the store keeps it: for whichever process asks next."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Place:
    """Where a game is that is open, or of which something has still to be shown."""

    number: int
    guild: int
    channel: int
    version: int
    unseen: bool
    """Whether something is known to keep it from being shown (`projections.is_unseen`)."""


class ReachStore(Protocol):
    """Until when games were out of reach; all of it as durable as a mark. Raises `Unavailable`."""

    async def lost(self, number: int | None, at: float) -> None:
        """Note that people couldn't see a game, or not act in it, until then; None: in any of this namespace."""

    async def unseen(self, number: int) -> float:
        """When that was so of a game for the last time; 0: never."""

    async def stopped(self) -> float:
        """Until when no direct messages are opened in this namespace; 0: they are."""

    async def stop(self, until: float) -> None:
        """Have none opened until then."""

    async def places(self, guilds: Collection[int] | None = None) -> list[Place]:
        """Where games of this namespace are on these servers (None: on any), by rising numbers."""

    async def heard(self, shard: int) -> float:
        """When the connection of a shard, whoever has it, last was one that brings people's clicks (`share`); 0: nobody
        has said."""
