"""Direct messages: asking whether a person wants them, switching them on and off, and telling the result privately."""

from __future__ import annotations

import asyncio
import logging
from math import ceil

import discord

from bot.discord.context import AppContext
from bot.discord.show import channels, directs
from bot.discord.show.recent import now
from bot.discord.talk.call import Call
from bot.screens import messages as texts
from bot.screens.controls import Reply

log = logging.getLogger(__name__)


async def with_dm_question(call: Call, reply: Reply) -> Reply:
    """The reply, with the question whether the person wants their hand by direct message. Not asked if they have
    answered it before, or if the table has private threads for hands."""
    settings = await call.app.services.people.settings(call.user.id)
    table = await call.app.services.repository.table(call.address.game)
    if call.app.messages and settings.choices.messages is None and not table.options.rooms:
        reply.rows = [*texts.consent(), *reply.rows]
    return reply


async def switch(call: Call, on: bool) -> str:
    """Switch the hand by direct message on or off, in all games. Returns what to tell the person."""
    await call.app.services.people.change_settings(call.user.id, dms=on)
    return await write_to(call) if on else texts.off()


async def write_to(call: Call) -> str:
    """Write to a person who asked for direct messages, to see whether Discord allows it: immediately, or later if
    others are first in the queue. Returns what to tell the person."""
    app, user = call.app, call.user.id
    settings = await app.services.people.settings(user)
    if settings.stopped and not settings.choices.direct:
        return texts.stopped()
    if (wait := await directs.wait(app.display, settings)) > 0:
        _greet_in(wait, app, user)
        return texts.soon(ceil(now() + wait))
    return await _greet(app, user)


def _greet_in(seconds: float, app: AppContext, user: int) -> None:
    def begin() -> None:
        if not app.in_flight.closing:  # otherwise their next hand comes anyway
            app.in_flight.start(_greet(app, user))

    asyncio.get_running_loop().call_later(seconds, begin)


async def _greet(app: AppContext, user: int) -> str:
    """Write to the person. Returns what to tell them about the result."""
    try:
        await directs.greet(app.display, user)
    except channels.FAILED as error:
        code = error.code if isinstance(error, discord.HTTPException) else 0
        if code in channels.CLOSED:
            await app.services.people.change_settings(user, dms_closed=True)
            return texts.closed()
        if code in directs.TOO_MANY:
            return texts.stopped()
        log.warning("Someone who asked for direct messages can't get one yet: %s", str(error) or type(error).__name__)
        return texts.later()
    await app.services.people.change_settings(user, dms_closed=False)
    return texts.sent()
