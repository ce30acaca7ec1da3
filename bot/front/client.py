"""The Discord client: log in, register commands and components, hand everything that arrives to the front."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import discord

from bot.front import channels, dispatch
from bot.front.clock import Clock
from bot.front.commands import add_all
from bot.front.door import tidied
from bot.front.front import Front
from bot.front.tree import Tree
from bot.service import Service
from bot.store import Store

log = logging.getLogger(__name__)


def _now() -> float:
    """Seconds since the epoch by Discord's clock, which a simulated Discord moves."""
    return discord.utils.utcnow().timestamp()


class Harbormaster(discord.Client):
    """The bot on one SQLite file. `run` names the world that Discord's ids belong to (`Store.open`)."""

    front: Front
    clock: Clock

    def __init__(
        self,
        database: Path,
        *,
        run: str = "discord",
        entropy: Callable[[int], bytes] = os.urandom,
        sync: bool = False,
    ) -> None:
        """`entropy` makes the games' secret seeds. `sync`: register the commands even if they haven't changed."""
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=channels.SILENT,
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            guild_ready_timeout=0.5,  # seconds after the last server until what is due is shown; otherwise two
        )
        self.tree = Tree(self)
        self._tidy()
        self._database, self._run, self._entropy, self._sync = database, run, entropy, sync
        self._store: Store | None = None

    async def setup_hook(self) -> None:
        """Open the store, register what people can use."""
        self._store = await Store.open(self._database, run=self._run)
        self.front = Front(self, Service(self._store, now=_now, entropy=self._entropy))
        self.clock = Clock(self.front, _now)
        await self.clock.start()
        add_all(self.tree)
        await self._register()

    def _tidy(self) -> None:
        """Have discord.py read nothing that it can't: an error there ends the connection."""
        parsers = self._connection.parsers
        read = parsers["INTERACTION_CREATE"]
        parsers["INTERACTION_CREATE"] = lambda payload: read(tidied(payload))

    async def _register(self) -> None:
        """Sync the commands when their payload has changed since the last time."""
        payload = [self.application_id, self.tree.registered]
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        stamp = self._database.with_name(self._database.name + ".commands")
        if not self._sync and stamp.exists() and stamp.read_text() == digest:
            return
        await self.tree.sync()
        stamp.write_text(digest)

    async def on_ready(self) -> None:
        """Show what was due when the bot stopped."""
        log.info("connected as %s", self.user)
        await self.front.screens.restore()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Buttons, selects and forms: everything gets an answer, also after a restart."""
        if interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            await dispatch.component(self.front, interaction)

    async def close(self) -> None:
        """Finish what is being shown, leave Discord and close the store."""
        if self._store is not None:
            await self.front.screens.close()
        await super().close()
        if self._store is not None:
            await self.clock.close()
            self.front.pictures.close()
            await self.front.service.close()
            await self._store.close()
            self._store = None
