"""Motions: what a person at a table proposes, and who agrees. They are about turn timer, pause, or who plays a seat."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

PACE, PAUSE, RESUME, SUBSTITUTE, REPLACE = "pace", "pause", "resume", "substitute", "replace"
"""What the people at a table can agree on (`bot.table.motions`)."""


@dataclass(frozen=True, slots=True)
class Motion:
    """What a person at a table proposes, and who agrees."""

    kind: str
    ayes: tuple[int, ...]
    """Users who agree, in order; the one who proposed it is first."""
    noes: tuple[int, ...] = ()
    """Users who are against it."""
    made: int = 0
    """Its number among the table's proposals, which its buttons carry. In earlier versions: the table's version when it
    was made."""
    at: float = 0.0
    """When it was made, in seconds since the epoch."""
    pace: int = 0
    expiry: str = ""
    """As in `TableOptions`, if it is about them."""
    newcomer: int = 0
    name: str = ""
    """User who wants a seat that a bot plays (`newcomer`), and their name."""
    place: int = -1
    """That seat's place in `Table.members`."""
    absent: int = 0
    """User for whom a bot would play."""

    @property
    def about(self) -> tuple[str, int]:
        """What it is about: there is only one motion at a time with the same value."""
        return self.kind, self.absent

    def holds(self, playing: Collection[int]) -> bool:
        """Whether more than half of the users who play agree."""
        return 2 * sum(user in playing for user in self.ayes) > len(playing)

    def is_void(self, playing: Collection[int]) -> bool:
        """Whether so many of the users who play are against it that it can't be agreed on anymore."""
        return 2 * sum(user not in self.noes for user in playing) <= len(playing)

    def agreed_to_by(self, user: int) -> Motion:
        """The motion with a user agreeing."""
        noes = tuple(other for other in self.noes if other != user)
        return replace(self, ayes=tuple(dict.fromkeys((*self.ayes, user))), noes=noes)

    def among(self, users: Collection[int]) -> Motion:
        """The motion with only the votes of these users."""
        ayes = tuple(user for user in self.ayes if user in users)
        return replace(self, ayes=ayes, noes=tuple(user for user in self.noes if user in users))
