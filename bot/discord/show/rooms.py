"""Private threads: at a table that wants them, each player has one for their hand and their story, also to read later.

Discord shows a private thread to its members, and to people who can manage threads.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any, Final

import discord

from bot.discord.show import channels, permissions
from bot.discord.show.display import Display
from bot.discord.show.wanted import Content
from bot.projections import Kind, Move, Name, Place, Projections, moved, of_kind
from bot.table.table import Table
from bot.words.language import _
from engine.errors import RefereeError

WEEK: Final = 10080
"""Minutes without a message after which Discord archives a thread."""
NOWHERE = 10003
"""Code of a channel that is gone."""


async def check(client: discord.Client, interaction: discord.Interaction[Any]) -> None:
    """Refuse if no private threads can be made. Codes: "missing-permission", "rooms"."""
    channel = interaction.channel
    if channel is None or interaction.guild_id is None:
        raise RefereeError("rooms")
    permissions.refuse_if(permissions.missing_for_rooms(interaction.app_permissions), channel.id)
    if (await _above(client, channel.id))["type"] != discord.ChannelType.text.value:
        raise RefereeError("rooms")


async def post(display: Display, table: Table, user: int, name: str, since: int, content: Content) -> Place:
    """Post a message in a user's thread, once. Returns where it is. Raises Discord's errors.

    Discord doesn't say who leaves a thread, or loses it with the server. So the user is added each time.
    """
    known = await display.services.projections.visible(table.number)
    thread, new = await _room_of(display, table, user, known)
    try:
        if not new:
            await channels.awake(display.client, thread, partial(_add, display.client, thread, user))
        return await _post(display, table, thread, name, since, content)
    except discord.HTTPException as error:
        if error.code != NOWHERE or new:
            raise
    await display.services.projections.note(table.number, gone=[_name(user)])  # someone has deleted the thread
    thread, new = await _room_of(display, table, user, {})
    return await _post(display, table, thread, name, since, content)


async def leave(display: Display, table: Table, projections: Projections) -> None:
    """Remove users who have given up their seats from their threads, which keep their content."""
    for room in of_kind(projections, Kind.ROOM):
        if room.name.user in table.users:
            continue
        if room.place is not None:
            with suppress(discord.NotFound, discord.Forbidden):
                await display.client.http.remove_user_from_thread(room.place.channel, room.name.user)
        await display.services.projections.note(table.number, gone=[room.name])


def _name(user: int) -> Name:
    """Name of the projection of a user's thread. While it is being posted, the thread might have been made."""
    return Name(Kind.ROOM, user=user)


async def _post(display: Display, table: Table, thread: int, name: str, since: int, content: Content) -> Place:
    return Place(thread, await display.post(thread, table, f"{name}.{thread}", since, content))


async def _room_of(display: Display, table: Table, user: int, known: Projections) -> tuple[int, bool]:
    """A user's thread, which is made if necessary, and whether it is new."""
    name, number, store = _name(user), table.number, display.services.projections
    projection = known.get(name)
    if projection is not None and projection.posted is not None:
        return projection.posted.channel, False
    title = _("{name}, game {number}", number=number, name=table.members[table.users.index(user)].name)[:100]
    thread = None if projection is None else await _find_thread(display.client, table, title)
    if thread is None:
        if projection is None:  # if the process dies now, the thread might exist
            projection = moved(None, name, Move.POST, table.version)
            await store.note(number, [projection])
        above = int((await _above(display.client, table.channel))["id"])
        made: Any = await display.client.http.start_thread_without_message(
            above,
            name=title,
            type=discord.ChannelType.private_thread.value,
            auto_archive_duration=WEEK,
            invitable=False,
        )
        thread = int(made["id"])
    await _add(display.client, thread, user)
    await store.note(number, [moved(projection, name, Move.SENT, table.version, Place(thread))])
    return thread, True


async def _add(client: discord.Client, thread: int, user: int) -> None:
    """Add a user to a thread, unless they are in it."""
    await client.http.add_user_to_thread(thread, user)


async def _above(client: discord.Client, channel: int) -> Any:
    """Discord's data about a channel; for a thread, about the channel that it belongs to."""
    data: Any = await client.http.get_channel(channel)
    if data["type"] in [kind.value for kind in permissions.THREADS]:
        data = await client.http.get_channel(data["parent_id"])
    return data


async def _find_thread(client: discord.Client, table: Table, title: str) -> int | None:
    """Look for a thread with this title that an earlier process made before it died. Returns its id, if any."""
    if table.guild is None or client.user is None:
        return None
    active: Any = await client.http.get_active_threads(table.guild)
    private = discord.ChannelType.private_thread.value
    mine = [t for t in active["threads"] if t["type"] == private and int(t["owner_id"]) == client.user.id]
    return next((int(thread["id"]) for thread in mine if thread["name"] == title), None)
