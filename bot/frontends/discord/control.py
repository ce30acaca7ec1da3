"""What whoever manages a channel may do about the table in it: cancel a lobby, call a game off."""

from __future__ import annotations

import discord
from discord import ui

from bot.frontends.discord.call import Call
from bot.frontends.discord.ids import Address
from bot.frontends.discord.parts import Reply, Style, button, rows
from bot.models import ARCHIVED, LOBBY, RUNNING, Table
from engine.errors import RefereeError


def may_manage(call: Call) -> bool:
    """Whether the person may manage the channel, or thread, where the interaction happened."""
    allowed = call.interaction.permissions
    thread = isinstance(call.interaction.channel, discord.Thread)
    return allowed.administrator or allowed.manage_channels or (thread and allowed.manage_threads)


def check(call: Call, table: Table) -> None:
    """Refuse those who don't manage the channel of the table. Code: "not-manager"."""
    if call.interaction.channel_id != table.channel or not may_manage(call):
        raise RefereeError(
            "not-manager", "Only somebody who may manage this channel can do that: the permission is *Manage Channels*."
        )


def question(table: Table) -> Reply:
    """Ask once more, saying what it means."""
    number = table.number
    if table.status == LOBBY:
        text = (
            f"**Cancel table {number} of <@{table.host}>?** It closes for everybody, and all are told that you did it."
        )
        controls = [button(f"Cancel table {number}", Address("close_lobby", number), Style.danger, "✖️")]
    else:
        text = (
            f"**Call game {number} off?** It ends at once for everybody: nobody wins, nothing counts, and all hands "
            "are shown. All are told that you did it, and it can't be taken back."
        )
        controls = [button(f"Call game {number} off", Address("call_off", number), Style.danger, "🛑")]
    return Reply(text, rows=rows(controls))


def way(table: Table) -> list[ui.ActionRow]:
    """The button that leads to the question, for somebody who manages the channel and plays as well."""
    return rows([button("Call the game off", Address("ask_call_off", table.number), Style.danger, "🛑")])


async def ask(call: Call) -> Reply:
    """The button that leads to the question."""
    table = await call.app.services.repository.table(call.address.game)
    check(call, table)
    if table.status not in (LOBBY, RUNNING, ARCHIVED):
        raise RefereeError("over", "This game is over.")
    return question(table)


async def close_lobby(call: Call) -> Reply:
    """The question was answered: cancel the lobby."""
    services = call.app.services
    check(call, await services.repository.table(call.address.game))
    table = await services.lobby.close(call.address.game, call.user.id, call.key)
    call.app.screens.refresh(table.number)
    return Reply(f"Table {table.number} is cancelled.")


async def call_off(call: Call) -> Reply:
    """The question was answered: end the game without a winner."""
    services = call.app.services
    check(call, await services.repository.table(call.address.game))
    table = await services.games.call_off(call.address.game, call.user.id, call.key)
    call.app.note(table.number, await services.repository.game(table.number))
    call.app.screens.refresh(table.number)
    return Reply(f"Game {table.number} is called off.")
