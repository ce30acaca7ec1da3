"""The reference for a click: a program that answers with a fixed picture of BOARD_BYTES, and does nothing else."""

from __future__ import annotations

import io
import os
import random
from typing import Any

import discord
import yarl
from discord import app_commands, ui
from discord.gateway import DiscordWebSocket
from discord.http import Route

BOARD = random.Random(1).randbytes(int(os.environ.get("BOARD_BYTES", "100000")))


def board() -> discord.File:
    """The picture."""
    return discord.File(io.BytesIO(BOARD), "board.png")


class Panel(ui.View):
    """One persistent button; a click edits the message, picture and all, by the interaction's callback."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.button(label="Next", custom_id="next")
    async def next(self, interaction: discord.Interaction, button: ui.Button[Any]) -> None:
        await interaction.response.edit_message(content="next", attachments=[board()], view=self)


class TrivialBot(discord.Client):
    """/panel shows the message with the button."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)

        @self.tree.command(name="panel", description="Show the panel")
        async def panel(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("first", file=board(), view=Panel())

    async def setup_hook(self) -> None:
        self.add_view(Panel())
        await self.tree.sync()


if __name__ == "__main__":
    Route.BASE = os.environ["HARBORMASTER_REST_BASE"]
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["HARBORMASTER_GATEWAY"])
    TrivialBot().run(os.environ["DISCORD_TOKEN"], log_handler=None)
