"""Who plays where: servers, channels and people of the bench, and the games that stand there, ready to be gone on with.

All of it follows from the template (`bench.scale.template`), so that every run begins alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.table.table import Table
from engine.game import Game

GUILDS, MOST_CHANNELS = 8, 400
"""Servers at least (as many for each of 1, 2, 4 or 8 shards), and channels in one (Discord's limit is 500)."""
SEATS = 4


@dataclass(frozen=True, slots=True)
class Resident:
    """Somebody who plays."""

    id: int
    name: str
    dm: int
    """Channel of their direct messages."""


@dataclass(frozen=True, slots=True)
class Room:
    """A channel."""

    id: int
    guild: int


@dataclass(slots=True)
class Standing:
    """A running game as it is stored: messages by their ids."""

    table: Table
    game: Game
    """With its chance, so that whatever is played can be followed."""
    panel: int
    hands: dict[int, int]
    """By user."""


@dataclass(slots=True)
class Town:
    """All that is needed beside the store to go on with it."""

    guilds: list[int] = field(default_factory=list)
    people: list[Resident] = field(default_factory=list)
    games: list[Standing] = field(default_factory=list)
    finished: int = 0
    clock: int = 0
    """When the latest of their ids was made, in milliseconds since the epoch."""

    def rooms_in(self, guild: int) -> Sequence[Room]:
        """The channels of a server in which a game is running."""
        return [Room(s.table.channel, guild) for s in self.games if s.table.guild == guild]
