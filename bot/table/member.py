"""The members of a table, and seats that are offered."""

from __future__ import annotations

from dataclasses import dataclass

FORGOTTEN = 1 << 62
"""User numbers from here on stand for people who asked to be forgotten. Discord's own ids get there in 2049."""


@dataclass(frozen=True, slots=True)
class Member:
    """A person or bot at a table. Its place is its index in `Table.members`, which are in order of joining."""

    user: int
    name: str
    """Display name at their latest interaction, as `safe_name` makes it."""
    color: str
    """The color they asked for, or else the one they were given, which can still change in the lobby."""
    asked: bool
    """Whether they asked for that color."""
    phrase: str
    """Their lucky words, part of the game's chance; empty: none."""
    interaction: str
    """Id of the interaction by which they joined: part of the game's chance, to which a bot adds nothing."""
    level: str = ""
    """Level of the bot that plays here (`players.LEVELS`), perhaps in a person's place; empty: no bot plays."""

    @property
    def is_person(self) -> bool:
        """Whether this is a Discord user. A bot has a negative number."""
        return self.user > 0


@dataclass(frozen=True, slots=True)
class Absence:
    """A person for whom a bot plays moves. What the table decides still waits for them, for some days (I6)."""

    user: int
    since: float
    """When the bot took over, or when they last voted since, in seconds since the epoch."""
    wished: bool = False
    """Whether they wanted the bot."""
    until: float | None = None
    """When the others can decide without them, as `bot.table.waiting.timed` calculates it; None: no time runs."""
    over: bool = False
    """Whether the others decide without them now. That ends when they take their seat back."""


@dataclass(frozen=True, slots=True)
class Handover:
    """A seat that is offered to a person who doesn't play."""

    place: int
    """The seat's place in `Table.members`."""
    to: int
    """User to whom it is offered; 0: the first who takes it."""
    name: str = ""
    """That user's name at the time."""
