"""What bots tell people about their games: advice that they ask for, and reviews afterward."""

from __future__ import annotations

from cachetools import TTLCache

from bot.discord.interaction import now, recent
from bot.screens.hints import Moments
from bot.screens.viewer import Viewer
from bot.service.computers import Computers, ReviewService
from bot.tasks import Once
from players.advice import Advice

REMEMBERED, MOST_REMEMBERED = 900.0, 1000
"""Seconds for which advice is remembered, and how much of it."""


class Adviser:
    """Says what a strong bot would do in a player's place."""

    def __init__(self, computers: Computers) -> None:
        self._computers = computers
        self._once = Once(MOST_REMEMBERED, REMEMBERED, now)

    async def of(self, viewer: Viewer) -> Advice:
        """Advice for the viewer. Asking again and again doesn't hold up the bots.

        New advice takes a noticeable time. So it is worked out only after something has happened that the viewer sees:
        what others do in secret must not show (section M). Code: "hint-failed".
        """
        number, view = viewer.table.number, viewer.game.view(viewer.seat, counted=True)
        position = (number, viewer.my_seat, viewer.view.revision, viewer.decision)
        return await self._once.of(position, lambda: self._computers.advice(number, view))


class Reviews:
    """What people's choices in games were worth."""

    def __init__(self, service: ReviewService) -> None:
        self._service = service
        self._once = Once(MOST_REMEMBERED, REMEMBERED, now)
        self._shared: TTLCache[tuple[int, int], bool] = recent(REMEMBERED)

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
