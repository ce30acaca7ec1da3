"""A server's settings: /server, for people who manage it; and the list of its games, where anyone can sit down."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from discord import app_commands

from bot.discord import threads
from bot.discord.features import lobby, people
from bot.discord.interaction import Address
from bot.discord.show import channels, permissions, presence
from bot.discord.show.readers import check_seen
from bot.discord.show.sent import custom_ids
from bot.discord.show.servers import make_tags
from bot.discord.talk import dispatch
from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, answer_command
from bot.discord.talk.door import Shape, arrival
from bot.discord.talk.feature import PASS_PATTERN, Feature, Verb, managed_server, pass_of
from bot.screens import lobby as lobby_texts
from bot.screens import servers
from bot.screens.controls import Entry, Reply
from bot.screens.options import list_entry
from bot.servers import SERVER, ServerSettings
from bot.table.option import Option
from bot.words.language import N_, _, speaking
from engine.errors import RefereeError

log = logging.getLogger(__name__)


@app_commands.command(name="server", description=N_("Settings for this server"))
@app_commands.default_permissions(manage_guild=True)
@app_commands.guild_only()
async def server(interaction: Interaction) -> None:
    await answer_command(interaction, _server)


async def _server(call: Call, said: str = "") -> Reply:
    """The page with all settings. Code: "not-manager"."""
    services, guild = call.app.services.servers, managed_server(call)
    chosen = await services.settings(guild)
    gone, muted = await _looked_up(call, guild, chosen)
    settings = servers.server_options(chosen, gone, web=call.app.services.web.site.served)
    overview = await services.overview(guild)
    return servers.server_page(settings, overview, said, pass_of(call), chosen.begins, muted)


async def _looked_up(call: Call, guild: int, chosen: ServerSettings) -> tuple[frozenset[int], bool]:
    """Which of the chosen roles and channels were deleted: Discord refuses lists that show them as chosen. And whether
    there is a role that Harbormaster may not mention."""
    http = call.app.client.http
    roles, rooms = {chosen.role, chosen.called} - {0}, {*chosen.channels, chosen.forum} - {0}
    try:
        found = [
            *(await http.get_roles(guild) if roles else ()),
            *(await http.get_all_guild_channels(guild) if rooms else ()),
        ]
    except channels.FAILED as error:
        log.info("Server %d: what was deleted there can't be asked: %s", guild, error)
        return frozenset(), False
    muted = any(int(there["id"]) == chosen.called and not _mentionable(call, there) for there in found)
    return frozenset((roles | rooms) - {int(there["id"]) for there in found}), muted


def _mentionable(call: Call, role: Any) -> bool:
    """Whether Harbormaster may mention a role, as far as this channel shows."""
    rights = call.interaction.app_permissions
    return bool(role.get("mentionable")) or rights.mention_everyone or rights.administrator


async def _check_called(call: Call, guild: int, role: int) -> None:
    """Refuse a role that new tables can't mention. Codes: "unmentionable", "unmentionable/everyone"."""
    if role == guild:
        raise RefereeError("unmentionable/everyone")
    found = [one for one in await call.app.client.http.get_roles(guild) if int(one["id"]) == role]
    if found and not _mentionable(call, found[0]):
        raise RefereeError("unmentionable", role=f"<@&{role}>")


async def _tagged(call: Call, guild: int, forum: int) -> list[str]:
    """Add the tags that a forum of the server lacks. Returns the names of those that can't be added. Code:
    "missing-permission", if the bot can't see it; a forged choice can also name another server's."""
    try:
        await threads.forum_of(call.app.client, guild, forum)
    except RefereeError:
        permissions.refuse_if([permissions.NEEDED["view_channel"]], forum)
    with speaking(await call.app.languages.public(call.interaction)):  # everyone sees them
        return await make_tags(call.app.client, forum)


async def _set(call: Call, option: Option) -> Reply:
    """Make the choice in an option's control. A forum for games' threads gets its tags, if the bot can make them."""
    services, guild = call.app.services.servers, managed_server(call)
    page, entered = servers.server_options(await services.settings(guild)), [str(call.address.arg == "1")]
    changes = page.picked(option, call.address.shown, call.values.get("", entered))
    if changes.get("called"):
        await _check_called(call, guild, changes["called"])
    forum = changes.get("forum", 0)
    missing = await _tagged(call, guild, forum) if forum else []
    await services.change(guild, **changes)
    for number in await services.open_in(guild) if "computers" in changes else ():  # lobbies have buttons for them
        call.app.publisher.refresh(number)
    return await _server(call, servers.without_tags(forum, missing) if missing else _("Saved."))


async def _set_named(call: Call) -> Reply:
    return await _set(call, SERVER[call.address.arg])


async def _list(call: Call) -> Reply:
    """Begin a list of all games in this channel, or remove it."""
    guild, channel = managed_server(call), call.interaction.channel_id
    if call.address.arg == "0":
        await call.app.overviews.end(guild)
        return await _server(call, _("The list of games is removed."))
    permissions.check_interaction(call.interaction)
    await presence.check_presence(call.app.client, call.interaction)
    assert channel is not None
    await call.app.overviews.begin(guild, channel)
    return await _server(call, _("The list of games is now in this channel. You can pin it."))


async def _sit(call: Call) -> Reply:
    """Sit down at a table of the list, or of a direct message about new tables. Codes: "no-table", those of
    `check_seen`, and those of the lobby."""
    app, interaction = call.app, call.interaction
    guild = interaction.guild_id
    overview = await app.services.servers.overview(guild) if guild is not None else None
    message = interaction.message
    if guild is not None and (overview is None or message is None or overview.message != message.id):
        if message is None or arrival(interaction).custom_id not in custom_ids(message):  # forged
            return await call.with_panel(_(dispatch.OUTDATED))
        return await dispatch.retire_stray(call)
    table = await app.services.repository.table(int(call.address.arg))
    if table.guild is None or guild not in (None, table.guild):
        raise RefereeError("no-table", number=table.number)
    await check_seen(app.client, table.guild, call.user.id, table.channel)
    call.address = Address("", table.number)
    table = await lobby.enter(call)
    place = lobby_texts.place_at(table, call.user.id)
    return await people.with_dm_question(call, await call.with_panel(place))


def _list_of(option: Option) -> Verb:
    return Verb(partial(_set, option=option), _shape(entry=list_entry(option)))


def _shape(details: str = "", entry: Entry | None = None) -> Shape:
    """The shape of a control on the page, which can carry a pass."""
    return Shape(
        f"({details}):{PASS_PATTERN}|{details}" if details else f"({PASS_PATTERN})?", {"": entry} if entry else None
    )


FEATURE = Feature(
    commands=[server],
    buttons={
        **{f"server_{one.name}": Verb(partial(_set, option=one), _shape("[01]")) for one in servers.SERVER_SWITCHES},
        "server_list": Verb(_list, shape=_shape("[01]")),
        "server_page": Verb(_server, _shape()),
        "sit": Verb(_sit, shape=Shape("[1-9][0-9]{0,15}")),
    },
    selects={
        **{verb: _list_of(SERVER[name]) for name, verb in servers.LISTS.items()},
        "server_set": Verb(
            _set_named, _shape("|".join(servers.NAMED), Entry("|".join(SERVER[name].pattern for name in servers.NAMED)))
        ),
    },
)
