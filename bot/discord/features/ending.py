"""Ending a game early (resigning, voting, canceling, voiding), resuming it, and moving it to another channel."""

from __future__ import annotations

from math import ceil

import discord
from discord import app_commands

from bot.discord.context import SHOWN
from bot.discord.features import lobby, time_limits
from bot.discord.ids import Address
from bot.discord.show import permissions
from bot.discord.show.recent import now
from bot.discord.talk.call import Call
from bot.discord.talk.commands import GAME, Interaction, answer, as_button, table_here
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.discord.talk.which_game import PUT_AWAY, WHICH, Number, game_here, mine, numbers
from bot.projections import is_unseen
from bot.screens import motions
from bot.screens.controls import Reply, rows
from bot.table.acts.lobby import Close
from bot.table.acts.places import VoidGame
from bot.table.table import ARCHIVED, LOBBY, RUNNING, Table
from bot.words.language import N_, _
from engine.actions import AgreeToCallOff, AgreeToEnd, Resign
from engine.errors import RefereeError

ENDS = [
    app_commands.Choice(name=N_("Most points wins"), value="count"),
    app_commands.Choice(name=N_("No winner, nothing counts"), value="off"),
]


async def _agree(call: Call) -> Reply:
    """Ask before a player votes for an end, or takes the vote back."""
    viewer = await call.viewer()
    viewer.check_deciding()
    return motions.sure_to_agree(viewer, call.address.arg)


async def _resign(call: Call) -> Reply:
    """Ask before a player leaves for good."""
    (await call.viewer()).check_in_person()
    return motions.sure_to_resign()


async def _resume(call: Call) -> Reply:
    """Resume an archived game."""
    number, services, client = call.address.game, call.app.services, call.app.display.client
    table = await services.repository.table(number)
    if table.channel == call.interaction.channel_id:
        permissions.check_interaction(call.interaction)
    elif await permissions.is_closed(client, table.guild, table.channel):
        raise RefereeError("no-channel/gone", number=number)
    await services.places.resume(number, call.user.id, call.key)
    return Reply(_("Game {number} resumed.", number=table.number))


@GAME.command(name="resign", description=N_("Give up and leave the game for good"))
async def resign(interaction: Interaction) -> None:
    await as_button(interaction, _resign)


@GAME.command(name="resume", description=N_("Resume a paused or archived game"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=numbers(PUT_AWAY))
async def resume(interaction: Interaction, game: Number | None = None) -> None:
    async def run(call: Call) -> Reply:
        table = await call.app.services.repository.in_channel(call.interaction.channel_id or 0)
        if game is None and table is not None and table.status == RUNNING:
            call.address = Address("", table.number)
            return await time_limits.resume(call)
        await game_here(call, game, PUT_AWAY)
        return await _resume(call)

    await answer(interaction, run)


@GAME.command(name="move", description=N_("Move one of your games to this channel"))
@app_commands.describe(game=N_("Game number"))
@app_commands.autocomplete(game=mine)
async def move(interaction: Interaction, game: Number) -> None:
    async def run(call: Call) -> Reply:
        permissions.check_asker(interaction)
        permissions.check_interaction(interaction)
        await permissions.look(call.app.client, interaction)
        services = call.app.services
        table = await game_here(call, game, (RUNNING, ARCHIVED))
        if table.guild != interaction.guild_id:
            raise RefereeError("other-server")
        unseen = is_unseen(await services.projections.visible(table.number)) or await permissions.is_closed(
            call.app.client, table.guild, table.channel
        )
        if not unseen and (at := call.app.moved.get(table.number)):  # each move leaves a message behind
            raise RefereeError("moved", when=f"<t:{ceil(at + SHOWN)}:R>")
        channel = interaction.channel_id or 0
        await services.places.move(table.number, call.user.id, channel, call.key, anybody=unseen)
        call.app.moved[table.number] = now()
        return Reply(_("Game {number} continues here.", number=table.number))

    await answer(interaction, run)


@GAME.command(name="cancel", description=N_("Cancel the table before the game starts"))
async def cancel(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        table = await table_here(call)
        if call.user.id != table.host and table.status == LOBBY and may_manage(call):
            return motions.sure_to_end(table)
        return await lobby.cancel(call)

    await answer(interaction, run)


@GAME.command(name="end", description=N_("Vote to end the game early"))
@app_commands.describe(how=N_("What happens then"))
@app_commands.choices(how=ENDS)
async def end(interaction: Interaction, how: str) -> None:
    async def run(call: Call) -> Reply:
        table = await table_here(call)
        if table.place_of(call.user.id) is None and may_manage(call):
            return motions.sure_to_end(table)
        call.address = Address("", table.number, args=(how,))
        reply = await _agree(call)
        if may_manage(call):
            reply.rows = [*reply.rows, *rows([motions.void_button()])]
        return reply

    await answer(interaction, run)


# --- ending from outside: people who manage the channel


def may_manage(call: Call) -> bool:
    """Whether the person can manage the channel or thread where the interaction happened."""
    rights = call.interaction.permissions
    thread = isinstance(call.interaction.channel, discord.Thread)
    return rights.administrator or rights.manage_channels or (thread and rights.manage_threads)


def _check_manager(call: Call, table: Table) -> None:
    """Refuse people who don't manage the table's channel. Code: "not-manager"."""
    if call.interaction.channel_id != table.channel or not may_manage(call):
        raise RefereeError("not-manager")


async def _ask_call_off(call: Call) -> Reply:
    table = await call.app.services.repository.table(call.address.game)
    _check_manager(call, table)
    if table.status not in (LOBBY, RUNNING, ARCHIVED):
        raise RefereeError("over")
    return motions.sure_to_end(table)


async def _close_lobby(call: Call) -> Reply:
    services = call.app.services
    _check_manager(call, await services.repository.table(call.address.game))
    done = await call.act(Close(call.user.display_name))
    return Reply(_("Table {number} is canceled.", number=done.table.number))


async def _call_off(call: Call) -> Reply:
    services = call.app.services
    _check_manager(call, await services.repository.table(call.address.game))
    done = await call.act(VoidGame(call.user.display_name))
    return Reply(_("Game {number} is void.", number=done.table.number))


FEATURE = Feature(
    buttons={
        "agree": Verb(_agree, shape=Shape("count|off")),
        "resign": Verb(_resign),
        "resume": Verb(_resume),
        "ask_call_off": Verb(_ask_call_off),
        "call_off": Verb(_call_off),
        "close_lobby": Verb(_close_lobby),
    },
    actions=[AgreeToEnd, AgreeToCallOff, Resign],
)
