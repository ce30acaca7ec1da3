"""What is visible of a game, kept up with it: each screen is a projection, so showing it twice is harmless.

One short task per game works off what is due; what failed is tried again later, what a crash left undone at the
next start.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import discord

from bot.front import hands, lobby, pings, turns
from bot.front.channels import Blocked
from bot.front.sight import Sight
from bot.tables import LOBBY, Table
from engine.game import Game

if TYPE_CHECKING:
    from bot.front.front import Front

log = logging.getLogger(__name__)

RETRY = (5.0, 30.0, 120.0, 600.0)
"""Seconds until the next try after a failure, growing."""


class Screens:
    """Keeps panel, pings, hands and notices of all games up to date."""

    def __init__(self, front: Front) -> None:
        self.front = front
        self._dirty: set[int] = set()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._failures: dict[int, int] = {}
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self.blocked: dict[int, str] = {}
        """Why nothing can be shown in a game's channel, by table."""

    def refresh(self, number: int) -> None:
        """Have whatever is due of a game shown; returns at once, and many calls become few edits."""
        self._dirty.add(number)
        if timer := self._timers.pop(number, None):
            timer.cancel()
        if number not in self._tasks:
            task = asyncio.create_task(self._work(number), name=f"screens-{number}")
            self._tasks[number] = task

    async def restore(self) -> None:
        """Show what was due when the bot stopped."""
        for table, _ in await self.front.service.pending():
            self.refresh(table.number)

    async def _work(self, number: int) -> None:
        try:
            while number in self._dirty:
                self._dirty.discard(number)
                try:
                    await self._show(number)
                    self._failures.pop(number, None)
                    self.blocked.pop(number, None)
                except Blocked as error:
                    self.blocked[number] = str(error)
                    log.warning("game %s: %s", number, error)
                except (TimeoutError, discord.HTTPException, OSError) as error:
                    log.warning("game %s: could not be shown: %s", number, error)
                    self._later(number)
                except Exception:
                    log.exception("game %s: could not be shown", number)
        finally:
            self._tasks.pop(number, None)

    def _later(self, number: int) -> None:
        failed = self._failures.get(number, 0)
        self._failures[number] = failed + 1
        wait = RETRY[min(failed, len(RETRY) - 1)]
        loop = asyncio.get_running_loop()
        self._timers[number] = loop.call_later(wait, self.refresh, number)

    async def _show(self, number: int) -> None:
        service = self.front.service
        table = await service.table(number)
        marks = await service.projections(number)
        if table.status == LOBBY or not await self._dealt(table):
            await lobby.show(self.front, table, marks)
            return
        game: Game = await service.game(number)
        table = await service.table(number)
        public = Sight(table, game)
        posted = await turns.show(self.front, public, marks)
        await pings.show(self.front, public, marks, posted)
        await hands.show(self.front, public, marks)
        await turns.finish(self.front, public, marks)

    async def _dealt(self, table: Table) -> bool:
        return bool(table.entropy)
