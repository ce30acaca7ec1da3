"""The channels and threads of games, when a shard is connected: what has happened to them meanwhile."""

from __future__ import annotations

import asyncio
import contextlib

import discord

from bot.frontends.discord.context import AppContext
from bot.frontends.discord.publish import channels
from bot.frontends.discord.sharding import ShardedClient
from bot.store import Unavailable

LATER = 60.0
"""Seconds after which a table has been opened in the thread that was made for it, or none will be."""


async def look(client: ShardedClient, app: AppContext, shard: int) -> None:
    """Look at the games of a shard's servers: a thread was archived, a channel was deleted, or the bot died between
    making a thread and opening its table."""
    guilds = [guild for guild in client.guilds if guild.shard_id == shard and not guild.unavailable]
    with contextlib.suppress(Unavailable):
        await _look_at_games(client, app, {guild.id: guild for guild in guilds})
    for guild in guilds:
        for thread in guild.threads:
            if client.user is not None and thread.owner_id == client.user.id and not thread.message_count:
                drop_later(app, thread)


async def _look_at_games(client: ShardedClient, app: AppContext, guilds: dict[int, discord.Guild]) -> None:
    for number, guild, channel in await app.services.repository.places():
        if (server := guilds.get(guild or 0)) is None:
            continue
        found = server.get_channel_or_thread(channel)
        if found is None or (isinstance(found, discord.Thread) and found.archived):
            with contextlib.suppress(Unavailable, *channels.FAILED):
                if not await channels.awaken(client, channel):
                    await app.publisher.again(number)


def drop_later(app: AppContext, thread: discord.Thread) -> None:
    """Put a thread away that was made for a table, if a minute later none has been opened in it: just now one may be
    about to be, or nobody can say."""

    def begin() -> None:
        if not app.in_flight.closing:  # else the next start looks
            app.in_flight.start(_drop_if_empty(app, thread))

    asyncio.get_running_loop().call_later(LATER, begin)


async def _drop_if_empty(app: AppContext, thread: discord.Thread) -> None:
    try:
        if await app.services.repository.latest(thread.id) is None and await _is_empty(thread):
            await channels.drop(thread)
    except Unavailable:
        drop_later(app, thread)


async def _is_empty(thread: discord.Thread) -> bool:
    """Whether nobody has written in it meanwhile, as far as Discord says."""
    try:
        found = await thread.guild.fetch_channel(thread.id)
    except (discord.InvalidData, *channels.FAILED):
        return False
    return isinstance(found, discord.Thread) and not found.message_count
