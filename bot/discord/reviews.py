"""Reviews that people ask for after a game: worked out once, and shared once."""

from __future__ import annotations

import asyncio

from cachetools import TTLCache

from bot.discord.show.recent import recent
from bot.screens.reviewing import Found
from bot.service.review import ReviewService
from engine.errors import RefereeError

KEPT = 900.0
"""Seconds for which a review is remembered, and that it was shared."""


class Reviews:
    """What people's choices in games were worth."""

    def __init__(self, service: ReviewService) -> None:
        self._service = service
        self._asked: TTLCache[tuple[int, int], asyncio.Task[Found]] = recent(KEPT)
        """By game and user."""
        self._shared: TTLCache[tuple[int, int], bool] = recent(KEPT)

    async def of(self, number: int, user: int) -> Found:
        """The choices that cost a user most, and their best ones. Codes as in `ReviewService.of`."""
        key = (number, user)
        task = self._asked.get(key)
        if task is None:
            task = self._asked[key] = asyncio.create_task(self._service.of(number, user))
        try:
            return await asyncio.shield(task)
        except RefereeError:  # the next request tries again
            self._asked.pop(key, None)
            raise

    def shared(self, number: int, user: int) -> bool:
        """Whether a user has shared their review."""
        return (number, user) in self._shared

    def share(self, number: int, user: int, *, done: bool = True) -> None:
        """Note that a user shares their review, so that a second click shows nothing twice; `done` False: it failed."""
        if done:
            self._shared[number, user] = True
        else:
            self._shared.pop((number, user), None)
