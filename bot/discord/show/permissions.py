"""What Harbormaster, or a person, can do in a channel, according to an interaction, or to Discord when asked."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import discord

from bot.discord.show.channels import FAILED, is_outage
from bot.words.language import N_, _
from engine.errors import RefereeError
from engine.refusals import Listed

NEEDED = {
    "view_channel": N_("View Channel"),
    "send_messages": N_("Send Messages"),
    "attach_files": N_("Attach Files"),
    "read_message_history": N_("Read Message History"),
}
THREADS = (
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
)
SPOKEN = (discord.ChannelType.voice, discord.ChannelType.stage_voice)
"""Voice channels: reading and writing there needs the permission to connect, too."""


class Blocked(RefereeError):
    """Harbormaster can't write in a channel; the message names the missing permissions, or the end of its timeout."""

    until: datetime | None = None
    """When that ends by itself; None: it doesn't."""


def missing(permissions: discord.Permissions, kind: discord.ChannelType) -> list[str]:
    """Names of the permissions that Harbormaster lacks for a kind of channel or thread."""
    needed = dict(NEEDED)
    if kind in THREADS:
        del needed["send_messages"]
        needed["send_messages_in_threads"] = N_("Send Messages in Threads")
    if kind in SPOKEN:
        needed["connect"] = N_("Connect")
    return [title for name, title in needed.items() if not getattr(permissions, name)]


def missing_for_rooms(permissions: discord.Permissions) -> list[str]:
    """Names of the permissions that Harbormaster lacks for private threads."""
    needed = {
        "create_private_threads": N_("Create Private Threads"),
        "send_messages_in_threads": N_("Send Messages in Threads"),
    }
    return [title for name, title in needed.items() if not getattr(permissions, name)]


def install_link(application: int) -> str:
    """Link to add Harbormaster to a server, with all permissions that it needs there."""
    threads = ("send_messages_in_threads", "create_public_threads")
    needed = discord.Permissions(**dict.fromkeys((*NEEDED, *threads), True))
    return discord.utils.oauth_url(application, permissions=needed, scopes=("bot", "applications.commands"))


def refuse_if(lacking: list[str], channel: int) -> None:
    """Raise `Blocked` if permissions are lacking, and name them."""
    if lacking:
        names = Listed([f"**{_(name)}**" for name in lacking])
        raise Blocked("missing-permission", channel=f"<#{channel}>", permissions=names)


def check_interaction(interaction: discord.Interaction[Any]) -> None:
    """Refuse if Harbormaster can't write in the interaction's channel."""
    if interaction.guild_id is None or interaction.channel_id is None:
        return
    kind = interaction.channel.type if interaction.channel else discord.ChannelType.text
    refuse_if(missing(interaction.app_permissions, kind), interaction.channel_id)


def check_asker(interaction: discord.Interaction[Any]) -> None:
    """Refuse to post in a channel for a person who can't write there. Code: "unwritten"."""
    rights = interaction.permissions
    thread = isinstance(interaction.channel, discord.Thread)
    may = rights.send_messages_in_threads if thread else rights.send_messages
    if interaction.guild_id is not None and not (may or rights.administrator):
        raise RefereeError("unwritten")


def check_server(interaction: discord.Interaction[Any], game: int, guild: int | None) -> None:
    """Refuse an interaction about a game of another server: what a person can do there can't be told from it. In a
    direct message, players have their hands. Code: "other-server"."""
    if interaction.guild_id not in (None, guild):
        raise RefereeError("other-server", number=game)


def refuse_if_timed_out(until: datetime | None) -> None:
    """Raise `Blocked` if Harbormaster is timed out, so that it can only read."""
    if until is not None and until > discord.utils.utcnow():
        blocked = Blocked("timed-out", when=discord.utils.format_dt(until, "R"))
        blocked.until = until
        raise blocked


async def refuse_if_blocked(client: discord.Client, server: discord.Guild, channel: int) -> None:
    """Ask Discord whether Harbormaster can write in a channel. Raises `Blocked` if it can't, and Discord's errors."""
    refuse_if(await lacking(client, server, channel), channel)


async def lacking(client: discord.Client, server: discord.Guild, channel: int) -> list[str]:
    """Ask Discord which permissions Harbormaster lacks in a channel. Returns their names. Raises `Blocked` while it is
    timed out, and Discord's errors."""
    assert client.user is not None
    me = await server.fetch_member(client.user.id)
    refuse_if_timed_out(me.timed_out_until)
    target = above = await server.fetch_channel(channel)
    if isinstance(target, discord.Thread):
        above = await server.fetch_channel(target.parent_id)
    return missing(above.permissions_for(me), target.type)


async def is_closed(client: discord.Client, guild: int | None, channel: int) -> bool:
    """Ask Discord whether a channel is gone, or Harbormaster can't write there."""
    try:
        if guild is None:
            await client.http.get_channel(channel)
            return False
        await refuse_if_blocked(client, await client.fetch_guild(guild, with_counts=False), channel)
    except Blocked:
        return True
    except FAILED as error:
        return not is_outage(error)
    return False


async def is_open(client: discord.Client, channel: int) -> bool:
    """Ask Discord whether a channel exists and Harbormaster can see it. False without an answer."""
    try:
        await client.http.get_channel(channel)
    except FAILED:
        return False
    return True


async def was_removed(client: discord.Client, guild: int) -> bool:
    """Whether Harbormaster is certainly not on a server. Raises Discord's other errors."""
    try:
        await client.http.get_guild(guild, with_counts=False)
    except (discord.NotFound, discord.Forbidden):
        return True
    return False


NO_MEMBER = (10007, 10013)
"""Codes of a user who isn't a member of a server, or doesn't exist."""


async def has_left(client: discord.Client, guild: int, user: int) -> bool:
    """Whether a user is certainly not on a server."""
    try:
        await client.http.get_member(guild, user)
    except discord.NotFound as error:
        return error.code in NO_MEMBER
    except FAILED:
        return False
    return False


def managed_channel(interaction: discord.Interaction[Any]) -> int:
    """The channel or thread of an interaction, if the person can manage it or its server; else 0."""
    rights, thread = interaction.permissions, isinstance(interaction.channel, discord.Thread)
    server = interaction.guild_id is not None and (rights.administrator or rights.manage_guild)
    manages = server or rights.manage_channels or (thread and rights.manage_threads)
    return (interaction.channel_id or 0) if manages else 0
