"""Commands about oneself and what can be looked at: hand, board, stats, settings."""

from __future__ import annotations

from discord import app_commands

from bot.frontends.discord import menus
from bot.frontends.discord.call import Call
from bot.frontends.discord.commands.common import Interaction, answer, table_here
from bot.frontends.discord.commands.finding import BEGUN, WHICH, Number, game_here, numbers
from bot.frontends.discord.parts import Reply


@app_commands.command(name="hand", description="Your cards, what you can buy and your trade rates; only you see it")
@app_commands.guild_only()
async def hand(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call, finished=True)
        return await menus.hand(call)

    await answer(interaction, run)


@app_commands.command(name="board", description="The board as it stands, with a line for each player")
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=numbers(BEGUN))
@app_commands.guild_only()
async def board(interaction: Interaction, game: Number | None = None) -> None:
    async def run(call: Call) -> Reply:
        await game_here(call, game, BEGUN)
        return await menus.board(call)

    await answer(interaction, run)


@app_commands.command(name="stats", description="The dice so far, beside what was to be expected")
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=numbers(BEGUN))
@app_commands.guild_only()
async def stats(interaction: Interaction, game: Number | None = None) -> None:
    async def run(call: Call) -> Reply:
        await game_here(call, game, BEGUN)
        return await menus.dice(call)

    await answer(interaction, run)


@app_commands.command(name="settings", description="Your own settings, for all your games")
@app_commands.describe(
    dms="Whether your hand comes by direct message, too",
    standing="From how many cards on you are called to special building without asking; 0: only when you ask",
)
async def settings(
    interaction: Interaction,
    dms: bool | None = None,
    standing: app_commands.Range[int, 0, 20] | None = None,
) -> None:
    async def run(call: Call) -> Reply:
        people = call.app.services.people
        chosen = await people.change_settings(call.user.id, dms=dms, standing=standing, interaction=call.key)
        state = "on" if chosen.dms else "off"
        if chosen.dms and chosen.dms_closed:
            state = "on, but Discord refused them: allow direct messages from this server, then `/settings dms:True`"
        return Reply(f"### Your settings\n- Your hand by direct message: **{state}**.\n- {_standing(chosen.standing)}")

    await answer(interaction, run)


def _standing(cards: int) -> str:
    """What the standing number means (J2)."""
    if cards == 0:
        return "Called to the special building phase **only when you ask**."
    return f"Called to the special building phase with **{cards}** card{'s' if cards > 1 else ''} or more."


def make() -> list[app_commands.Command]:
    """The commands of this file."""
    return [hand, board, stats, settings]
