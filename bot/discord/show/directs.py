"""Direct messages: only to people who asked for them, each in a channel that is opened once."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

import discord

from bot.discord.show import channels
from bot.discord.show.display import Display
from bot.discord.show.messages import plain
from bot.discord.show.wanted import Content
from bot.projections import Place
from bot.service.people import LONGEST_QUEUE, OPENINGS_APART, STOPPED_FOR
from bot.table.preferences import DM, UserSettings
from bot.table.table import Table
from bot.words.language import _

T = TypeVar("T")

TOO_MANY = (20026, 40003)
"""Codes with which Discord refuses direct messages because Harbormaster has opened too many, or too fast."""
FULL = LONGEST_QUEUE + OPENINGS_APART
"""Seconds after which someone is looked at again for whom there was no turn to be written to."""
REFUSED = (*channels.CLOSED, *TOO_MANY)


def wants_dms(settings: UserSettings) -> bool:
    """Whether a person has asked for direct messages and, as far as is known, takes them."""
    return (settings.dms or settings.choices.reminders == DM) and not settings.dms_closed


def calls(table: Table, settings: UserSettings) -> bool:
    """Whether a direct message calls a person to a game, instead of a ping."""
    return settings.called_by_dm and not table.options.rooms


async def post(
    display: Display,
    user: int,
    table: Table,
    name: str,
    since: int,
    content: Content,
) -> Place:
    """Send a person a message about a game, once. Returns where it is.

    Raises Discord's errors, with codes of `REFUSED` among them.
    """
    channel = await _opened(display, user)
    return Place(channel, await _watched(display, display.post(channel, table, name, since, content, loud=True)))


async def greet(display: Display, user: int) -> None:
    """Write to a person who has just asked for direct messages. Raises as `post`."""
    channel = await _opened(display, user)
    text = _("Your hands and reminders come here, for all your games. You can turn this off in `/settings`.")
    where, nonce = channels.place(display.client, channel), f"hello-{user}"[:25]  # pressing twice sends it once
    await _watched(display, where.send(view=plain(text), nonce=nonce, allowed_mentions=channels.SILENT))


async def wait(display: Display, settings: UserSettings) -> float:
    """Seconds until a person can be written to: a channel that isn't open yet waits for its turn. `FULL`: there is no
    turn left, and they can ask for one then."""
    if settings.choices.direct:
        return 0.0
    if settings.stopped:
        return STOPPED_FOR
    wait = await display.services.directs.wait(settings.user)
    return FULL if wait is None else wait


async def _opened(display: Display, user: int) -> int:
    """The channel of a person's direct messages, which is opened if necessary."""
    services = display.services
    settings = await services.people.settings(user)
    if settings.choices.direct:
        return settings.choices.direct
    channel = await _watched(display, display.client.create_dm(discord.Object(user)))
    services.directs.opened(user)
    await services.people.change_settings(user, choices={"direct": channel.id})
    return channel.id


async def _watched(display: Display, request: Awaitable[T]) -> T:
    """The result of a request. If Discord refuses it as one too many, no more are made for hours."""
    try:
        return await request
    except discord.HTTPException as error:
        if error.code in TOO_MANY:
            await display.services.directs.stop()
        raise
