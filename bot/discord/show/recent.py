"""Things that are remembered for a while, or wait for a while, by Discord's clock."""

from __future__ import annotations

from itertools import takewhile
from typing import Generic, TypeVar

import discord

from bot.service import orders

K = TypeVar("K")
V = TypeVar("V")


def now() -> float:
    """Seconds since the epoch by Discord's clock, which a simulated Discord moves."""
    return discord.utils.utcnow().timestamp()


def acted_by(since: float) -> float:
    """Seconds until an order of somebody whom a game has waited for since then would have acted, if there were one."""
    return since + orders.HASTE[1] + 1 - now()


class Recent(Generic[K, V]):
    """A value for each key, forgotten `seconds` after it was noted."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._noted: dict[K, tuple[float, V]] = {}

    def note(self, key: K, value: V) -> None:
        """Remember a value from now on, in place of the one before."""
        time = now()
        self.drop(key)
        self._noted[key] = time, value
        for old in list(takewhile(lambda k: self._noted[k][0] + self._seconds < time, self._noted)):
            del self._noted[old]

    def get(self, key: K) -> V | None:
        """The value, None where there is none any more."""
        time, value = self._noted.get(key, (0.0, None))
        return value if now() <= time + self._seconds else None

    def drop(self, key: K) -> None:
        """Forget a value now."""
        self._noted.pop(key, None)
