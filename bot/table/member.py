"""Who sits at a table, and to whom a seat is offered."""

from __future__ import annotations

from dataclasses import dataclass

FORGOTTEN = 1 << 62
"""Users from here on stand for people who wanted to be forgotten; Discord's own numbers get there in 2049."""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody at a table; the place in `Table.members` is the player's number in the order of joining."""

    user: int
    name: str
    """Display name at their latest interaction, as `safe_name` makes it."""
    color: str
    """The colour asked for; otherwise the one that falls to them (which may still change in the lobby)."""
    asked: bool
    """Whether they asked for that colour."""
    phrase: str
    """Their own words for the game's chance; empty: none."""
    interaction: str
    """Id of the interaction by which they joined: part of the game's chance; a bot adds nothing to that."""
    level: str = ""
    """Level of the computer that plays here (`players.LEVELS`), perhaps in somebody's stead; empty: none does."""

    @property
    def is_person(self) -> bool:
        """Whether this is a user of Discord; a computer has a negative number."""
        return self.user > 0


@dataclass(frozen=True, slots=True)
class Handover:
    """A seat that is offered to somebody who doesn't play."""

    place: int
    """Which one, in `Table.members`."""
    to: int
    """User to whom it is offered; 0: to whoever takes it first."""
    name: str = ""
    """Their name then."""
