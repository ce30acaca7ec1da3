"""What somebody at a table would like, and who agrees: a pace, a pause, who plays in a seat."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

PACE, PAUSE, RESUME, SUBSTITUTE, REPLACE = "pace", "pause", "resume", "substitute", "replace"
"""What the people at a table can agree on (`bot.table.motions`)."""


@dataclass(frozen=True, slots=True)
class Motion:
    """What somebody at a table would like, and who agrees."""

    kind: str
    ayes: tuple[int, ...]
    """Users, the one who proposed it first."""
    noes: tuple[int, ...] = ()
    """Users."""
    made: int = 0
    """The how manieth it is at its table, which the buttons tell; of earlier versions the table's version then."""
    at: float = 0.0
    """When, in seconds since the epoch."""
    pace: int = 0
    expiry: str = ""
    """As in `TableChoices`, where it is about them."""
    newcomer: int = 0
    name: str = ""
    """User who would take a seat that a computer plays, and their name."""
    place: int = -1
    """Which one, in `Table.members`."""
    absent: int = 0
    """User for whom a computer would play."""

    @property
    def about(self) -> tuple[str, int]:
        """What of which there is one at a time."""
        return self.kind, self.absent

    def holds(self, playing: Collection[int]) -> bool:
        """Whether more than half of those who play agree."""
        return 2 * sum(user in playing for user in self.ayes) > len(playing)

    def is_void(self, playing: Collection[int]) -> bool:
        """Whether so many of them are against it that it can't be agreed on any more."""
        return 2 * sum(user not in self.noes for user in playing) <= len(playing)

    def agreed_to_by(self, user: int) -> Motion:
        """With somebody who agrees to it."""
        noes = tuple(other for other in self.noes if other != user)
        return replace(self, ayes=tuple(dict.fromkeys((*self.ayes, user))), noes=noes)

    def among(self, users: Collection[int]) -> Motion:
        """Without the votes of others than these."""
        ayes = tuple(user for user in self.ayes if user in users)
        return replace(self, ayes=ayes, noes=tuple(user for user in self.noes if user in users))
