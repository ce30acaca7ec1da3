"""Runs the bot against Discord, or against the server that the settings name."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.front.client import Harbormaster
from bot.settings import Settings

log = logging.getLogger(__name__)


def run(settings: Settings) -> int:
    """Stay connected until stopped; the exit status."""
    discord.utils.setup_logging(level=logging.getLevelName(settings.log_level))
    if settings.log_level == "DEBUG":  # at which discord.py prints what it sends and gets: hands, and decisions
        logging.getLogger("discord").setLevel(logging.INFO)
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # voice isn't wanted
    if settings.rest_base:
        Route.BASE = settings.rest_base
    if settings.gateway:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway)
    try:
        asyncio.run(_serve(settings))
    except discord.LoginFailure:
        log.error("Discord refuses the token; copy it again from the developer portal into DISCORD_TOKEN.")
        return 1
    except (aiohttp.ClientConnectionError, discord.DiscordServerError) as error:
        log.error("Discord can't be reached (%s); is this machine online? Start again when it is.", error)
        return 1
    return 0


async def _serve(settings: Settings) -> None:
    sys.setswitchinterval(0.001)  # a thread that draws gives way to the event loop sooner
    client = Harbormaster(settings.database)
    myself = asyncio.current_task()
    assert myself is not None
    with contextlib.suppress(NotImplementedError):  # Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, myself.cancel)
    with contextlib.suppress(asyncio.CancelledError):  # SIGTERM, Ctrl-C
        async with client:  # at whose end it is closed whole, file and all
            await client.start(settings.require_token())
