"""Sending direct messages: only to who has asked for them, in a channel that is opened once."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

import discord

from bot.discord.show import channels
from bot.discord.show.display import Display
from bot.discord.show.messages import plain
from bot.discord.show.wanted import Content
from bot.service.directs import STOPPED
from bot.table.preferences import DM, UserSettings
from bot.table.table import Table
from bot.words.language import _

T = TypeVar("T")

TOO_MANY = (20026, 40003)
"""Codes of direct messages that Discord refuses since the bot has opened too many, or too fast."""
REFUSED = (*channels.CLOSED, *TOO_MANY)


def wanted(settings: UserSettings) -> bool:
    """Whether somebody has asked for direct messages, and takes them as far as is known."""
    return (settings.dms or settings.choices.reminders == DM) and not settings.dms_closed


def calls(table: Table, settings: UserSettings) -> bool:
    """Whether a direct message calls somebody to a game, in place of a ping."""
    return settings.called_by_dm and not table.options.rooms


async def post(
    display: Display,
    user: int,
    table: Table,
    name: str,
    since: int,
    said: Content,
) -> tuple[int, int]:
    """Send somebody a message about a game, once; its channel and id. Raises what Discord says, `REFUSED` among it."""
    channel = await _opened(display, user)
    sent = await _heeded(display, channels.post(display.client, channel, table, name, since, said, loud=True))
    display.uploads.note(sent, said.parts)
    return channel, sent.id


async def greet(display: Display, user: int) -> None:
    """Write to somebody who has just asked for it. Raises as `post`."""
    channel = await _opened(display, user)
    text = _("Your hands and reminders come here, for all your games. You can turn this off in `/settings`.")
    where, nonce = channels.place(display.client, channel), f"hello-{user}"[:25]  # who presses twice reads it once
    await _heeded(display, where.send(view=plain(text), nonce=nonce, allowed_mentions=channels.SILENT))


async def wait(display: Display, settings: UserSettings) -> float:
    """In how many seconds somebody can be written to: to open direct messages they wait for their turn."""
    if settings.choices.direct:
        return 0.0
    return STOPPED if settings.stopped else await display.services.directs.wait(settings.user)


async def _opened(display: Display, user: int) -> int:
    """The channel of somebody's direct messages."""
    services = display.services
    settings = await services.people.settings(user)
    if settings.choices.direct:
        return settings.choices.direct
    channel = await _heeded(display, display.client.create_dm(discord.Object(user)))
    services.directs.opened(user)
    await services.people.change_settings(user, choices={"direct": channel.id})
    return channel.id


async def _heeded(display: Display, request: Awaitable[T]) -> T:
    """What comes of a request; where Discord has had too many of its kind, no more are made for hours."""
    try:
        return await request
    except discord.HTTPException as error:
        if error.code in TOO_MANY:
            await display.services.directs.stop()
        raise
