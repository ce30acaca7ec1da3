"""A server's settings: /server, for people who manage it; and the list of its games, where anyone can sit down."""

from __future__ import annotations

import logging
from typing import Any

from discord import app_commands

from bot.discord.features import lobby, messages
from bot.discord.ids import Address
from bot.discord.show import channels, permissions, readers, tags
from bot.discord.talk import strays
from bot.discord.talk.asker import PASS, managed_server, pass_of
from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, answer
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.screens import lobby as lobby_texts
from bot.screens import servers
from bot.screens.controls import Entry, Reply
from bot.servers import ServerSettings
from bot.words.language import N_, _
from engine.errors import RefereeError

log = logging.getLogger(__name__)

ID = "[1-9][0-9]{0,18}"
"""Pattern of the id of a role or channel."""


@app_commands.command(name="server", description=N_("Settings for this server"))
@app_commands.default_permissions(manage_guild=True)
@app_commands.guild_only()
async def server(interaction: Interaction) -> None:
    await answer(interaction, _server)


async def _server(call: Call, said: str = "") -> Reply:
    """The page with all settings. Code: "not-manager"."""
    services, guild = call.app.services.servers, managed_server(call)
    chosen = await services.settings(guild)
    gone = await _gone(call, guild, chosen)
    return servers.settings(chosen, await services.overview(guild), said, gone=gone, key=pass_of(call))


async def _gone(call: Call, guild: int, chosen: ServerSettings) -> frozenset[int]:
    """Which of the chosen roles and channels were deleted: Discord refuses lists that show them as chosen."""
    http = call.app.client.http
    roles, rooms = {chosen.role} - {0}, {*chosen.channels, chosen.forum} - {0}
    try:
        found = [
            *(await http.get_roles(guild) if roles else ()),
            *(await http.get_all_guild_channels(guild) if rooms else ()),
        ]
    except channels.FAILED as error:
        log.info("Server %d: what was deleted there can't be asked: %s", guild, error)
        return frozenset()
    return frozenset((roles | rooms) - {int(there["id"]) for there in found})


async def _changed(call: Call, **changes: Any) -> Reply:
    await call.app.services.servers.change(managed_server(call), **changes)
    return await _server(call, _("Saved."))


async def _openers(call: Call) -> Reply:
    return await _changed(call, openers=call.chosen[0], role=0)


async def _role(call: Call) -> Reply:
    return await _changed(call, **servers.opener_change(call.chosen))


async def _channels(call: Call) -> Reply:
    settings = await call.app.services.servers.settings(managed_server(call))
    return await _changed(call, channels=servers.channels(settings, call.address.shown, call.chosen))


async def _forum(call: Call) -> Reply:
    """Set the forum where threads of games are posts, and make its tags if the bot is allowed to."""
    forum = int(call.chosen[0]) if call.chosen else 0
    guild = managed_server(call)
    missing_tags = await tags.make(call.app.client, forum) if forum else []
    await call.app.services.servers.change(guild, forum=forum)
    return await _server(call, servers.without_tags(forum, missing_tags) if missing_tags else _("Saved."))


async def _set(call: Call) -> Reply:
    return await _changed(call, **{call.address.arg: int(call.chosen[0])})


async def _list(call: Call) -> Reply:
    """Begin a list of all games in this channel, or remove it."""
    guild, channel = managed_server(call), call.interaction.channel_id
    if call.address.arg == "0":
        await call.app.overviews.end(guild)
        return await _server(call, _("The list of games is removed."))
    permissions.check_interaction(call.interaction)
    await permissions.look(call.app.client, call.interaction)
    assert channel is not None
    await call.app.overviews.begin(guild, channel)
    return await _server(call, _("The list of games is now in this channel. You can pin it."))


async def _sit(call: Call) -> Reply:
    """Sit down at a table of the list. Codes: "no-table", "unseen-table", and those of the lobby."""
    app, interaction = call.app, call.interaction
    overview = await app.services.servers.overview(interaction.guild_id or 0)
    if overview is None or interaction.message is None or overview.message != interaction.message.id:
        return await strays.retire(call)
    table = await app.services.repository.table(int(call.address.arg))
    if table.guild is None or table.guild != interaction.guild_id:
        raise RefereeError("no-table", number=table.number)
    await readers.check_seen(app.client, interaction.guild_id, call.user.id, table.channel)
    call.address = Address("", table.number)
    table = await lobby.enter(call)
    place = lobby_texts.place_at(table, call.user.id)
    return await messages.with_dm_question(call, await call.with_panel(place))


async def _computers(call: Call) -> Reply:
    return await _changed(call, computers=call.address.arg == "1")


def _shape(details: str = "", entry: Entry | None = None) -> Shape:
    """The shape of a control on the page, which can carry a pass."""
    return Shape(f"({details}):{PASS}|{details}" if details else f"({PASS})?", {"": entry} if entry else None)


FEATURE = Feature(
    commands=[server],
    buttons={
        "server_computers": Verb(_computers, shape=_shape("[01]")),
        "server_list": Verb(_list, shape=_shape("[01]")),
        "sit": Verb(_sit, shape=Shape("[1-9][0-9]{0,15}")),
    },
    selects={
        "openers": Verb(_openers, shape=_shape(entry=Entry("|".join(servers.OPENERS)))),
        "opener_role": Verb(_role, shape=_shape(entry=Entry(ID, least=0))),
        "opened_in": Verb(_channels, shape=_shape(entry=Entry(ID, least=0, most=servers.MOST_CHANNELS))),
        "forum": Verb(_forum, shape=_shape(entry=Entry(ID, least=0))),
        "server_set": Verb(_set, shape=_shape(f"({servers.LISTS})", Entry("[0-9]{1,4}"))),
    },
)
