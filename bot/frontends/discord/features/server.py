"""A server's own settings: /server, for those who manage it."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.frontends.discord.talk.asker import managed
from bot.frontends.discord.talk.call import Call
from bot.frontends.discord.talk.commands import Interaction, answer
from bot.frontends.discord.talk.door import Shape
from bot.frontends.discord.talk.feature import Feature, Verb
from bot.presentation import servers
from bot.presentation.controls import Entry, Reply
from bot.presentation.texts.language import N_, _

ID = "[1-9][0-9]{0,18}"
"""Of a role or channel."""


@app_commands.command(name="server", description=N_("Who may open tables here, where and how many"))
@app_commands.default_permissions(manage_guild=True)
@app_commands.guild_only()
async def server(interaction: Interaction) -> None:
    await answer(interaction, _server)


async def _server(call: Call, lead: str = "") -> Reply:
    """All that can be set. Code: "not-manager"."""
    return servers.settings(await call.app.services.servers.settings(managed(call)), lead)


async def _changed(call: Call, **changes: Any) -> Reply:
    await call.app.services.servers.change(managed(call), **changes)
    return await _server(call, _("Noted."))


async def _openers(call: Call) -> Reply:
    return await _changed(call, openers=call.chosen[0], role=0)


async def _role(call: Call) -> Reply:
    return await _changed(call, **servers.opener_change(call.chosen))


async def _channels(call: Call) -> Reply:
    return await _changed(call, channels=tuple(map(int, call.chosen)))


async def _set(call: Call) -> Reply:
    return await _changed(call, **{call.address.arg: int(call.chosen[0])})


async def _computers(call: Call) -> Reply:
    return await _changed(call, computers=call.address.arg == "1")


FEATURE = Feature(
    commands=[server],
    buttons={"server_computers": Verb(_computers, shape=Shape("[01]"))},
    selects={
        "openers": Verb(_openers, shape=Shape("", {"": Entry("|".join(servers.OPENERS))})),
        "opener_role": Verb(_role, shape=Shape("", {"": Entry(ID, least=0)})),
        "opened_in": Verb(_channels, shape=Shape("", {"": Entry(ID, least=0, most=servers.MOST_CHANNELS)})),
        "server_set": Verb(_set, shape=Shape(servers.LISTS, {"": Entry("[0-9]{1,4}")})),
    },
)
