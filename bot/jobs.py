"""Jobs: things to do with a game at a certain time."""

from __future__ import annotations

from dataclasses import dataclass

LOOK = "waiting"
"""Name of the job that looks after a game: it ends what has no time left, and reminds the players for whom the game
waits."""
CALL = "call"
"""Name of the job that shows a game in which someone can be called whose call was put off; a colon and the lane
follow."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do with a game at a certain time."""

    game: int
    name: str
    """What to do. A game has at most one job of each name."""
    at: float
    """Seconds since the epoch."""
    times: int = 0
    """How often it was set again, as the store counts it."""
