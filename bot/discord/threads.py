"""Threads made for a table that might never have been opened: the process died, or the store was out of reach."""

from __future__ import annotations

import asyncio
from typing import Any

import discord

from bot.discord.context import AppContext
from bot.discord.show import channels
from bot.store import Unavailable

LATER = 60.0
"""Seconds after which either a table has been opened in the thread that was made for it, or none will be."""


def drop_later(app: AppContext, thread: int) -> None:
    """Remove a thread that was made for a table, if a minute later none has been opened and no one has written in it.
    Right now, a table might be about to be opened, or the store can't say. Nothing is opened anymore in a thread that
    an earlier process made, if there is only one at a time: it is removed at once."""

    def begin() -> None:
        if not app.in_flight.closing:  # else the next start looks for it
            app.in_flight.start(_drop_if_empty(app, thread))

    abandoned = not app.services.ownership.shared and discord.utils.snowflake_time(thread).timestamp() < app.began
    asyncio.get_running_loop().call_later(0.0 if abandoned else LATER, begin)


async def _drop_if_empty(app: AppContext, thread: int) -> None:
    try:
        if await app.services.repository.latest(thread) is None and await _is_empty(app, thread):
            await channels.drop(app.client, thread)
    except Unavailable:
        drop_later(app, thread)


async def _is_empty(app: AppContext, thread: int) -> bool:
    """Whether no one has written in a thread, as far as Discord says."""
    try:
        channel: Any = await app.client.http.get_channel(thread)
    except channels.FAILED:
        return False
    return not channel.get("message_count", 1)
