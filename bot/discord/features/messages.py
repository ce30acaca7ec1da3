"""Direct messages: asking whether a person wants them, switching them on and off, and telling the result privately."""

from __future__ import annotations

from bot.discord.talk.call import Call
from bot.screens import people as texts
from bot.screens.controls import Reply


async def with_dm_question(call: Call, reply: Reply) -> Reply:
    """The reply, with the question whether the person wants their hand by direct message. Not asked if they have
    answered it before, or if the table has private threads for hands."""
    settings = await call.app.services.people.settings(call.user.id)
    table = await call.app.services.repository.table(call.address.game)
    if call.app.messages and settings.choices.messages is None and not table.options.rooms:
        reply.rows = [*texts.dm_question(), *reply.rows]
    return reply


async def switch(call: Call, on: bool) -> str:
    """Switch the hand by direct message on or off, in all games. Returns what to tell the person."""
    await call.app.services.people.change_settings(call.user.id, dms=on)
    return await call.app.greetings.write_to(call.user.id) if on else texts.dms_off()
