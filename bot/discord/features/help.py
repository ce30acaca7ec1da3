"""Help: what the person can do now, and what everything costs."""

from __future__ import annotations

from discord import app_commands

from bot.discord.ids import Address
from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, answer
from bot.discord.talk.feature import Feature, Verb
from bot.screens.controls import Button, Open, Reply, rows
from bot.screens.panel import headline
from bot.screens.seats import take_back_button
from bot.table.table import LOBBY, RUNNING, Table
from bot.words import help as texts
from bot.words.language import N_, _


@app_commands.command(name="help", description=N_("See what you can do now, and all costs"))
async def help_(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        table = await call.app.services.repository.in_channel(interaction.channel_id or 0)
        call.address = Address("", table.number if table is not None else 0)
        return await _here(call, table)

    await answer(interaction, run)


async def _help(call: Call) -> Reply:
    """Answer the help button."""
    return await _here(call, await call.app.services.repository.table(call.address.game))


async def _here(call: Call, table: Table | None) -> Reply:
    """The help in a few lines, a picture of the costs, and buttons that lead to the rest."""
    settings = Button(_("Settings"), Open("settings"), emoji="⚙️")
    if table is None or table.status not in (LOBBY, RUNNING):
        return Reply(texts.nothing())
    rules = Button(_("Rules"), Open("rules"), emoji="📖")
    if table.status == LOBBY:
        return Reply(texts.lobby(table.number, table.place_of(call.user.id) is not None), rows=rows([rules, settings]))
    viewer = await call.viewer()
    head = headline(viewer.view, viewer.marked, viewer.computers)
    if viewer.seat is None or viewer.has_left:
        text = texts.watching(head, left=viewer.has_left)
    elif viewer.is_replaced:
        text = texts.replaced(head)
    else:
        text = texts.playing(viewer.view, viewer.options, head)
    reply = await call.with_panel(text)
    reply.picture = await call.app.pictures.costs(table.config, await call.look())
    back = [take_back_button()] * (viewer.is_replaced and not viewer.has_left)
    reply.rows = [*reply.rows, *rows([*back, rules, settings])]
    return reply


FEATURE = Feature(commands=[help_], buttons={"help": Verb(_help)})
