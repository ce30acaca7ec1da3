"""What people at a table want of each other beside the game's own actions, and what has come of it: a pace, a pause, a
seat, a wish."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from engine.resources import Hand

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


@dataclass(frozen=True, slots=True)
class Handover:
    """A seat that is offered to somebody who doesn't play."""

    place: int
    """Which one, in `Table.members`."""
    to: int
    """User to whom it is offered; 0: to whoever takes it first."""
    name: str = ""
    """Their name then."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody looks for between their turns, as all see it. It binds nobody."""

    user: int
    want: Hand
    give: Hand
    """What they would give for it; `NOTHING`: they haven't said."""
    turn: int
    """How many turns of their own had begun: with the next one it is over."""


SEATED, COMPUTER, RETURNED, DECLINED = "seated", "computer", "returned", "declined"
"""What can have happened to a seat: somebody has taken it over, or didn't want it; a computer plays for whose it is, or
they are back. That is news, and so are a `PACE` agreed on and a `SUBSTITUTE` the players don't want."""


@dataclass(frozen=True, slots=True)
class News:
    """What has happened at a table beside the game's own actions, as all may know it."""

    what: str
    made: int = 0
    """The table's version from which it came."""
    turn: int = 0
    revision: int = 0
    """Of the game then, as all see it."""
    user: int = 0
    """Who has come or gone, or whom it answers: who had offered the seat or asked for one; 0: it is about all."""
    name: str = ""
    """Whose seat it is about."""
    newcomer: str = ""
    """Who would take it, or has taken it. Names are as they were then."""
    pace: int = 0
    expiry: str = ""
    """As in `TableChoices`, where it is about them."""
    by_wish: bool = False
    """Whether a computer plays for them because they wanted it."""
    at: float = 0.0
    """When, in seconds since the epoch."""
    recorded: int = 0
    """How many records the game had."""
    place: int = -1
    """Which seat has changed hands, in `Table.members`."""
    about: int = 0
    """User whose seat it was, or who doesn't take or get one."""

    @property
    def is_answer(self) -> bool:
        """Whether it only tells somebody that nothing comes of what they wanted."""
        return self.what in (DECLINED, SUBSTITUTE)
