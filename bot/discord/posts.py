"""A game's own thread, as a post in a server's forum."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import discord
from discord.http import Route

from bot.discord.show import channels, permissions, tags
from bot.discord.show.rooms import WEEK
from bot.plaintext import Typed, safe_name
from bot.words.language import _, in_public
from engine.errors import RefereeError

NEEDS_TAG = 40067
"""Code of a forum in which each post must have a tag."""


@contextmanager
def refusals() -> Iterator[None]:
    """Say why Discord makes no thread. Codes: "no-thread", "no-thread/full", "no-thread/tag", "no-thread/refused"."""
    try:
        yield
    except discord.Forbidden:
        raise RefereeError("no-thread") from None
    except discord.HTTPException as error:
        if channels.is_outage(error):
            raise
        if error.code == channels.FULL:
            raise RefereeError("no-thread/full") from None
        if error.code == NEEDS_TAG:
            raise RefereeError("no-thread/tag", tag=_(tags.OPEN_SEAT)) from None
        raise RefereeError("no-thread/refused", text=Typed(error.text, 200)) from None


async def open_post(client: discord.Client, interaction: discord.Interaction[Any], forum: int, name: str) -> int:
    """Open a new post for a person who is allowed to. Returns its id. Codes: "no-thread/forum", "no-thread/you",
    "missing-permission", "timed-out", and those of `refusals`."""
    channel = await _forum(client, interaction.guild_id or 0, forum)
    assert client.user is not None
    me, asker = await channel.guild.fetch_member(client.user.id), interaction.user
    permissions.refuse_if_timed_out(me.timed_out_until)
    here = channel.permissions_for(me)
    kinds = (discord.ChannelType.text, discord.ChannelType.public_thread)
    lacking = dict.fromkeys(name for kind in kinds for name in permissions.missing(here, kind))
    permissions.refuse_if(list(lacking), forum)
    member = await channel.guild.fetch_member(asker.id)
    if not channel.permissions_for(member).send_messages:
        raise RefereeError("no-thread/you")
    usable = [tag for tag in channel.available_tags if here.manage_threads or not tag.moderated]
    ours = tags.tags_of([{"id": tag.id, "name": tag.name} for tag in usable])
    free = [ours[tags.OPEN_SEAT]] if tags.OPEN_SEAT in ours else []
    with in_public():
        text = _("🪑 **{name}** is starting an island game.", name=safe_name(asker.display_name))
    post = {"name": name, "auto_archive_duration": WEEK, "applied_tags": free}
    flags = discord.MessageFlags(suppress_embeds=True).value
    message = {"content": text, "allowed_mentions": {"parse": []}, "flags": flags}
    route = Route("POST", "/channels/{channel_id}/threads", channel_id=forum)
    with refusals():  # discord.py's own method has a parameter that Discord doesn't document
        made = await client.http.request(route, json={**post, "message": message})
    return int(made["id"])


async def _forum(client: discord.Client, guild: int, forum: int) -> discord.ForumChannel:
    try:
        channel = await (await client.fetch_guild(guild, with_counts=False)).fetch_channel(forum)
    except discord.HTTPException as error:
        if channels.is_outage(error):
            raise
        raise RefereeError("no-thread/forum") from None
    if not isinstance(channel, discord.ForumChannel):
        raise RefereeError("no-thread/forum")
    return channel
