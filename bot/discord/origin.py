"""Where Discord is reached: at its own address, or at the server that the settings name."""

from __future__ import annotations

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.settings import Settings


def aim(settings: Settings) -> None:
    """Have discord.py use the addresses in the settings from now on."""
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # voice isn't needed
    if settings.proxy:  # such proxies take the path that Discord would get
        Route.BASE = settings.proxy + yarl.URL(Route.BASE).path
    elif settings.rest_base:
        Route.BASE = settings.rest_base
    if settings.gateway:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway)


def unreachable(settings: Settings, reason: object) -> str:
    """What the host is told if nothing answers there."""
    for setting, address in (("HARBORMASTER_PROXY", settings.proxy), ("HARBORMASTER_REST_BASE", settings.rest_base)):
        if address:
            return f"Discord can't be reached through {address}, which {setting} names ({reason}); does it run?"
    return f"Discord can't be reached ({reason}); is this machine online? Start again when it is."
