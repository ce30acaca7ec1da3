"""Advice that people ask for: thought about once for each position, however often they ask."""

from __future__ import annotations

import asyncio

from cachetools import TTLCache

from bot.discord.show.recent import recent
from bot.screens.viewer import Viewer
from bot.service.computers import Computers
from engine.errors import RefereeError
from players.advice import Advice

KEPT = 900.0
"""Seconds for which an advice is remembered."""


class Adviser:
    """Says what a strong computer would do in somebody's place."""

    def __init__(self, computers: Computers) -> None:
        self._computers = computers
        self._asked: TTLCache[tuple[int, int], tuple[object, asyncio.Task[Advice]]] = recent(KEPT)
        """By game and seat: what they know of the position, and the thought."""

    async def of(self, viewer: Viewer) -> Advice:
        """For the one who looks; who asks again and again doesn't hold the computers up.

        A new thought takes its time. So there is one only when something has happened that the person sees: what others
        do in secret must not show (section M). Codes: "hint-failed".
        """
        key, position = (viewer.table.number, viewer.my_seat), (viewer.view.revision, viewer.decision)
        before = self._asked.get(key)
        if before is not None and before[0] == position:
            return await asyncio.shield(before[1])
        thought = asyncio.create_task(
            self._computers.advice(viewer.table.number, viewer.game.view(viewer.seat, counted=True))
        )
        self._asked[key] = (position, thought)
        try:
            return await asyncio.shield(thought)
        except RefereeError:  # it came to nothing, so whoever asks again is thought for again
            self._asked.pop(key, None)
            raise
