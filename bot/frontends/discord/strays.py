"""Public messages that are no longer kept up to date but still have buttons: they lose them when one is pressed.

There are such messages when Discord refused to let one be edited, when the bot was killed between posting and noting
it, or when the host has restored an older file.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator
from typing import Any

import discord
from discord import ui

from bot.frontends.discord import channels
from bot.frontends.discord.call import Call
from bot.frontends.discord.parts import MAX_TEXT, Reply, shorten

log = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds for finding out: the click must be acknowledged within three."""


async def is_stray(call: Call) -> bool:
    """Whether the message whose component was used is none that is kept up to date."""
    message, number, screens = call.interaction.message, call.address.game, call.app.screens
    if message is None or not call.on_public or not number:
        return False
    # While something is being shown, the message may be one that has just been posted.
    if screens.posted.get(number) == message.id or screens.working(number):
        return False
    try:
        async with asyncio.timeout(PATIENCE):
            marks = await call.app.services.marks.projections(number)
    except TimeoutError:
        return False
    return all(mark.message != message.id for mark in marks.values())


async def retire(call: Call) -> Reply:
    """Take the buttons off the message, which keeps its text, and say where the game goes on."""
    message = call.interaction.message
    assert message is not None
    view: ui.LayoutView = ui.LayoutView(timeout=None)
    text = "\n".join(_texts(message.components))
    view.add_item(ui.TextDisplay(shorten(text, MAX_TEXT - 10) or "…"))
    try:
        await call.interaction.edit_original_response(view=view, attachments=[], allowed_mentions=channels.SILENT)
    except channels.FAILED as error:
        log.info("an old message keeps its buttons: %s", error)
    return await call.with_panel("This message is from an earlier moment and no longer in use; nothing was done.")


def _texts(components: Iterable[Any]) -> Iterator[str]:
    for component in components:
        if isinstance(component, discord.TextDisplay):
            yield component.content
        yield from _texts(getattr(component, "children", ()))
