"""Advice that people ask for: worked out once for each position, however often they ask."""

from __future__ import annotations

from bot.discord.show.recent import now
from bot.screens.viewer import Viewer
from bot.service.computers import Computers
from bot.tasks import Once
from players.advice import Advice

KEPT, MOST = 900.0, 1000
"""Seconds for which advice is remembered, and how much of it."""


class Adviser:
    """Says what a strong bot would do in a player's place."""

    def __init__(self, computers: Computers) -> None:
        self._computers = computers
        self._once = Once(MOST, KEPT, now)

    async def of(self, viewer: Viewer) -> Advice:
        """Advice for the viewer. Asking again and again doesn't hold up the bots.

        New advice takes a noticeable time. So it is worked out only after something has happened that the viewer sees:
        what others do in secret must not show (section M). Code: "hint-failed".
        """
        number, view = viewer.table.number, viewer.game.view(viewer.seat, counted=True)
        position = (number, viewer.my_seat, viewer.view.revision, viewer.decision)
        return await self._once.of(position, lambda: self._computers.advice(number, view))
