"""Advice that people ask for: worked out once for each position, however often they ask."""

from __future__ import annotations

import asyncio

from cachetools import TTLCache

from bot.discord.show.recent import recent
from bot.screens.viewer import Viewer
from bot.service.computers import Computers
from engine.errors import RefereeError
from players.advice import Advice

KEPT = 900.0
"""Seconds for which advice is remembered."""


class Adviser:
    """Says what a strong bot would do in a player's place."""

    def __init__(self, computers: Computers) -> None:
        self._computers = computers
        self._asked: TTLCache[tuple[int, int], tuple[object, asyncio.Task[Advice]]] = recent(KEPT)
        """By game and seat: the position as the seat knows it, and the task that works out the advice."""

    async def of(self, viewer: Viewer) -> Advice:
        """Advice for the viewer. Asking again and again doesn't hold up the bots.

        New advice takes a noticeable time. So it is worked out only after something has happened that the viewer sees:
        what others do in secret must not show (section M). Code: "hint-failed".
        """
        key, position = (viewer.table.number, viewer.my_seat), (viewer.view.revision, viewer.decision)
        before = self._asked.get(key)
        if before is not None and before[0] == position:
            return await asyncio.shield(before[1])
        task = asyncio.create_task(
            self._computers.advice(viewer.table.number, viewer.game.view(viewer.seat, counted=True))
        )
        self._asked[key] = (position, task)
        try:
            return await asyncio.shield(task)
        except RefereeError:  # the next request tries again
            self._asked.pop(key, None)
            raise
