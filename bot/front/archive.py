"""Archived games: the panel is put away, and a message stays from which any player can take the game up again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from discord import ui

from bot.front import channels, panel
from bot.front.call import Call
from bot.front.ids import Address
from bot.front.parts import Reply, Style, button
from bot.front.sight import Sight
from bot.tables import PANEL, Projection, Table

if TYPE_CHECKING:
    from bot.front.front import Front

ARCHIVE = "turn:archived"


async def show(front: Front, public: Sight, marks: Mapping[str, Projection]) -> None:
    """Take the buttons off the panel, and post the message from which the game can be taken up again."""
    table = public.table
    for mark in marks.values():
        if mark.what.startswith("turn:") and mark.what != ARCHIVE:
            if mark.message is not None:
                picture = await front.pictures.board(public)
                layout = panel.layout(public, picture, live=False)
                where = mark.channel or table.channel
                await channels.edit(front.client, where, mark.message, layout, [picture.file()])
            front.screens.seen.pop((table.number, mark.what), None)
            await front.service.gone(table.number, mark.what)
    known = marks.get(ARCHIVE)
    if known is None or known.message is None:
        channels.check(front.client, table.guild, table.channel)
        since = table.version if known is None else known.shown
        if known is None:
            await front.service.shown(table.number, ARCHIVE, since)
        sent = await channels.messages(front.client, table.channel).send(
            view=archived(table), nonce=channels.nonce(table, ARCHIVE, since), allowed_mentions=channels.SILENT
        )
        message: int | None = sent.id
    else:
        message = known.message
    for name in (ARCHIVE, PANEL):
        await front.service.shown(table.number, name, table.version, channel=table.channel, message=message)


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


async def freeze(front: Front, table: Table, mark: Projection) -> None:
    """Take the button off the message of a game that has been taken up again."""
    if mark.message is not None:
        await channels.edit(front.client, mark.channel or table.channel, mark.message, archived(table, live=False))


async def resume(call: Call) -> Reply:
    """Take the game up again."""
    channels.check_interaction(call.interaction)
    table = await call.front.service.resume(call.address.game, call.user.id, call.key)
    call.front.screens.refresh(table.number)
    return Reply(f"Game {table.number} goes on.")
