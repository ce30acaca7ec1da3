"""The commands as Discord lists them: told when they have changed, and again later where Discord refuses them."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands

from bot.discord.show import channels
from bot.store import Store, Unavailable
from bot.tasks import apart

log = logging.getLogger(__name__)

SOON, LATER = 60.0, 3600.0
"""Seconds until the next try after an outage, and after a refusal, such as 30034 for too many new commands in a day."""


class Registration:
    """Tells Discord of the commands; until it has taken them those of before go on."""

    def __init__(self, tree: app_commands.CommandTree[Any], payload: Callable[[], list[dict[str, Any]]]) -> None:
        self._tree, self._payload = tree, payload
        self._task: asyncio.Task[None] | None = None
        self.problem = ""
        """Why Discord doesn't know the present commands."""

    async def start(self, store: Store, *, force: bool) -> None:
        """Tell Discord if they have changed since the last time, or always (`force`).

        :raises Unavailable: when the store can't be read.
        """
        told = [self._tree.client.application_id, self._payload()]
        digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
        if not force and await store.commands() == digest:
            return
        if wait := await self._told(store, digest):
            self._task = apart(asyncio.create_task, self._again(store, digest, wait))

    def close(self) -> None:
        """Try no more."""
        if self._task is not None:
            self._task.cancel()

    async def _again(self, store: Store, digest: str, wait: float | None) -> None:
        while wait:
            await asyncio.sleep(wait)
            wait = await self._told(store, digest)

    async def _told(self, store: Store, digest: str) -> float | None:
        """Tell Discord; in how many seconds to try again, None: it knows them."""
        try:
            await self._tree.sync()
            await store.save_commands(digest)
        except (app_commands.AppCommandError, *channels.FAILED) as error:
            self.problem = f"Discord doesn't take the commands: {error or type(error).__name__}"
            wait = SOON if channels.is_outage(error) else LATER
            if isinstance(error, discord.RateLimited):
                wait = error.retry_after
            log.error("%s. Those of before go on; next try in %.0f s.", self.problem, wait)
            return wait
        except Unavailable as error:  # it knows them, which is to be remembered
            log.warning("It could not be noted that Discord knows the commands: %s", error)
            return SOON
        self.problem = ""
        return None
