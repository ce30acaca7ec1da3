"""Archived games: the panel is put away, and a message stays from which any player can take the game up again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from discord import ui

from bot.frontends.discord import channels, panel
from bot.frontends.discord.call import Call
from bot.frontends.discord.ids import Address
from bot.frontends.discord.parts import Reply, Style, button
from bot.models import PANEL, Projection, Table
from bot.presentation.viewer import Viewer

if TYPE_CHECKING:
    from bot.frontends.discord.context import AppContext

ARCHIVE = "turn:archived"


async def show(app: AppContext, public: Viewer, marks: Mapping[str, Projection]) -> None:
    """Take the buttons off the panel, and post the message from which the game can be taken up again."""
    table = public.table
    for mark in marks.values():
        if mark.what.startswith("turn:") and mark.what != ARCHIVE:
            if mark.message is not None:
                picture = await app.pictures.board(public)
                layout = panel.layout(public, picture, live=False)
                where = mark.channel or table.channel
                await channels.edit(app.client, where, mark.message, layout, [picture.file()])
            app.screens.seen.pop((table.number, mark.what), None)
            await app.services.marks.gone(table.number, mark.what)
    known = marks.get(ARCHIVE)
    if known is None or known.message is None:
        channels.check(app.client, table.guild, table.channel)
        since = table.version if known is None else known.shown
        if known is None:
            await app.services.marks.shown(table.number, ARCHIVE, since)
        place = channels.messages(app.client, table.channel)
        sent = await channels.post(place, table, ARCHIVE, since, view=archived(table))
        message: int | None = sent.id
    else:
        message = known.message
    for name in (ARCHIVE, PANEL):
        await app.services.marks.shown(table.number, name, table.version, channel=table.channel, message=message)


def archived(table: Table, *, live: bool = True) -> ui.LayoutView:
    """The message of an archived game."""
    view: ui.LayoutView = ui.LayoutView(timeout=None)
    who = ", ".join(f"<@{member.user}>" for member in table.members)
    lines = [f"### Game {table.number} · archived", "Nobody has moved for 30 days, so this channel is free for others."]
    if live:
        lines.append(f"Nothing is lost: {who} can each take the game up again, here or with `/game resume`.")
    view.add_item(ui.TextDisplay("\n".join(lines)))
    if live:
        again = button("Take it up again", Address("resume", table.number), Style.success, "▶️")
        view.add_item(ui.ActionRow(again))
    return view


async def freeze(app: AppContext, table: Table, mark: Projection) -> None:
    """Take the button off the message of a game that has been taken up again."""
    if mark.message is not None:
        await channels.edit(app.client, mark.channel or table.channel, mark.message, archived(table, live=False))


async def resume(call: Call) -> Reply:
    """Take the game up again."""
    channels.check_interaction(call.interaction)
    table = await call.app.services.games.resume(call.address.game, call.user.id, call.key)
    call.app.screens.refresh(table.number)
    return Reply(f"Game {table.number} goes on.")
