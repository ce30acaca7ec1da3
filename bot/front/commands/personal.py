"""Commands about oneself and what can be looked at: hand, board, stats, settings."""

from __future__ import annotations

from discord import app_commands

from bot.front import lobby, menus
from bot.front.call import Call
from bot.front.commands.common import Interaction, answer, table_here
from bot.front.parts import Reply


@app_commands.command(name="hand", description="Your cards, what you can buy and your trade rates; only you see it")
@app_commands.guild_only()
async def hand(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call, finished=True)
        return await menus.hand(call)

    await answer(interaction, run)


@app_commands.command(name="board", description="The board as it stands, with a line for each player")
@app_commands.guild_only()
async def board(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call, finished=True)
        return await menus.board(call)

    await answer(interaction, run)


@app_commands.command(name="stats", description="The dice so far, beside what was to be expected")
@app_commands.guild_only()
async def stats(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call, finished=True)
        return await menus.dice(call)

    await answer(interaction, run)


@app_commands.command(name="settings", description="Your own settings, for all your games")
@app_commands.describe(
    dms="Whether your hand comes by direct message, too",
    standing="With how many cards you are called to the special building phase without asking",
)
async def settings(
    interaction: Interaction,
    dms: bool | None = None,
    standing: app_commands.Range[int, 1, 20] | None = None,
) -> None:
    async def run(call: Call) -> Reply:
        service = call.front.service
        chosen = await service.change_settings(call.user.id, dms=dms, standing=standing)
        table = await service.in_channel(call.interaction.channel_id or 0)
        if standing is not None and table is not None and table.entropy and call.user.id in table.users:
            await lobby.apply_standing(call.front, table.number, call.user.id, call.key)
        state = "on" if chosen.dms else "off"
        if chosen.dms and chosen.dms_closed:
            state = "on, but Discord refused them: allow direct messages from this server, then `/settings dms:True`"
        return Reply(
            "### Your settings\n"
            f"- Your hand by direct message: **{state}**.\n"
            f"- Called to the special building phase with **{chosen.standing}** cards or more: in this channel's "
            "game at once, in others when they start."
        )

    await answer(interaction, run)


def make() -> list[app_commands.Command]:
    """The commands of this file."""
    return [hand, board, stats, settings]
