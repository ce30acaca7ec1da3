"""An ordinary discord.py bot, used only to test the wire server itself."""

from __future__ import annotations

import asyncio
import io
import os
import re
from pathlib import Path
from typing import Any

import discord
import yarl
from discord import app_commands, ui
from discord.gateway import DiscordWebSocket
from discord.http import Route

PICTURE = bytes.fromhex(  # a PNG, 3 x 2
    "89504e470d0a1a0a0000000d4948445200000003000000020103000000a7baf45900000003504c5445000000a77a3dda"
    "0000000c4944415478da63606060000000040001c8eaebf90000000049454e44ae426082"
)


def picture(name: str = "board.png") -> discord.File:
    """A file to attach."""
    return discord.File(io.BytesIO(PICTURE), name, description="the board in words")


class Roll(ui.DynamicItem[ui.Button[Any]], template=r"roll:(?P<n>\d+)"):
    """A button whose whole state is in its custom_id, so it outlives the process."""

    def __init__(self, n: int) -> None:
        self.n = n
        super().__init__(ui.Button(label=f"Roll {n}", custom_id=f"roll:{n}"))

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: re.Match[str]) -> Roll:
        return cls(int(match["n"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(view=panel(self.n + 1), attachments=[picture()])


class Ask(ui.Modal, title="Offer"):
    """One text input and one select in a label."""

    give: ui.TextInput[Any] = ui.TextInput(label="You give", custom_id="give", max_length=20)
    want: ui.Label[Any] = ui.Label(
        text="You want",
        component=ui.Select(
            custom_id="want", options=[discord.SelectOption(label=n, value=n) for n in ("ore", "wool")]
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        select: Any = self.want.component
        await interaction.response.send_message(f"{self.give.value} for {select.values[0]}", ephemeral=True)


class Controls(ui.View):
    """Classic components: a button that opens the modal, a select, a button that defers."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.button(label="Offer", custom_id="offer")
    async def offer(self, interaction: discord.Interaction, button: ui.Button[Any]) -> None:
        await interaction.response.send_modal(Ask())

    @ui.select(custom_id="place", options=[discord.SelectOption(label=p) for p in ("C4", "C5", "D1")], max_values=2)
    async def place(self, interaction: discord.Interaction, select: ui.Select[Any]) -> None:
        await interaction.response.send_message("+".join(select.values), ephemeral=True)

    @ui.button(label="Later", custom_id="later")
    async def later(self, interaction: discord.Interaction, button: ui.Button[Any]) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(content="edited later")


def panel(n: int) -> ui.LayoutView:
    """A Components V2 message with a picture and a dynamic button."""
    view = ui.LayoutView(timeout=None)
    gallery: ui.MediaGallery[Any] = ui.MediaGallery()
    gallery.add_item(media="attachment://board.png", description="the board in words")
    row: ui.ActionRow[Any] = ui.ActionRow(Roll(n))
    view.add_item(ui.Container(ui.TextDisplay(f"panel {n}"), gallery, row))
    return view


class SampleBot(discord.Client):
    """Has a command for each feature. Sends Discord's refusals to the user as `refused CODE`."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(build)
        commands: tuple[Any, ...] = (ping, show, slow, dm, controls, twice, post, big)
        for command in commands:
            self.tree.add_command(command)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Roll)
        self.add_view(Controls())
        await self.tree.sync()


def note(interaction: discord.Interaction) -> None:
    """Write down each delivery."""
    with Path(os.environ["HARBORMASTER_DATABASE"]).open("a") as file:
        file.write(f"{interaction.id}\n")


build = app_commands.Group(name="build", description="Build something")


@build.command(name="road", description="Build a road")
async def build_road(interaction: discord.Interaction, place: str, length: int = 1) -> None:
    note(interaction)
    await interaction.response.send_message(f"{length} road at {place}")


@build_road.autocomplete("place")
async def places(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=f"edge {p}", value=p) for p in ("c4", "c5", "d1") if p.startswith(current)]


@app_commands.command(description="A text with a mention")
async def ping(interaction: discord.Interaction, who: discord.User) -> None:
    await interaction.response.send_message(f"hello {who.mention}")


@app_commands.command(description="A V2 message")
async def show(interaction: discord.Interaction) -> None:
    await interaction.response.send_message(view=panel(1), file=picture())


@app_commands.command(description="Deferred, then edited with a file, then followed up")
async def slow(interaction: discord.Interaction) -> None:
    await interaction.response.defer(ephemeral=True)
    await interaction.edit_original_response(content="done", attachments=[picture("hand.png")])
    await interaction.followup.send("and more", ephemeral=True)


@app_commands.command(description="A direct message")
async def dm(interaction: discord.Interaction) -> None:
    try:
        await interaction.user.send("private", file=picture("hand.png"), view=Controls())
        await interaction.response.send_message("sent", ephemeral=True)
    except discord.HTTPException as error:
        await interaction.response.send_message(f"refused {error.code}", ephemeral=True)


@app_commands.command(description="Classic components")
async def controls(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("controls", view=Controls(), ephemeral=True)


@app_commands.command(description="Two acknowledgements after a while")
async def twice(interaction: discord.Interaction, after: float) -> None:
    await asyncio.sleep(after)
    route = Route("POST", f"/interactions/{interaction.id}/{interaction.token}/callback")
    for _ in range(2):
        try:
            await interaction.client.http.request(route, json={"type": 4, "data": {"content": "one"}})
        except discord.HTTPException as error:
            channel: Any = interaction.channel
            await channel.send(f"refused {error.code}")


@app_commands.command(description="A message in the channel, edited, then deleted")
async def post(interaction: discord.Interaction) -> None:
    await interaction.response.defer(ephemeral=True)
    channel: Any = interaction.channel
    try:
        message = await channel.send("posted", file=picture())
        await message.edit(content="edited")
        await (await channel.fetch_message(message.id)).delete()
        await interaction.followup.send("ok")
    except discord.HTTPException as error:
        await interaction.followup.send(f"refused {error.code}")


@app_commands.command(description="Messages that are too big")
async def big(interaction: discord.Interaction, what: str) -> None:
    # raw, since discord.py checks limits itself, and here the server must notice
    text = {"type": 10, "content": "x" * (4001 if what == "text" else 1)}
    button = {"type": 2, "style": 1, "label": "x", "custom_id": "same"}
    rows = [{"type": 1, "components": [button]}] * (2 if what == "ids" else 1)
    texts = [text] * (39 if what == "components" else 1)  # the row counts as two
    data: dict[str, Any] = {"flags": 1 << 15, "components": texts + rows}
    if what == "content":
        data["content"] = "both"
    route = Route("POST", f"/interactions/{interaction.id}/{interaction.token}/callback")
    try:
        await interaction.client.http.request(route, json={"type": 4, "data": data})
    except discord.HTTPException as error:
        await interaction.response.send_message(f"refused {error.code} {error.text}", ephemeral=True)


def redirect() -> None:
    """Point discord.py at the addresses in the environment."""
    Route.BASE = os.environ["HARBORMASTER_REST_BASE"]
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["HARBORMASTER_GATEWAY"])


if __name__ == "__main__":
    redirect()
    SampleBot().run(os.environ["DISCORD_TOKEN"])
