"""Writes to people who asked for direct messages: immediately, or when their turn comes. The store knows who waits, so
a promise outlives the process that gave it."""

from __future__ import annotations

import asyncio
import logging
from math import ceil

import discord

from bot.discord.in_flight import InFlight
from bot.discord.show import channels, directs
from bot.discord.show.display import Display
from bot.discord.show.recent import now
from bot.screens import people as texts
from bot.service.people import STOPPED_FOR
from bot.store import Unavailable

log = logging.getLogger(__name__)

AGAIN = 300.0
"""Seconds after which a first message that an outage kept from being sent is tried again."""


class Greetings:
    """The first direct message to each person who wants some."""

    def __init__(self, display: Display, in_flight: InFlight) -> None:
        self._display, self._in_flight = display, in_flight
        self._timers: dict[int, asyncio.TimerHandle] = {}
        """By user who was promised a message."""
        display.services.ownership.when_gained(self._gained)

    async def start(self) -> None:
        """Keep what was promised before this process began."""
        services = self._display.services
        if services.ownership.owns(None):
            for user, at in (await services.directs.promised()).items():
                self._set(user, at)

    def close(self) -> None:
        """Stop writing to people. The next process goes on with it."""
        for timer in self._timers.values():
            timer.cancel()

    async def write_to(self, user: int) -> str:
        """Write to a person who has just asked for direct messages, to see whether Discord allows it: immediately, or
        later if others are first. Returns what to tell them."""
        settings = await self._display.services.people.settings(user)
        wait = await directs.wait(self._display, settings)
        if wait == directs.FULL:
            return texts.dm_queue_full()
        if wait > 0:
            await self._promise(user, now() + wait)
            return texts.dms_stopped() if settings.stopped else texts.dm_comes(ceil(now() + wait))
        return await self._greet(user)

    async def _promise(self, user: int, at: float) -> None:
        await self._display.services.directs.promise(user, at)
        self._set(user, at)

    def _set(self, user: int, at: float) -> None:
        if timer := self._timers.pop(user, None):
            timer.cancel()
        wait = max(at - now(), 0.0)
        self._timers[user] = asyncio.get_running_loop().call_later(wait, self._begin, user)

    def _begin(self, user: int) -> None:
        self._timers.pop(user, None)
        if not self._in_flight.closing:
            self._in_flight.start(self._keep_promise(user))

    def _gained(self) -> None:
        self._in_flight.start(self._start_over())

    async def _start_over(self) -> None:
        try:
            await self.start()
        except Unavailable as error:
            log.warning("Could not look for promised direct messages: %s", error)

    async def _keep_promise(self, user: int) -> None:
        """Write to a person whose turn has come, if they still want it and have got nothing meanwhile."""
        services = self._display.services
        try:
            settings = await services.people.settings(user)
            if settings.choices.direct or not directs.wants_dms(settings):
                await services.directs.promise(user, None)
            elif (wait := await directs.wait(self._display, settings)) > 0:  # another process had reserved the turn
                await self._promise(user, now() + wait)
            else:
                await self._greet(user)
        except Unavailable as error:
            log.warning("Someone could not be written to yet: %s", error)
            self._set(user, now() + AGAIN)

    async def _greet(self, user: int) -> str:
        """Write to a person. Returns what to tell them about the result."""
        services = self._display.services
        try:
            await directs.greet(self._display, user)
        except channels.FAILED as error:
            code = error.code if isinstance(error, discord.HTTPException) else 0
            if code in channels.CLOSED:
                await services.directs.promise(user, None)
                await services.people.change_settings(user, dms_closed=True)
                return texts.dms_closed()
            if code in directs.TOO_MANY:
                await self._promise(user, now() + STOPPED_FOR)
                return texts.dms_stopped()
            log.warning(
                "Someone who asked for direct messages can't get one yet: %s", str(error) or type(error).__name__
            )
            await self._promise(user, now() + AGAIN)
            return texts.dm_later()
        await services.directs.promise(user, None)
        await services.people.change_settings(user, dms_closed=False)
        return texts.dm_sent()
