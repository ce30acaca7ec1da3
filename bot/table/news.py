"""What has happened at a table beside the game's own actions."""

from __future__ import annotations

from dataclasses import dataclass

from bot.table.motion import SUBSTITUTE

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
