"""The program's own emoji on Discord: drawn and uploaded once, and looked up at each start."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from itertools import count

import discord

import render
from bot.discord.registering import AGAIN
from bot.discord.show.signs import SIGNS, Signs
from bot.tasks import in_own_context
from bot.workers import Worker

log = logging.getLogger(__name__)

FIRST = 5.0
"""Seconds for which the start waits for the list of emoji."""
APART = 3600.0
"""Least seconds between two looks at them because Discord has refused one."""


class OwnEmoji:
    """Has a client's signs drawn with its own emoji as soon as Discord has all of them. Until then, and if Discord
    takes none, the signs are Unicode's."""

    def __init__(self, client: discord.Client, signs: Signs, worker: Worker) -> None:
        self._client, self._signs, self._worker = client, signs, worker
        self._task: asyncio.Task[None] | None = None
        self._looked = asyncio.Event()
        self._refused = -APART
        signs.doubted = self._look_again

    async def start(self) -> None:
        """Use the emoji if Discord soon lists all of them; missing ones are uploaded later."""
        self._task = in_own_context(asyncio.create_task, self._uploaded())
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST):
                await self._looked.wait()

    def close(self) -> None:
        """Stop trying."""
        if self._task is not None:
            self._task.cancel()

    def _look_again(self) -> None:
        """Look again because Discord has refused an emoji: someone might have deleted it. If that isn't it, it comes
        again, and the next look is later."""
        self.close()
        wait = max(self._refused + APART - time.monotonic(), 0.0)
        self._refused = time.monotonic()
        log.warning("Discord refuses Harbormaster's own emoji; they are looked up again in %.0f s", wait)
        self._task = in_own_context(asyncio.create_task, self._uploaded(wait))

    async def _uploaded(self, wait: float = 0.0) -> None:
        await asyncio.sleep(wait)
        for failures in count(1):
            try:
                missing = await self._missing()
                self._looked.set()
                if missing:
                    pictures = await self._worker.run(render.signs)
                    for name in missing:
                        await self._client.create_application_emoji(name=name, image=pictures[name])
                    await self._missing()
                return
            except Exception as error:  # of any kind: Discord's answer might be none that discord.py can read
                self._looked.set()
                wait, reason = AGAIN.after(failures, error), error or type(error).__name__
                log.warning("Harbormaster's own emoji can't be used yet: %s. Next try in %.0f s.", reason, wait)
                await asyncio.sleep(wait)

    async def _missing(self) -> list[str]:
        """Names of the emoji that Discord lacks. If it has all, they are used from now on."""
        ids = {emoji.name: emoji.id for emoji in await self._client.fetch_application_emojis()}
        missing = [name for name in SIGNS if name not in ids]
        if not missing:
            self._signs.use(ids)
        return missing
