"""The lobby's message, and behind it the commitment that is never edited."""

from __future__ import annotations

from typing import Any

import discord
from discord import ui

from bot.frontends.discord.publish import channels
from bot.frontends.discord.publish.display import Display
from bot.frontends.discord.publish.messages import ACCENT, gallery_of, plain, row_of
from bot.frontends.discord.publish.pings import PING
from bot.presentation import lobby
from bot.presentation.controls import Picture
from bot.presentation.texts.language import _
from bot.presentation.texts.lobby import commitment_text, lesson_commitment
from bot.presentation.viewer import mention, named
from bot.projections import CLOSING, COMMITMENT, PANEL, TURN, Projection, Projections
from bot.table.table import CANCELLED, LOBBY, Table
from engine.errors import RefereeError

NAME = f"{TURN}lobby"
INVITE = f"{PING}invite"
"""The ping of those who are asked to join."""


def layout(table: Table, *pictures: Picture, computers: bool = True) -> ui.LayoutView:
    """The lobby's message; without buttons once the table is closed. `pictures`: an example of the board; `computers`:
    whether those may play on this server."""
    view = ui.LayoutView(timeout=None)
    box: ui.Container[Any] = ui.Container(accent_colour=ACCENT)
    quiet = table.status == LOBBY or (table.choices.lesson and table.status != CANCELLED)
    head = "" if quiet else f"**{_closed(table)}**\n"
    box.add_item(ui.TextDisplay(head + lobby.text(table)))
    for picture in pictures:
        box.add_item(gallery_of(picture))
    if table.status == LOBBY:
        for row in lobby.controls(computers):
            box.add_item(row_of(row, table.number, ""))
    view.add_item(box)
    return view


def _closed(table: Table) -> str:
    if table.status != CANCELLED:
        return _("This table is closed; the game is on.")
    if table.ended_by is not None:
        return _("This table was cancelled by {user}, who manages this channel.", user=named(table, table.ended_by))
    if table.warned is not None and table.warned >= table.updated:
        return _("This table was closed, since nobody had touched it for three days.")
    return _("This table was cancelled.")


async def show(display: Display, table: Table, known: Projections) -> None:
    """Post or edit the lobby's message, and behind it what is said once."""
    client, projections = display.client, display.services.projections
    present = known.get(NAME)
    if table.status != LOBBY and (present is None or present.message is None):
        await projections.shown(table.number, PANEL, table.version)
        return
    message = present.message if present is not None else None
    example = await display.pictures.sample(table.config) if table.status == LOBBY else None
    pictures = [] if example is None else [example]
    computers = await display.services.servers.computers(table.guild)

    def view() -> ui.LayoutView:
        return layout(table, *pictures, computers=computers)

    if message is not None and not await display.edit(table.channel, message, view(), *pictures):
        message = None
    if message is None:
        since = present.shown if present is not None else 0
        if present is None:  # without a message: it may have been posted, should the bot die in this moment
            await projections.shown(table.number, NAME, since)
        sent = await channels.post(client, table.channel, table, NAME, since, view=view(), parts=pictures)
        display.uploads.note(sent, pictures)
        message = sent.id
    display.posted(table.number, message)
    await projections.shown(table.number, NAME, table.version, channel=table.channel, message=message)
    await _commit(display, table, known)
    await _invite(display, table, known)
    await projections.shown(table.number, PANEL, table.version, channel=table.channel, message=message)


async def _commit(display: Display, table: Table, known: Projections) -> None:
    """Promise the seed, before anybody can start."""
    committed = known.get(COMMITMENT)
    if table.status == LOBBY and (committed is None or committed.message is None):
        if table.choices.lesson:
            text = lesson_commitment(table.commitment)
        else:
            text = commitment_text(table.commitment, str(table.number))
        sent = await _say(display.client, table, text, COMMITMENT)
        await display.services.projections.shown(
            table.number, COMMITMENT, table.version, channel=table.channel, message=sent.id
        )


async def _invite(display: Display, table: Table, known: Projections) -> None:
    """Ping those who are asked to join, and take the message away when nobody is left."""
    waiting = [user for user in table.choices.invited if table.player(user) is None and table.status == LOBBY]
    sent, projections = known.get(INVITE), display.services.projections
    if sent is not None and sent.message is not None:
        if not waiting:
            await channels.delete(display.client, sent.channel or table.channel, sent.message)
            await projections.gone(table.number, INVITE)
    elif waiting:
        asked, text = display.unasked(table.channel, INVITE, waiting), _("A rematch: press **Join** if you play.")
        text = " · ".join(filter(None, (" ".join(map(mention, asked)), text)))
        message = (await channels.post(display.client, table.channel, table, INVITE, text=text, pings=asked)).id
        display.asked(table.channel, INVITE, asked)
        await projections.shown(table.number, INVITE, table.version, channel=table.channel, message=message)


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
    if table.choices.lesson:
        text = "-# " + _("🔒 The table is closed: this message's ID completes the dice.")
    else:
        text = _(
            "🔒 {user} has closed table {number}. This message's ID completes the random seed; now the board is dealt.",
            number=table.number,
            user=named(table, user),
        )
    sent = await _say(display.client, table, text, CLOSING, table.version)
    await projections.shown(table.number, CLOSING, table.version, channel=table.channel, message=sent.id)
    return sent.id


async def reopen(display: Display, table: Table, closing: int) -> None:
    """Take back the message that closed the table."""
    await channels.delete(display.client, table.channel, closing)
    await display.services.projections.gone(table.number, CLOSING)


async def _say(client: discord.Client, table: Table, what: str, name: str, since: int = 0) -> discord.Message:
    return await channels.post(client, table.channel, table, name, since, view=plain(what))
