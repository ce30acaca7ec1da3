"""A hint: what the strongest computer would do in one's place, for one's own eyes only."""

from __future__ import annotations

from discord import app_commands

from bot.frontends.discord.talk.call import Call
from bot.frontends.discord.talk.commands import Interaction, answer, table_here
from bot.frontends.discord.talk.feature import Feature, Verb
from bot.presentation import hints
from bot.presentation.controls import Reply
from bot.presentation.texts.language import N_
from engine.actions import PlaceAction


async def _hint(call: Call) -> Reply:
    viewer = await call.viewer()
    hints.check(viewer)
    action = await call.app.advice.of(viewer)
    reply = hints.hint(viewer, action)
    if isinstance(action, PlaceAction):
        reply.picture = await call.app.pictures.board(viewer, (action.place, [action.at]), await call.look())
    return reply


@app_commands.command(name="hint", description=N_("What a strong computer would do in your place, and why"))
@app_commands.guild_only()
async def hint(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call)
        return await _hint(call)

    await answer(interaction, run)


FEATURE = Feature(commands=[hint], buttons={"hint": Verb(_hint)}, actions=hints.ACTIONS)
