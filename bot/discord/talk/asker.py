"""Who somebody is to the server: what they may do there, and where they ask, by what comes with an interaction."""

from __future__ import annotations

from typing import Any

import discord

from bot.discord.talk.call import Call
from bot.service.servers import Asker
from engine.errors import RefereeError


def asker_of(call: Call) -> Asker | None:
    """Who wants to open a table on a server; None where no server decides: in direct messages, and at the offline
    table."""
    interaction = call.interaction
    if interaction.guild_id is None or not call.app.messages:
        return None
    channel: Any = interaction.channel
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    # Their roles by id: discord.py knows no roles themselves, since it keeps no servers.
    roles = frozenset[int](getattr(call.user, "_roles", ()))
    place = parent or interaction.channel_id or 0
    return Asker(call.user.id, interaction.guild_id, place, manages(call), roles)


def manages(call: Call) -> bool:
    """Whether they may manage the server, by what Discord says of this very click."""
    allowed = call.interaction.permissions
    return call.interaction.guild_id is not None and (allowed.administrator or allowed.manage_guild)


def managed(call: Call) -> int:
    """The server that they manage. Code: "not-manager"."""
    guild = call.interaction.guild_id
    if guild is None or not manages(call):
        raise RefereeError("not-manager/server")
    return guild
