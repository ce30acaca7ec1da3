"""Whom a game waits for, since when and until when, and who has let their time run out."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Deadline:
    """When the referee ends a decision."""

    serial: int
    """Number of the decision (`engine.actions.Expire`)."""
    at: float
    """Seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A decision, or an answer to an offer, that a seat owes, and since when. Times are seconds since the epoch."""

    seat: int
    serial: int
    """Number of the decision, or id of the offer."""
    since: float
    until: float | None = None
    """When its time is over, as `bot.table.waiting.timed` calculates it; None: there is no limit."""
    offer: bool = False
    """Whether it waits for an answer to an offer."""
    over: bool = False
    """Whether its time was over and all know it."""
    reminded: int = 0
    """How many reminders were given."""
    pinged: float = 0.0
    """When the latest reminder was given in the channel; 0: it wasn't."""
    more: int = 0
    """How many other games that reminder mentioned."""
    again: bool = False
    """Whether it goes on after a pause."""
    written: float = 0.0
    """When the latest reminder was given by direct message; 0: it wasn't."""
    what: str = ""
    """Name of the decision (`bot.table.waiting.what_is_owed`); empty: it is an answer to an offer, or an earlier
    version stored the wait."""
    spent: float = 0.0
    """Seconds of the decision's time that had run before `since`: it has waited before."""
    left: float | None = None
    """Seconds of its time that were left at `since`; None: there was no limit, or an earlier version stored it."""

    @property
    def asks(self) -> tuple[int, int, bool]:
        """What the seat is asked, regardless of when."""
        return self.seat, self.serial, self.offer

    @property
    def public(self) -> Wait:
        """What all can see of it."""
        return replace(self, reminded=0, written=0.0, what="", spent=0.0, left=None)

    def same(self, other: Wait) -> bool:
        """Whether it waits for the same, since the same moment."""
        return (self.asks, self.since) == (other.asks, other.since)


@dataclass(frozen=True, slots=True)
class Late:
    """A player who has let their time run out, and not acted since."""

    user: int
    times: int
    turn: int
    """The latest turn in which it happened."""
