"""What is visible of a game, kept up with it: each screen is a projection, so showing it twice is harmless.

One short task per game works off what is due; what failed is tried again later, what a crash left undone at the
next start.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import discord

from bot.front import channels, hands, lobby, pings, turns
from bot.front.channels import Blocked
from bot.front.sight import Sight
from bot.tables import PANEL, Table

if TYPE_CHECKING:
    from bot.front.front import Front

log = logging.getLogger(__name__)

Lane = tuple[int, str]
"""A table and which of its two lanes."""

RETRY = (5.0, 30.0, 120.0, 600.0)
"""Seconds until the next try after a failure, growing."""

GRACE = 5.0
"""Seconds that are waited for what is being shown when the bot stops."""


class Screens:
    """Keeps panel, pings, hands and notices of all games up to date.

    A game has two lanes, what all see and the hands, so that slow direct messages never hold up the panel.
    """

    def __init__(self, front: Front) -> None:
        self.front = front
        self._lanes: dict[str, Callable[[int], Awaitable[None]]] = {"table": self._table, "hands": self._hands}
        self._dirty: set[Lane] = set()
        self._tasks: dict[Lane, asyncio.Task[None]] = {}
        self._closed = False
        self._failures: dict[Lane, int] = {}
        self._timers: dict[Lane, asyncio.TimerHandle] = {}
        self.blocked: dict[int, str] = {}
        """Why nothing can be shown in a game's channel, by table."""
        self.through: dict[int, discord.Interaction[Any]] = {}
        """The latest click on a game's panel, by table."""
        self.doubted: set[int] = set()
        """Tables whose panel is to be sent once more, due or not."""
        self.seen: dict[tuple[int, str], int] = {}
        """Digest of what a message shows, by table and name: the same is not sent twice."""

    def refresh(self, number: int, through: discord.Interaction[Any] | None = None) -> None:
        """Have whatever is due of a game shown; returns at once, and many calls become few edits.

        `through`: a click on the panel, already acknowledged, whose token can edit it: that spares the channel's
        limit of edits.
        """
        if through is not None:
            self.through[number] = through
        self._start((number, "table"))

    async def again(self, number: int) -> None:
        """Send the panel once more, for one that is gone or garbled; if it can't be edited, a new one is posted."""
        await self.front.service.gone(number, PANEL)
        self.doubted.add(number)
        for shown in [shown for shown in self.seen if shown[0] == number]:
            del self.seen[shown]
        self.refresh(number)

    async def restore(self) -> None:
        """Show what was due when the bot stopped."""
        for table, _ in await self.front.service.pending():
            self.refresh(table.number)

    async def idle(self) -> None:
        """Wait until nothing is being shown; what waits for another try goes on waiting."""
        while self._tasks:
            await asyncio.wait(list(self._tasks.values()))

    async def close(self) -> None:
        """Finish what is being shown, within a few seconds, and try nothing again."""
        self._closed = True
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=GRACE)

    def _start(self, lane: Lane) -> None:
        if self._closed:
            return
        self._dirty.add(lane)
        if timer := self._timers.pop(lane, None):
            timer.cancel()
        if lane not in self._tasks:
            self._tasks[lane] = asyncio.create_task(self._work(lane), name=f"screens-{lane[0]}-{lane[1]}")

    async def _work(self, lane: Lane) -> None:
        number, name = lane
        try:
            while lane in self._dirty:
                self._dirty.discard(lane)
                try:
                    await self._lanes[name](number)
                    self._failures.pop(lane, None)
                    self.blocked.pop(number, None)
                except Blocked as error:
                    self.blocked[number] = str(error)
                    log.warning("Game %s: %s", number, error)
                    self._later(lane)
                except channels.FAILED as error:
                    log.warning("Game %s: the %s could not be shown: %s", number, name, error)
                    self._later(lane)
                except Exception:
                    log.exception("Game %s: the %s could not be shown", number, name)
                if name == "table":  # the hands come after it, so that nothing is drawn before the board
                    self._start((number, "hands"))
        finally:
            self._tasks.pop(lane, None)

    def _later(self, lane: Lane) -> None:
        if self._closed:
            return
        failed = self._failures.get(lane, 0)
        self._failures[lane] = failed + 1
        wait = RETRY[min(failed, len(RETRY) - 1)]
        self._timers[lane] = asyncio.get_running_loop().call_later(wait, self._start, lane)

    async def _public(self, number: int) -> tuple[Table, Sight | None]:
        """The table, and the game as all see it once it is dealt."""
        table = await self.front.service.table(number)  # before the game, so that no newer version is marked
        if not table.entropy:
            return table, None
        return table, Sight(table, await self.front.service.game(number))

    async def _table(self, number: int) -> None:
        front = self.front
        table, public = await self._public(number)
        marks = await front.service.projections(number)
        if public is None:
            await lobby.show(front, table, marks)
            return
        posted = await turns.show(front, public, marks)
        await pings.show(front, public, marks, posted)
        await turns.finish(front, public, marks)
        await front.service.shown(number, PANEL, table.version)

    async def _hands(self, number: int) -> None:
        _, public = await self._public(number)
        if public is not None:
            await hands.show(self.front, public, await self.front.service.projections(number))
