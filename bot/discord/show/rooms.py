"""Private threads: at a table that wants it each player has one for their hand and their story, to be read later, too.

Discord shows a private thread to who is in it, and to who may manage threads.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import discord

from bot.discord.show import channels, permissions
from bot.discord.show.display import Display
from bot.discord.show.wanted import Content
from bot.projections import Projections
from bot.table.table import Table
from bot.words.language import _
from engine.errors import RefereeError

ROOM = "room:"
"""Begins the name of somebody's thread. Without a channel it may have been made."""
WEEK: Final = 10080
"""Minutes after which Discord puts a thread to sleep in which nothing is written."""
NOWHERE = 10003
"""Code of a channel that is gone."""


async def check(client: discord.Client, interaction: discord.Interaction[Any]) -> None:
    """Refuse where no private threads can be made. Codes: "missing-permission", "rooms"."""
    channel = interaction.channel
    if channel is None or interaction.guild_id is None:
        raise RefereeError("rooms")
    permissions.refuse_if(permissions.missing_for_rooms(interaction.app_permissions), channel.id)
    if (await _above(client, channel.id))["type"] != discord.ChannelType.text.value:
        raise RefereeError("rooms")


async def post(display: Display, table: Table, user: int, name: str, since: int, said: Content) -> tuple[int, int]:
    """Post something in somebody's thread, once; its channel and id. Raises what Discord says."""
    known = await display.services.projections.visible(table.number)
    thread, new = await _of(display, table, user, known)
    try:
        return await _post(display, table, thread, name, since, said)
    except discord.HTTPException as error:
        if error.code != NOWHERE or new:
            raise
    await display.services.projections.gone(table.number, f"{ROOM}{user}")  # somebody has deleted it
    thread, new = await _of(display, table, user, {})
    return await _post(display, table, thread, name, since, said)


async def leave(display: Display, table: Table, known: Projections) -> None:
    """Take whoever has given up their seat out of their thread; what it holds stays."""
    for name, found in known.items():
        user = int(name.removeprefix(ROOM)) if name.startswith(ROOM) else 0
        if not user or user in table.users:
            continue
        if found.channel is not None:
            with suppress(discord.NotFound, discord.Forbidden):
                await display.client.http.remove_user_from_thread(found.channel, user)
        await display.services.projections.gone(table.number, name)


async def _post(display: Display, table: Table, thread: int, name: str, since: int, said: Content) -> tuple[int, int]:
    sent = await channels.post(display.client, thread, table, f"{name}.{thread}", since, said)
    display.uploads.note(sent, said.parts)
    return thread, sent.id


async def _of(display: Display, table: Table, user: int, known: Projections) -> tuple[int, bool]:
    """Somebody's thread, and whether it was made just now."""
    name, number, projections = f"{ROOM}{user}", table.number, display.services.projections
    found = known.get(name)
    if found is not None and found.channel is not None:
        return found.channel, False
    title = _("{name}, game {number}", number=number, name=table.members[table.users.index(user)].name)[:100]
    thread = None if found is None else await _made(display.client, table, title)
    if thread is None:
        if found is None:  # should the bot die, it may have been made
            await projections.shown(number, name, table.version)
        above = int((await _above(display.client, table.channel))["id"])
        made: Any = await display.client.http.start_thread_without_message(
            above,
            name=title,
            type=discord.ChannelType.private_thread.value,
            auto_archive_duration=WEEK,
            invitable=False,
        )
        thread = int(made["id"])
    await display.client.http.add_user_to_thread(thread, user)
    await projections.shown(number, name, table.version, channel=thread)
    return thread, True


async def _above(client: discord.Client, channel: int) -> Any:
    """A channel as Discord has it; of a thread, the one that it belongs to."""
    found: Any = await client.http.get_channel(channel)
    if found["type"] in [kind.value for kind in permissions.THREADS]:
        found = await client.http.get_channel(found["parent_id"])
    return found


async def _made(client: discord.Client, table: Table, title: str) -> int | None:
    """The thread with a title that the bot has made before it died, if it has."""
    if table.guild is None or client.user is None:
        return None
    found: Any = await client.http.get_active_threads(table.guild)
    private = discord.ChannelType.private_thread.value
    mine = [t for t in found["threads"] if t["type"] == private and int(t["owner_id"]) == client.user.id]
    return next((int(thread["id"]) for thread in mine if thread["name"] == title), None)
