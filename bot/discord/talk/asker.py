"""The person of an interaction as the server sees them: their permissions, their roles, and the channel."""

from __future__ import annotations

from typing import Any

import discord

from bot.discord.talk.call import Call
from bot.service.servers import Asker
from engine.errors import RefereeError


def asker_of(call: Call) -> Asker | None:
    """The person who wants to open a table on a server. None where no server decides: in direct messages, and at the
    offline table."""
    interaction = call.interaction
    if interaction.guild_id is None or not call.app.messages:
        return None
    channel: Any = interaction.channel
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    # Roles by id: discord.py has no role objects, since it caches no servers.
    roles = frozenset[int](getattr(call.user, "_roles", ()))
    channel_id = parent or interaction.channel_id or 0
    return Asker(call.user.id, interaction.guild_id, channel_id, manages(call), roles)


def manages(call: Call) -> bool:
    """Whether the person can manage the server, by the permissions that Discord sent with this interaction."""
    permissions = call.interaction.permissions
    return call.interaction.guild_id is not None and (permissions.administrator or permissions.manage_guild)


def managed_server(call: Call) -> int:
    """The server that the person manages. Code: "not-manager"."""
    guild = call.interaction.guild_id
    if guild is None or not manages(call):
        raise RefereeError("not-manager/server")
    return guild
