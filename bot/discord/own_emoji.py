"""The program's own emoji as Discord keeps them: found again at each start, drawn and uploaded once."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

import discord

import render
from bot.discord.registering import LATER, SOON
from bot.discord.show import channels
from bot.discord.show.signs import SIGNS, Signs
from bot.tasks import apart
from bot.workers import Worker

log = logging.getLogger(__name__)

FIRST = 5.0
"""Seconds for which a start waits for the list."""


class OwnEmoji:
    """Has a client's signs drawn with emoji of its own as soon as Discord has all of them; until then, and where it
    takes none, they are Unicode's."""

    def __init__(self, client: discord.Client, signs: Signs, worker: Worker) -> None:
        self._client, self._signs, self._worker = client, signs, worker
        self._task: asyncio.Task[None] | None = None
        self._looked = asyncio.Event()

    async def start(self) -> None:
        """Use those that are there, as soon as Discord has said so; what is missing comes later."""
        self._task = apart(asyncio.create_task, self._uploaded())
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST):
                await self._looked.wait()

    def close(self) -> None:
        """Try no more."""
        if self._task is not None:
            self._task.cancel()

    async def _uploaded(self) -> None:
        while True:
            try:
                missing = await self._missing()
                self._looked.set()
                if missing:
                    pictures = await self._worker.run(render.signs)
                    for name in missing:
                        await self._client.create_application_emoji(name=name, image=pictures[name])
                    await self._missing()
                return
            except channels.FAILED as error:
                self._looked.set()
                await asyncio.sleep(_wait(error))

    async def _missing(self) -> list[str]:
        """Names of those that Discord hasn't; where it has all they are used."""
        there = {emoji.name: emoji.id for emoji in await self._client.fetch_application_emojis()}
        missing = [name for name in SIGNS if name not in there]
        if not missing:
            self._signs.use(there)
        return missing


def _wait(error: Exception) -> float:
    """Seconds until the next try."""
    wait = SOON if channels.is_outage(error) else LATER
    if isinstance(error, discord.RateLimited):
        wait = error.retry_after
    said = error or type(error).__name__
    log.warning("Harbormaster's own emoji can't be used yet: %s. Next try in %.0f s.", said, wait)
    return wait
