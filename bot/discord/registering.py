"""What Harbormaster registers with Discord: its commands, when they have changed, and its own emoji, drawn and uploaded
once and looked up at each start. If Discord refuses them, it tries again later."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from itertools import count
from typing import Any

import discord
from discord import app_commands

import render
from bot.discord.show.channels import Backoff
from bot.discord.show.messages import SIGNS, OwnSigns
from bot.store import Store, Unavailable
from bot.tasks import Worker, in_own_context

log = logging.getLogger(__name__)

REGISTER_AGAIN = Backoff((60.0,), (60.0, 3600.0))
"""Waits before the next try. A refusal, such as 30034 for too many new commands in a day, can last."""
ENTRY_POINT = 50240
"""Code with which Discord refuses a list of commands that lacks the one with which people open an activity."""
ACTIVITIES = (
    "Discord doesn't take the commands, because Activities are switched on for this application (50240): switch them"
    " off in the developer portal, under Activities > Settings"
)


class Registration:
    """Registers the commands; until Discord has taken them, the earlier ones still work."""

    def __init__(
        self,
        tree: app_commands.CommandTree[Any],
        payload: Callable[[], Awaitable[list[dict[str, Any]]]],
        known: Callable[[dict[str, int]], None],
    ) -> None:
        self._tree, self._payload, self._known = tree, payload, known
        self._task: asyncio.Task[None] | None = None
        self.problem = ""
        """Why Discord doesn't know the present commands; empty if it does."""

    async def start(self, store: Store, *, force: bool) -> None:
        """Register the commands if they have changed since the last time, or always (`force`).

        `known` is called with the commands' ids by typed name. While Discord refuses the present commands, these are
        the earlier ones' ids.

        :raises Unavailable: when the store can't be read.
        """
        commands = await self._payload()
        content = [self._tree.client.application_id, commands]
        digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        before, ids = _read(await store.commands())
        self._mention(ids)
        if not force and before == digest:
            return
        if wait := await self._register(commands, store, digest, 1):
            self._task = in_own_context(asyncio.create_task, self._again(commands, store, digest, wait))

    def _mention(self, ids: Mapping[str, int]) -> None:
        called = [c.qualified_name for c in self._tree.walk_commands() if isinstance(c, app_commands.Command)]
        roots = ((name, ids.get(name.split()[0])) for name in called)
        self._known({name: root for name, root in roots if root is not None})

    def close(self) -> None:
        """Stop trying."""
        if self._task is not None:
            self._task.cancel()

    async def _again(self, commands: list[dict[str, Any]], store: Store, digest: str, wait: float | None) -> None:
        tries = 1
        while wait:
            await asyncio.sleep(wait)
            tries += 1
            wait = await self._register(commands, store, digest, tries)

    async def _register(self, commands: list[dict[str, Any]], store: Store, digest: str, tries: int) -> float | None:
        """Register the commands, in so many tries by now. Returns the seconds until the next one; None: Discord knows
        them."""
        try:
            ids = await self._sent(commands)
            self._mention(ids)
            await store.save_commands(json.dumps([digest, ids]))
        except Unavailable as error:  # Discord knows them, but that must be remembered
            log.warning("Could not store that Discord knows the commands: %s", error)
            return REGISTER_AGAIN.after(tries)
        except Exception as error:  # of any kind: Discord's answer might be none that discord.py can read
            self.problem = f"Discord doesn't take the commands: {error or type(error).__name__}"
            if getattr(error, "code", None) == ENTRY_POINT:
                self.problem = ACTIVITIES
            wait = REGISTER_AGAIN.after(tries, error)
            log.error("%s. The commands from before still work; next try in %.0f s.", self.problem, wait)
            return wait
        self.problem = ""
        return None

    async def _sent(self, commands: list[dict[str, Any]]) -> dict[str, int]:
        """Send all commands. Returns their ids. (`CommandTree.sync` would translate them again.)"""
        client = self._tree.client
        assert client.application_id is not None
        known = await client.http.bulk_upsert_global_commands(client.application_id, payload=commands)
        return {command["name"]: int(command["id"]) for command in known}


def _read(stored: str) -> tuple[str, dict[str, int]]:
    """The digest of what was last registered, and the ids of those commands. Earlier versions stored no ids: then the
    commands are registered again."""
    if not stored.startswith("["):
        return "", {}
    digest, ids = json.loads(stored)
    return digest, ids


LONGEST_START = 5.0
"""Seconds for which the start waits for the list of emoji."""
LOOKS_APART = 3600.0
"""Least seconds between two looks at them because Discord has refused one."""


class OwnEmoji:
    """Has a client's signs drawn with its own emoji as soon as Discord has all of them. Until then, and if Discord
    takes none, the signs are Unicode's."""

    def __init__(self, client: discord.Client, signs: OwnSigns, worker: Worker) -> None:
        self._client, self._signs, self._worker = client, signs, worker
        self._task: asyncio.Task[None] | None = None
        self._looked = asyncio.Event()
        self._refused = -LOOKS_APART
        signs.doubted = self._look_again

    async def start(self) -> None:
        """Use the emoji if Discord soon lists all of them; missing ones are uploaded later."""
        self._task = in_own_context(asyncio.create_task, self._uploaded())
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_START):
                await self._looked.wait()

    def close(self) -> None:
        """Stop trying."""
        if self._task is not None:
            self._task.cancel()

    def _look_again(self) -> None:
        """Look again because Discord has refused an emoji: someone might have deleted it. If that isn't it, it comes
        again, and the next look is later."""
        self.close()
        wait = max(self._refused + LOOKS_APART - time.monotonic(), 0.0)
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
                wait, reason = REGISTER_AGAIN.after(failures, error), error or type(error).__name__
                log.warning("Harbormaster's own emoji can't be used yet: %s. Next try in %.0f s.", reason, wait)
                await asyncio.sleep(wait)

    async def _missing(self) -> list[str]:
        """Names of the emoji that Discord lacks. If it has all, they are used from now on."""
        ids = {emoji.name: emoji.id for emoji in await self._client.fetch_application_emojis()}
        missing = [name for name in SIGNS if name not in ids]
        if not missing:
            self._signs.use(ids)
        return missing
