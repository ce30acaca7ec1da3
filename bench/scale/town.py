"""Who plays where: servers, channels and people of the bench, and the running games, ready to be continued.

All of it comes with the template (`bench.scale.template`), so that every run begins the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.table.table import Table
from engine.game import Game

GUILDS, MOST_CHANNELS = 8, 400
"""Least number of servers (equally many for each of 1, 2, 4 or 8 shards), and most channels in one (Discord's limit is
500)."""
SEATS = 4


@dataclass(frozen=True, slots=True)
class Resident:
    """A person who plays."""

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
    """With its chance, so that the bench knows what each action leads to."""
    panel: int
    hands: dict[int, int]
    """The messages with the hands, by user."""


@dataclass(slots=True)
class Town:
    """What is needed in addition to the store to continue its games."""

    guilds: list[int] = field(default_factory=list)
    people: list[Resident] = field(default_factory=list)
    games: list[Standing] = field(default_factory=list)
    finished: int = 0
    clock: int = 0
    """When the latest id was made, in milliseconds since the epoch."""

    def rooms_in(self, guild: int) -> Sequence[Room]:
        """The channels of a server in which a game is running."""
        return [Room(s.table.channel, guild) for s in self.games if s.table.guild == guild]
