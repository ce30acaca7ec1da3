"""Whether Harbormaster is where an interaction happens: interactions also come from channels that it can't see."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn
from weakref import WeakKeyDictionary

import discord
from cachetools import TTLCache

from bot.discord.interaction import recent
from bot.discord.show.channels import FAILED, NO_ACCESS, is_outage
from bot.discord.show.permissions import install_link, refuse_if_timed_out
from engine.errors import RefereeError

HIDDEN_FOR = 60.0
"""Seconds for which Discord isn't asked again about a channel that Harbormaster couldn't see: it counts refusals."""
_hidden = WeakKeyDictionary[discord.Client, TTLCache[int, bool]]()
"""Channels that clients couldn't see of late."""


def appeared(client: discord.Client, channels: Iterable[int]) -> None:
    """Note that Harbormaster can see channels now."""
    hidden = _hidden.setdefault(client, recent(HIDDEN_FOR))
    for channel in channels:
        hidden.pop(channel, None)


async def check_presence(client: discord.Client, interaction: discord.Interaction[Any]) -> None:
    """Refuse if Harbormaster can't see the interaction's channel or is timed out, whatever permissions the interaction
    names: it isn't on the server, or not in a private thread. Codes: "not-here", "no-channel", "timed-out"."""
    if interaction.guild_id is None or interaction.channel_id is None or client.user is None:
        return
    hidden = _hidden.setdefault(client, recent(HIDDEN_FOR))
    if interaction.channel_id in hidden:
        _refuse_hidden(interaction)
    try:
        await client.http.get_channel(interaction.channel_id)
        me: Any = await client.http.get_member(interaction.guild_id, client.user.id)
        refuse_if_timed_out(discord.utils.parse_time(me.get("communication_disabled_until")))
    except FAILED as error:
        if is_outage(error) or not isinstance(error, discord.HTTPException):
            return  # what is opened now is shown later
        if error.code != NO_ACCESS:
            raise RefereeError("no-channel") from None
        hidden[interaction.channel_id] = True
        _refuse_hidden(interaction)


def _refuse_hidden(interaction: discord.Interaction[Any]) -> NoReturn:
    if getattr(interaction.channel, "type", None) is discord.ChannelType.private_thread:
        raise RefereeError("not-here/thread") from None
    raise RefereeError("not-here", link=install_link(interaction.application_id)) from None
