"""Starts the bot in a simulated Discord with a few people in one channel, and shows that channel in the browser."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import discord
import simcord
from simcord.backend.errors import SetupError

from bot.address import Address, place_of
from bot.frontends.discord.client import Harbormaster
from bot.frontends.discord.health import health_of
from bot.frontends.discord.publish.channels import SILENT
from bot.frontends.discord.publish.messages import ACCENT
from bot.frontends.logs import start_log
from bot.frontends.offline.simcord_patches import (
    follow,
    mend_page,
    quicken,
    remember_texts,
    show_pictures_at_once,
    tell_the_time,
)
from bot.frontends.stopping import UNCLEAN, end_at_once, end_at_the_latest
from bot.monitoring.watch import Watch
from bot.settings import Settings, SettingsError

PEOPLE = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana")
"""Who sits at the table, as far as it has seats."""

PATIENCE = 10.0
"""Seconds that a click may take until simcord gives it up."""

WELCOME = """## Welcome to the island game
Choose who you are at **Viewing as** above. Then:
1. One of you types `/game new`. The others press **Join**, each as themselves.
2. The first one presses **Start**.
3. Whoever the panel names plays with its buttons, or with commands: type `/` to see them all.

**My hand** shows your cards, only to you. `/game rules` tells the rules.
-# There is no window for direct messages at this table; your hand is always behind **My hand** or `/hand`."""


@dataclass(frozen=True, slots=True)
class Table:
    """An open table: the simulated Discord, its only channel, and the page."""

    env: simcord.Env
    channel: simcord.ChannelHandle
    preview: simcord.Preview
    bot: Harbormaster


def run(settings: Settings, *, seats: int, port: int) -> int:
    """Keep an offline table open until Ctrl-C or "End preview session"; the exit status."""
    if not isinstance(settings.database, Path):
        raise SettingsError("The offline table keeps its games in a file; name one with --database FILE.")
    # What to do next must stay on the screen; whoever wants to see more asks for DEBUG.
    level = "WARNING" if settings.log_level == "INFO" else settings.log_level
    start_log(settings, level)
    gave_up = asyncio.Event()
    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_serve(settings, seats, port, gave_up))
    print(f"\nThe table is closed. {place_of(settings.database)} keeps its games; `harbormaster log` lists them.")
    return UNCLEAN if gave_up.is_set() else 0


async def _serve(settings: Settings, seats: int, port: int, gave_up: asyncio.Event) -> None:
    """Until it is closed, or `gave_up`."""
    me = asyncio.current_task()
    assert me is not None
    with contextlib.suppress(NotImplementedError):  # Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)

    def give_up() -> None:
        gave_up.set()
        me.cancel()

    async with open_table(settings.database, seats, port) as table:
        health = health_of(table.bot, give_up, gateway=False)
        async with Watch(health, table.bot.metrics, end_at_once, settings.http):
            print(_instructions(table.preview.url, seats, settings.database), flush=True)
            try:
                await table.preview.wait_closed()
            finally:
                end_at_the_latest()


@contextlib.asynccontextmanager
async def open_table(database: Address, seats: int = 4, port: int = 0) -> AsyncIterator[Table]:
    """A table with its page at `port` of 127.0.0.1 (0: any free one); raises `SettingsError`.

    Each opening is a new world with ids of its own, hence a new namespace in the file: games of earlier ones
    stay there to be read, not to be played on.
    """
    mend_page()
    remember_texts()
    show_pictures_at_once()
    quicken()
    namespace = f"offline-{time.time_ns()}-{os.getpid()}"
    bot = Harbormaster(database, namespace=namespace, sync=True)
    try:
        async with simcord.run(bot, check_errors=False, settle_timeout=PATIENCE) as env:
            tell_the_time(env)
            env.backend.bot_user.name = "Harbormaster"
            guild = env.create_guild("The island")
            channel = guild.create_text_channel("table", topic="The island game, offline")
            people = [guild.add_member(env.create_user(n.lower(), global_name=n)) for n in PEOPLE[:seats]]
            await bot.get_partial_messageable(channel.id).send(view=_welcome(), allowed_mentions=SILENT)
            async with env.preview(channel, viewers=people, layout="channel", port=port) as preview:
                following = asyncio.create_task(follow(env, preview))
                try:
                    yield Table(env, channel, preview, bot)
                finally:
                    following.cancel()
                    await asyncio.wait([following])
    except SetupError as error:
        if "could not bind" not in str(error):
            raise
        raise SettingsError(
            f"Port {port} is taken, perhaps by another offline table; choose another with --port N."
        ) from None
    finally:
        await bot.close()


def _welcome() -> discord.ui.LayoutView:
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.Container(discord.ui.TextDisplay(WELCOME), accent_colour=ACCENT))
    return view


def _instructions(url: str, seats: int, database: Address) -> str:
    return f"""
  The offline table is open for {", ".join(PEOPLE[:seats])}.

  1. Open  {url}
  2. Choose a person at the top ("Viewing as"), and type  /game new
  3. Change to the others, one after the other, and press Join; then start.
     Or open the address once more in another tab for each person.

  {place_of(database)} keeps every game. Ctrl-C closes the table.
"""
