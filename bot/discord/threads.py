"""A game's own thread: opened in a channel, or as a post in a server's forum, and removed again if its table might
never have been opened, since the process died or the store was out of reach."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import discord
from discord.http import Route

from bot.discord.context import AppContext
from bot.discord.show import channels, permissions, servers
from bot.discord.show.private import WEEK_IN_MINUTES
from bot.languages import Language
from bot.plaintext import TypedText, safe_name
from bot.store import Unavailable
from bot.words.language import _, speaking
from engine.errors import RefereeError

NEEDS_TAG = 40067
"""Code of a forum in which each post must have a tag."""


@contextmanager
def _thread_refusals() -> Iterator[None]:
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
            raise RefereeError("no-thread/tag", tag=_(servers.OPEN_SEAT)) from None
        raise RefereeError("no-thread/refused", text=TypedText(error.text, 200)) from None


async def open_thread(app: AppContext, interaction: discord.Interaction[Any]) -> int:
    """Open a thread for a game in the interaction's channel, or a post in the server's forum. Returns its id. Codes:
    "no-thread", "missing-permission", "not-here"."""
    channel, language = interaction.channel, await app.languages.public(interaction)
    with speaking(language):
        name = _("{name}'s island game", name=safe_name(interaction.user.display_name))[:100]
    forum = (await app.services.servers.settings(interaction.guild_id or 0)).forum
    if forum:
        return await _open_post(app.client, interaction, forum, name, language)
    if not isinstance(channel, discord.TextChannel):
        raise RefereeError("no-thread/here")
    kind = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
    permissions.refuse_if(permissions.missing(interaction.app_permissions, kind), channel.id)
    if not interaction.permissions.create_public_threads:
        raise RefereeError("no-thread/you")
    with _thread_refusals():
        return (await channel.create_thread(name=name, type=kind, auto_archive_duration=WEEK_IN_MINUTES)).id


async def _open_post(
    client: discord.Client, interaction: discord.Interaction[Any], forum: int, name: str, language: Language
) -> int:
    """Open a new post for a person who is allowed to. Returns its id. Codes: "no-thread/forum", "no-thread/you",
    "missing-permission", "timed-out", and those of `_thread_refusals`."""
    channel = await forum_of(client, interaction.guild_id or 0, forum)
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
    ours = servers.tags_of([{"id": tag.id, "name": tag.name} for tag in usable])
    free = [ours[servers.OPEN_SEAT]] if servers.OPEN_SEAT in ours else []
    with speaking(language):
        text = _("🪑 **{name}** is starting an island game.", name=safe_name(asker.display_name))
    post = {"name": name, "auto_archive_duration": WEEK_IN_MINUTES, "applied_tags": free}
    flags = discord.MessageFlags(suppress_embeds=True).value
    message = {"content": text, "allowed_mentions": {"parse": []}, "flags": flags}
    route = Route("POST", "/channels/{channel_id}/threads", channel_id=forum)
    with _thread_refusals():  # discord.py's own method has a parameter that Discord doesn't document
        made = await client.http.request(route, json={**post, "message": message})
    return int(made["id"])


async def forum_of(client: discord.Client, guild: int, forum: int) -> discord.ForumChannel:
    """A server's forum. Raises in an outage. Code: "no-thread/forum", if there is none that the bot can see."""
    try:
        channel = await (await client.fetch_guild(guild, with_counts=False)).fetch_channel(forum)
    except discord.InvalidData:  # of another server
        raise RefereeError("no-thread/forum") from None
    except discord.HTTPException as error:
        if channels.is_outage(error):
            raise
        raise RefereeError("no-thread/forum") from None
    if not isinstance(channel, discord.ForumChannel):
        raise RefereeError("no-thread/forum")
    return channel


LATER = 60.0
"""Seconds after which either a table has been opened in the thread that was made for it, or none will be."""


def drop_later(app: AppContext, thread: int, *, new: bool = False) -> None:
    """Remove a thread that was made for a table, if a minute later none has been opened and no one has written in it.
    Right now, a table might be about to be opened, or the store can't say. Nothing is opened anymore in a thread that
    an earlier process made, if there is only one at a time: it is removed at once, unless it is `new`."""

    def begin() -> None:
        if not app.in_flight.closing:  # else the next start looks for it
            app.in_flight.start(_drop_if_empty(app, thread))

    abandoned = (
        not new and not app.services.ownership.shared and discord.utils.snowflake_time(thread).timestamp() < app.began
    )
    asyncio.get_running_loop().call_later(0.0 if abandoned else LATER, begin)


async def _drop_if_empty(app: AppContext, thread: int) -> None:
    try:
        if await app.services.repository.latest(thread) is None and await _is_empty(app, thread):
            await channels.drop(app.client, thread)
    except Unavailable:
        drop_later(app, thread)


async def _is_empty(app: AppContext, thread: int) -> bool:
    """Whether no one has written in a thread, as far as Discord says."""
    try:
        channel: Any = await app.client.http.get_channel(thread)
    except channels.FAILED:
        return False
    return not channel.get("message_count", 1)
