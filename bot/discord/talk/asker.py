"""The person of an interaction as the server sees them: their permissions, their roles, and the channel."""

from __future__ import annotations

import hmac
import re
from typing import Any

import discord

from bot.discord.talk.call import Call
from bot.service.servers import Asker
from engine.errors import RefereeError

PASS = "[0-9a-f]{8}-[0-9a-f]{24}"
"""Pattern of a pass: when it was made, and what only this program can make of that, the server and the person."""
VALID = 900.0
"""Seconds for which a pass is valid: as long as Discord accepts answers to the command."""


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
    """The server that the person may set up. Code: "not-manager".

    Discord decides who can run the command: people who manage the server, and others who are allowed it under
    *Integrations*. A click says only whether its user manages the server, so the controls of the others carry a pass.
    """
    guild = call.interaction.guild_id
    command = call.interaction.type is discord.InteractionType.application_command
    if guild is None or not (command or manages(call) or _is_valid(call, pass_of(call))):
        raise RefereeError("not-manager/server")
    return guild


def pass_of(call: Call) -> str:
    """What the controls on the page carry, so that this person can use them here for a while; empty for managers."""
    if manages(call):
        return ""
    if call.interaction.type is discord.InteractionType.application_command:
        return _signed(call, int(call.app.clock()))
    last = call.address.args[-1] if call.address.args else ""
    return last if re.fullmatch(PASS, last) else ""


def _signed(call: Call, at: int) -> str:
    what = f"server:{call.interaction.guild_id}:{call.user.id}:{at}"
    key = (call.app.client.http.token or "").encode()
    return f"{at:x}-{hmac.digest(key, what.encode(), 'sha256').hex()[:24]}"


def _is_valid(call: Call, given: str) -> bool:
    """Whether this pass was made for this person on this server, lately."""
    if not given:
        return False
    at = int(given.split("-")[0], 16)
    return hmac.compare_digest(given, _signed(call, at)) and 0 <= call.app.clock() - at + 1 < VALID
