"""Since when Discord takes nothing, and which games that keeps from people: nobody's time is over in it."""

from __future__ import annotations

from collections.abc import Callable

from bot.service.reach import LONG, Reach

Lane = tuple[int, str]
"""A table and which of its two lanes."""
TABLE, HANDS = "table", "hands"
"""What all see, and what one person sees."""


class Outage:
    """What this process knows of an outage by what it tries to show and to answer. It is noted while it lasts, in case
    the process ends in it, and when it is over."""

    def __init__(self, reach: Reach, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._reach, self._now = reach, now
        self._since: float | None = None
        """Since when all has failed that was tried, whatever the game."""
        self._behind: dict[Lane, float] = {}
        """Since when it has kept lanes from being shown."""

    def behind(self, number: int) -> float:
        """For how many seconds an outage has kept something of a game from being shown."""
        since = [at for lane, at in self._behind.items() if lane[0] == number]
        return self._now() - min(since) if since else 0.0

    async def failed(self, since: float, lane: Lane | None = None) -> None:
        """What was tried since then, perhaps to show a lane, has failed because of an outage."""
        if self._since is None:
            self._since = since
        if lane is not None:
            self._behind.setdefault(lane, since)
        await self._note(lane)

    async def over(self, lane: Lane | None = None) -> None:
        """Discord has taken something, perhaps what was due of a lane. Hands may have been none: that says nothing."""
        await self._note(lane)
        if lane is None or lane[1] == TABLE or lane in self._behind:
            self._since = None
        if lane is not None:
            self._behind.pop(lane, None)

    async def _note(self, lane: Lane | None) -> None:
        if self._since is not None and self._now() - self._since >= LONG:  # others had nothing to be shown, perhaps
            await self._reach.lost_all()
        elif lane in self._behind and self._now() - self._behind[lane] >= LONG:
            await self._reach.lost(lane[0])
