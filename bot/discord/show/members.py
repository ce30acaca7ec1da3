"""Who is still on a server: Discord is asked where it matters, since for most hosts it doesn't report who leaves."""

from __future__ import annotations

from collections.abc import Iterable

import discord

from bot.discord.show import channels
from bot.discord.show.display import Display
from bot.screens.viewer import Viewer

UNKNOWN = (10007, 10013)
"""Codes of a user who isn't a member of a server, or doesn't exist."""


async def has_left(client: discord.Client, guild: int, user: int) -> bool:
    """Whether a user is certainly not on a server."""
    try:
        await client.http.get_member(guild, user)
    except discord.NotFound as error:
        return error.code in UNKNOWN
    except channels.FAILED:
        return False
    return False


async def look_for(display: Display, public: Viewer, users: Iterable[int]) -> None:
    """Note which of the users just reminded are no longer on the game's server: the other players are then asked."""
    table = public.table
    if table.guild is None:
        return
    for user in users:
        if user not in table.gone and await has_left(display.client, table.guild, user):
            await display.services.absence.left_server(table.number, user)
