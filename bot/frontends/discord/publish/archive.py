"""Archived games: the panel is put away, and a message stays from which any player can take the game up again."""

from __future__ import annotations

from discord import ui

from bot.frontends.discord.publish import channels, panel
from bot.frontends.discord.publish.display import Display
from bot.frontends.discord.publish.messages import plain
from bot.presentation.agreement import take_up_button
from bot.presentation.steps.step import catch_up
from bot.presentation.texts.language import _
from bot.presentation.viewer import Viewer, named
from bot.projections import PANEL, TURN, Projection, Projections
from bot.table.table import Table

NAME = f"{TURN}archived"


async def show(display: Display, public: Viewer, known: Projections) -> None:
    """Take the buttons off the panel, and post the message from which the game can be taken up again."""
    table, projections = public.table, display.services.projections
    for old in known.values():
        if old.what.startswith(TURN) and old.what != NAME:
            if old.message is not None:
                picture = await display.pictures.board(public)
                layout = panel.layout(public, picture, live=False)
                where = old.channel or table.channel
                await display.edit(where, old.message, layout, picture, closing=True)
            display.forget(table.number, old.what)
            await projections.gone(table.number, old.what)
    present = known.get(NAME)
    if present is None or present.message is None:
        since = table.version if present is None else present.shown
        if present is None:
            await projections.shown(table.number, NAME, since)
        message = (await channels.post(display.client, table.channel, table, NAME, since, view=_archived(table))).id
    else:
        message = present.message
    for name in (NAME, PANEL):
        await projections.shown(table.number, name, table.version, channel=table.channel, message=message)


def _archived(table: Table, *, live: bool = True) -> ui.LayoutView:
    """The message of an archived game."""
    title = _("Game {number} · archived", number=table.number)
    lines = [f"### {title}", _("Nobody has moved for 30 days, so this channel is free for others.")]
    if not live:
        return plain("\n".join(lines))
    who = ", ".join(named(table, user) for user in table.people)
    lines.append(_("Nothing is lost: {users} can each take the game up again, here or with `/game resume`.", users=who))
    return plain("\n".join(lines), [[take_up_button(), catch_up()]], table.number)


async def thaw(display: Display, table: Table, known: Projections) -> None:
    """Put the button back on the message: after a backup was put back it may be of a game that was taken up since."""
    present = known.get(NAME)
    if present is not None and present.message is not None:
        await display.edit(present.channel or table.channel, present.message, _archived(table))


async def freeze(display: Display, table: Table, old: Projection) -> None:
    """Take the button off the message of a game that has been taken up again."""
    if old.message is not None:
        await display.edit(old.channel or table.channel, old.message, _archived(table, live=False))
