"""A first game: one person, three bots, the fixed board, and a coach."""

from __future__ import annotations

import asyncio
import contextlib

from bot.discord.features.lobby import begin
from bot.discord.ids import Address
from bot.discord.show import permissions
from bot.discord.talk.asker import asker_of
from bot.discord.talk.call import Call
from bot.discord.talk.commands import GAME, Interaction, answer
from bot.discord.talk.feature import Feature, Verb
from bot.screens.coach import welcome
from bot.screens.controls import Reply
from bot.table.acts.coach import StopTips
from bot.table.acts.lobby import Join
from bot.words.language import N_, _
from engine.errors import RefereeError

PATIENCE = 10.0
"""Seconds that the start waits for the table to be shown. After that, the person starts the game themselves."""


@GAME.command(name="learn", description=N_("Learn to play against three easy bots"))
async def learn(interaction: Interaction) -> None:
    await answer(interaction, _learn)


async def _learn(call: Call) -> Reply:
    interaction, app = call.interaction, call.app
    permissions.check_asker(interaction)
    permissions.check_interaction(interaction)
    if interaction.channel_id is None:
        raise RefereeError("no-channel")
    await permissions.look(app.client, interaction)
    table = await app.services.lobby.new_table(
        interaction.guild_id,
        interaction.channel_id,
        call.user.id,
        Join(call.user.display_name),
        call.key,
        learning=True,
        asker=asker_of(call),
    )
    call.address = Address("", table.number)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):  # for the fingerprint of the dice
            await app.publisher.wait_shown(table.number)
    try:
        await begin(call, f"{call.key}.start")
    except RefereeError as refusal:
        if refusal.code == "no-commitment":
            raise RefereeError("no-commitment/learn") from refusal
        raise
    return await call.with_panel(welcome(await call.viewer()))


async def _untip(call: Call) -> Reply:
    await call.act(StopTips())
    return Reply(_("Tips are off. `/hint` shows what a strong player would do."))


FEATURE = Feature(buttons={"untip": Verb(_untip)})
