"""A channel in which the bot can't work: somebody at the table is told what, once, and what they can do about it."""

from __future__ import annotations

import discord

from bot.frontends.discord.publish import channels
from bot.frontends.discord.publish.channels import Blocked
from bot.frontends.discord.publish.display import Display
from bot.frontends.discord.publish.messages import plain
from bot.models import LOBBY, Projections, Table
from bot.presentation.texts.language import _
from bot.presentation.texts.refusals import sentence

TROUBLE = "trouble"
"""Name of the message that tells of it."""


def is_trouble(error: Exception) -> bool:
    """Whether it is the channel that keeps a game from being shown, and waiting doesn't help."""
    if isinstance(error, Blocked):
        return True
    codes = (channels.NO_CHANNEL, channels.NO_ACCESS, channels.LOCKED)
    return isinstance(error, discord.HTTPException) and error.code in codes


async def tell(display: Display, table: Table, error: Exception) -> None:
    """Tell the host by direct message, or else the next one at the table who takes any."""
    projections = display.services.projections
    if TROUBLE in await projections.visible(table.number):
        return
    await projections.shown(table.number, TROUBLE, table.version)  # once, also should the bot die in this moment
    for user in dict.fromkeys((table.host, *table.people)):
        try:
            channel = await display.client.create_dm(discord.Object(user))
            sent = await channels.post(
                channel, table, f"{TROUBLE}:{user}", table.version, view=plain(_text(table, error))
            )
        except discord.HTTPException as refused:
            if refused.code not in channels.CLOSED:
                raise
        else:
            await projections.shown(table.number, TROUBLE, table.version, channel=channel.id, message=sent.id)
            return


def _text(table: Table, error: Exception) -> str:
    title = _("Game {number} can't go on in {channel}", number=table.number, channel=f"<#{table.channel}>")
    if isinstance(error, Blocked):
        reason = sentence(error)
    elif isinstance(error, discord.HTTPException) and error.code == channels.NO_CHANNEL:
        reason = _("Its channel is no more.")
    elif isinstance(error, discord.HTTPException) and error.code == channels.LOCKED:
        reason = _("Its thread is archived and locked; somebody who manages threads can open it again.")
    else:
        reason = _("I can't see its channel any more.")
    lines = [f"### {title}", reason]
    if table.status != LOBBY:
        way = _("Nothing is lost: `/game move game:{number}` in another channel takes it there.", number=table.number)
        lines.append(way)
    return "\n".join(lines)


async def over(display: Display, table: Table, known: Projections) -> None:
    """The game can be shown again: the next trouble is to be told again."""
    told = known.get(TROUBLE)
    if told is None:
        return
    if told.message is not None and told.channel is not None:
        await channels.delete(display.client, told.channel, told.message)
    await display.services.projections.gone(table.number, TROUBLE)
