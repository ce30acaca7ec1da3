"""For whom a game waits, since when and until when; and who has let their time run out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deadline:
    """Until when a decision may be made; then the referee ends it."""

    serial: int
    """Number of the decision (`engine.actions.Expire`)."""
    at: float
    """Seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Since when the game, or somebody's offer, has waited for a seat, without anything that it did. Times are seconds
    since the epoch."""

    seat: int
    serial: int
    """Number of the decision that it waits for; of an offer, its id."""
    since: float
    until: float | None = None
    """When the time for it is over, as `bot.table.waiting.timed` works it out; None: there is no limit."""
    offer: bool = False
    """Whether it is an answer to an offer."""
    over: bool = False
    """Whether the time was over and all know it."""
    reminded: int = 0
    """How many reminders were given."""
    pinged: float = 0.0
    """When the latest of them was given in the channel; 0: it wasn't."""
    more: int = 0
    """How many other games it spoke of."""
    again: bool = False
    """Whether it goes on after a pause."""
    written: float = 0.0
    """When the latest reminder was given by direct message; 0: it wasn't."""

    @property
    def asks(self) -> tuple[int, int, bool]:
        """What somebody is asked, as often as they may be."""
        return self.seat, self.serial, self.offer

    def same(self, other: Wait) -> bool:
        """Whether it is the same, since the same moment."""
        return (self.asks, self.since) == (other.asks, other.since)


@dataclass(frozen=True, slots=True)
class Late:
    """Somebody has let their time run out and not acted since."""

    user: int
    times: int
    turn: int
    """The latest turn in which it happened."""
