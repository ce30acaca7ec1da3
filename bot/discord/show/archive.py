"""Archived games: the panel loses its buttons, and a message stays with which any player can resume the game."""

from __future__ import annotations

from functools import partial

from discord import ui

from bot.discord.show import panel
from bot.discord.show.display import Display
from bot.discord.show.messages import plain
from bot.discord.show.wanted import Content, GameMessage, Say, always
from bot.projections import Kind, Name, Projections, of_kind
from bot.screens.motions import resume_button
from bot.screens.steps.step import catch_up
from bot.screens.viewer import Viewer
from bot.table.table import Table
from bot.words.language import _

NAME = Name(Kind.TURN, "archived")


def wanted(display: Display, public: Viewer, projections: Projections) -> list[GameMessage]:
    """The message with the button to resume the game, and the panel without its buttons."""
    olds = [one.name for one in of_kind(projections, Kind.TURN) if one.name != NAME]
    put_away = [GameMessage(name=what, draw=partial(_put_away, display, public), final=True) for what in olds]
    return [*put_away, GameMessage(name=NAME, draw=always(Content(_archived(public.table))), once=True)]


async def _put_away(display: Display, public: Viewer) -> Say:
    picture = await display.pictures.board(public)
    return lambda named: Content(panel.layout(public, picture, live=False), parts=[picture])


def last(table: Table) -> GameMessage:
    """The message of a game that was resumed: without its button."""
    return GameMessage(name=NAME, draw=always(Content(_archived(table, live=False))), final=True)


def _archived(table: Table, *, live: bool = True) -> ui.LayoutView:
    """The message of an archived game."""
    title = _("Game {number} · archived", number=table.number)
    lines = [f"### {title}", _("No moves for 30 days: the game is archived and the channel is free.")]
    if not live:
        return plain("\n".join(lines))
    lines.append(_("Any player can resume it, here or with `/game resume`."))
    return plain("\n".join(lines), [[resume_button(), catch_up()]], table.number)


async def thaw(display: Display, table: Table, projections: Projections) -> None:
    """Put the button back on the message. A restored backup can be older than a resumption that took the button off."""
    projection = projections.get(NAME)
    if projection is not None and (place := projection.posted) is not None:
        await display.edit(place.channel, place.message, Content(_archived(table)))
