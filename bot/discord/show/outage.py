"""Since when Discord has taken nothing, and which games people can't see: no one's time is over in an outage."""

from __future__ import annotations

from collections.abc import Callable

from bot.service.reach import LONG_OUTAGE, Reach

Lane = tuple[int, str]
"""A table's number, and the name of one of its two lanes."""
TABLE, HANDS = "table", "hands"
"""Names of the lanes: what all see, and what one person sees."""


class Outage:
    """What this process knows about an outage from trying to show and to answer things.

    The store is told during the outage, in case the process ends, and when it is over.
    """

    def __init__(self, reach: Reach, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._reach, self._now = reach, now
        self._since: float | None = None
        """Since when everything that was tried has failed, in any game; None: there is no outage."""
        self._behind: dict[Lane, float] = {}
        """Since when an outage has kept each of these lanes from being shown."""

    @property
    def lasts(self) -> bool:
        """Whether everything that was tried lately has failed."""
        return self._since is not None

    def behind(self, number: int) -> float:
        """Seconds for which an outage has kept something of a game from being shown."""
        since = [at for lane, at in self._behind.items() if lane[0] == number]
        return self._now() - min(since) if since else 0.0

    async def failed(self, since: float, lane: Lane | None = None) -> None:
        """Note that an outage made a try fail that began at `since`; `lane`: the lane that it was to show, if any."""
        if self._since is None:
            self._since = since
        if lane is not None:
            self._behind.setdefault(lane, since)
        await self._note(lane)

    async def over(self, lane: Lane | None = None) -> None:
        """Note that Discord has taken something; `lane`: the lane that was shown, if any.

        A shown lane of hands proves nothing by itself: there might have been no hand to show.
        """
        await self._note(lane)
        if lane is None or lane[1] == TABLE or lane in self._behind:
            self._since = None
        if lane is not None:
            self._behind.pop(lane, None)

    async def _note(self, lane: Lane | None) -> None:
        if (
            self._since is not None and self._now() - self._since >= LONG_OUTAGE
        ):  # other games might have had nothing to show
            await self._reach.lost_all()
        elif lane in self._behind and self._now() - self._behind[lane] >= LONG_OUTAGE:
            await self._reach.lost(lane[0])
