"""What has to be done with a game at a time."""

from __future__ import annotations

from dataclasses import dataclass

LOOK = "waiting"
"""Name of the job of looking after a game: of ending what time is over for, and of reminding those who are awaited."""


@dataclass(frozen=True, slots=True)
class Job:
    """What has to be done with a game at a time."""

    game: int
    name: str
    """What it is; there is one of a name in a game."""
    at: float
    """Seconds since the epoch."""
    times: int = 0
    """How often it was set anew, as the store counts it."""
