"""The lobby's message, and before it the commitment that is never edited."""

from __future__ import annotations

from typing import Any

import discord
from discord import ui

from bot.frontends.discord.publish import channels
from bot.frontends.discord.publish.display import Display
from bot.frontends.discord.publish.messages import ACCENT, plain, row_of
from bot.models import CANCELLED, CLOSING, COMMITMENT, LOBBY, PANEL, TURN, Projection, Projections, Table
from bot.presentation import lobby
from bot.presentation.texts.language import _
from bot.presentation.texts.lobby import commitment_text
from engine.errors import RefereeError

NAME = f"{TURN}lobby"


def layout(table: Table) -> ui.LayoutView:
    """The lobby's message; without buttons once the table is closed."""
    view = ui.LayoutView(timeout=None)
    box: ui.Container[Any] = ui.Container(accent_colour=ACCENT)
    head = "" if table.status == LOBBY else f"**{_closed(table)}**\n"
    box.add_item(ui.TextDisplay(head + lobby.text(table)))
    if table.status == LOBBY:
        for row in lobby.controls():
            box.add_item(row_of(row, table.number, ""))
    view.add_item(box)
    return view


def _closed(table: Table) -> str:
    if table.status != CANCELLED:
        return _("This table is closed; the game is on.")
    if table.ended_by is not None:
        return _("This table was cancelled by {user}, who manages this channel.", user=f"<@{table.ended_by}>")
    if table.warned is not None and table.warned >= table.updated:
        return _("This table was closed, since nobody had touched it for three days.")
    return _("This table was cancelled.")


async def show(display: Display, table: Table, known: Projections) -> None:
    """Post or edit the lobby's message, the commitment first."""
    client, projections = display.client, display.services.projections
    present = known.get(NAME)
    if table.status == LOBBY:
        channels.check(client, table.guild, table.channel)
        committed = known.get(COMMITMENT)
        if committed is None or committed.message is None:
            sent = await _say(client, table, commitment_text(table.commitment, str(table.number)), COMMITMENT)
            await projections.shown(table.number, COMMITMENT, table.version, channel=table.channel, message=sent.id)
    elif present is None or present.message is None:
        await projections.shown(table.number, PANEL, table.version)
        return
    message = present.message if present is not None else None
    if message is not None and not await display.edit(table.channel, message, layout(table)):
        message = None
    if message is None:
        since = present.shown if present is not None else 0
        if present is None:  # without a message: it may have been posted, should the bot die in this moment
            await projections.shown(table.number, NAME, since)
        where = channels.place(client, table.channel)
        message = (await channels.post(where, table, NAME, since, view=layout(table))).id
    display.posted(table.number, message)
    for name in (NAME, PANEL):
        await projections.shown(table.number, name, table.version, channel=table.channel, message=message)


async def freeze(display: Display, table: Table, old: Projection) -> None:
    """Take the buttons off the lobby's message."""
    if old.message is not None:
        await display.edit(old.channel or table.channel, old.message, layout(table))


async def close(display: Display, table: Table, user: int) -> int:
    """Post the message that closes the table; its id. The same table is closed by the same message, whoever tries
    again, so that its id can't be chosen by trying."""
    projections = display.services.projections
    known = await projections.visible(table.number)
    committed, closing = known.get(COMMITMENT), known.get(CLOSING)
    if committed is None or committed.message is None:
        raise RefereeError("no-commitment")
    if closing is not None and closing.message is not None:
        if closing.shown == table.version:
            return closing.message
        await reopen(display, table, closing.message)
    text = _(
        "🔒 Table {number} is closed by {user}. The number of this message is the last thing that is mixed into the "
        "chance of the game; now the board is dealt.",
        number=table.number,
        user=f"<@{user}>",
    )
    sent = await _say(display.client, table, text, CLOSING, table.version)
    await projections.shown(table.number, CLOSING, table.version, channel=table.channel, message=sent.id)
    return sent.id


async def reopen(display: Display, table: Table, closing: int) -> None:
    """Take back the message that closed the table."""
    await channels.delete(display.client, table.channel, closing)
    await display.services.projections.gone(table.number, CLOSING)


async def _say(client: discord.Client, table: Table, what: str, name: str, since: int = 0) -> discord.Message:
    return await channels.post(channels.place(client, table.channel), table, name, since, view=plain(what))
