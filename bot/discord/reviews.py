"""Reviews that people ask for after a game: worked out once, and shared once."""

from __future__ import annotations

from cachetools import TTLCache

from bot.discord.show.recent import now, recent
from bot.screens.hints import Moments
from bot.service.computers import ReviewService
from bot.tasks import Once

KEPT, MOST = 900.0, 1000
"""Seconds for which a review is remembered, and that it was shared; and how many reviews are."""


class Reviews:
    """What people's choices in games were worth."""

    def __init__(self, service: ReviewService) -> None:
        self._service = service
        self._once = Once(MOST, KEPT, now)
        self._shared: TTLCache[tuple[int, int], bool] = recent(KEPT)

    async def of(self, number: int, user: int) -> Moments:
        """The choices that cost a user most, and their best ones. Codes as in `ReviewService.of`."""
        return await self._once.of((number, user), lambda: self._service.of(number, user))

    def shared(self, number: int, user: int) -> bool:
        """Whether a user has shared their review."""
        return (number, user) in self._shared

    def share(self, number: int, user: int, *, done: bool = True) -> None:
        """Note that a user shares their review, so that a second click shows nothing twice; `done` False: it failed."""
        if done:
            self._shared[number, user] = True
        else:
            self._shared.pop((number, user), None)
