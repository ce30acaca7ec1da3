"""News: what has happened at a table in addition to the game's own actions."""

from __future__ import annotations

from dataclasses import dataclass

from bot.table.motion import SUBSTITUTE

SEATED, COMPUTER, RETURNED, DECLINED = "seated", "computer", "returned", "declined"
"""What can happen to a seat: a new player took it over, a bot plays for its owner, the owner is back, or a person
declined it. Other kinds of news are a `PACE` that was agreed on, and a `SUBSTITUTE` whom the players refused."""


@dataclass(frozen=True, slots=True)
class News:
    """Something that happened at a table in addition to the game's own actions, as all may know it."""

    what: str
    made: int = 0
    """The table's version before it."""
    turn: int = 0
    revision: int = 0
    """Turn and revision of the game at that time, as all see it."""
    user: int = 0
    """User who came or went, or who gets the answer, having offered the seat or asked for one; 0: it is about all."""
    name: str = ""
    """Name of the seat's owner."""
    newcomer: str = ""
    """Name of the person who would take the seat, or has taken it. Names are as they were at that time."""
    pace: int = 0
    expiry: str = ""
    """As in `TableOptions`, if the news is about them."""
    by_wish: bool = False
    """Whether a bot plays for them because they wanted it."""
    at: float = 0.0
    """Seconds since the epoch."""
    recorded: int = 0
    """How many records the game had at that time."""
    place: int = -1
    """Place in `Table.members` of a seat that changed hands."""
    about: int = 0
    """User who had the seat, or who doesn't take or get one."""

    @property
    def is_answer(self) -> bool:
        """Whether it only tells one person that nothing comes of what they wanted."""
        return self.what in (DECLINED, SUBSTITUTE)
