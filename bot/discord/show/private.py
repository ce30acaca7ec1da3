"""How something reaches one person: by direct message, only if they asked for that, in a channel that is opened once;
or in a private thread, at a table that wants them, for their hand and their story, also to read later.

Discord shows a private thread to its members, and to people who can manage threads.
"""

from __future__ import annotations

from collections.abc import Awaitable
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

import discord

from bot.discord.show import channels, permissions
from bot.discord.show.display import Display
from bot.discord.show.messages import plain
from bot.discord.show.wanted import Content
from bot.projections import Kind, Move, Name, Place, Projections, moved, of_kind
from bot.service.people import LONGEST_QUEUE, OPENINGS_APART, STOPPED_FOR
from bot.table.preferences import DM, UserSettings
from bot.table.table import Table
from bot.words.language import _
from engine.errors import RefereeError

T = TypeVar("T")

TOO_MANY_DMS = (20026, 40003)
"""Codes with which Discord refuses direct messages because Harbormaster has opened too many, or too fast."""
NO_TURN_LEFT = LONGEST_QUEUE + OPENINGS_APART
"""Seconds after which someone is looked at again for whom there was no turn to be written to."""
DM_REFUSED = (*channels.CLOSED, *TOO_MANY_DMS)


def wants_dms(settings: UserSettings) -> bool:
    """Whether a person has asked for direct messages and, as far as is known, takes them."""
    return (settings.dms or settings.choices.reminders == DM) and not settings.dms_closed


def called_by_dm(table: Table, settings: UserSettings) -> bool:
    """Whether a direct message calls a person to a game, instead of a ping."""
    return settings.called_by_dm and not table.options.rooms


async def post_dm(
    display: Display,
    user: int,
    table: Table,
    name: str,
    since: int,
    content: Content,
) -> Place:
    """Send a person a message about a game, once. Returns where it is.

    Raises Discord's errors, with codes of `DM_REFUSED` among them.
    """
    channel = await _dm_channel(display, user)
    return Place(channel, await _watched(display, display.post(channel, table, name, since, content, loud=True)))


async def greet(display: Display, user: int) -> None:
    """Write to a person who has just asked for direct messages. Raises as `post_dm`."""
    channel = await _dm_channel(display, user)
    text = _("Your hands and reminders come here, for all your games. You can turn this off in `/settings`.")
    where, nonce = channels.channel_of(display.client, channel), f"hello-{user}"[:25]  # pressing twice sends it once
    await _watched(display, where.send(view=plain(text), nonce=nonce, allowed_mentions=channels.SILENT))


async def wait_for_dm(display: Display, settings: UserSettings) -> float:
    """Seconds until a person can be written to: a channel that isn't open yet waits for its turn. `NO_TURN_LEFT`: there
    is no turn left, and they can ask for one then."""
    if settings.choices.direct:
        return 0.0
    if settings.stopped:
        return STOPPED_FOR
    wait = await display.services.directs.wait(settings.user)
    return NO_TURN_LEFT if wait is None else wait


async def _dm_channel(display: Display, user: int) -> int:
    """The channel of a person's direct messages, which is opened if necessary."""
    services = display.services
    settings = await services.people.settings(user)
    if settings.choices.direct:
        return settings.choices.direct
    channel = await _watched(display, display.client.create_dm(discord.Object(user)))
    services.directs.opened(user)
    await services.people.change_settings(user, choices={"direct": channel.id})
    return channel.id


async def _watched(display: Display, request: Awaitable[T]) -> T:
    """The result of a request. If Discord refuses it as one too many, no more are made for hours."""
    try:
        return await request
    except discord.HTTPException as error:
        if error.code in TOO_MANY_DMS:
            await display.services.directs.stop()
        raise


WEEK_IN_MINUTES: Final = 10080
"""Minutes without a message after which Discord archives a thread."""


async def check_rooms(client: discord.Client, interaction: discord.Interaction[Any]) -> None:
    """Refuse if no private threads can be made. Codes: "missing-permission", "rooms"."""
    channel = interaction.channel
    if channel is None or interaction.guild_id is None:
        raise RefereeError("rooms")
    permissions.refuse_if(permissions.missing_for_rooms(interaction.app_permissions), channel.id)
    if (await _channel_above(client, channel.id))["type"] != discord.ChannelType.text.value:
        raise RefereeError("rooms")


async def post_in_room(display: Display, table: Table, user: int, name: str, since: int, content: Content) -> Place:
    """Post a message in a user's thread, once. Returns where it is. Raises Discord's errors.

    Discord doesn't say who leaves a thread, or loses it with the server. So the user is added each time.
    """
    known = await display.services.projections.visible(table.number)
    thread, new = await _room_of(display, table, user, known)
    try:
        if not new:
            await channels.awake(display.client, thread, partial(_add_to_room, display.client, thread, user))
        return await _post(display, table, thread, name, since, content)
    except discord.HTTPException as error:
        if error.code != channels.NO_CHANNEL or new:
            raise
    await display.services.projections.note(table.number, gone=[_room_name(user)])  # someone has deleted the thread
    thread, new = await _room_of(display, table, user, {})
    return await _post(display, table, thread, name, since, content)


async def leave_rooms(display: Display, table: Table, projections: Projections) -> None:
    """Remove users who have given up their seats from their threads, which keep their content."""
    for room in of_kind(projections, Kind.ROOM):
        if room.name.user in table.users:
            continue
        if room.place is not None:
            with suppress(discord.NotFound, discord.Forbidden):
                await display.client.http.remove_user_from_thread(room.place.channel, room.name.user)
        await display.services.projections.note(table.number, gone=[room.name])


def _room_name(user: int) -> Name:
    """Name of the projection of a user's thread. While it is being posted, the thread might have been made."""
    return Name(Kind.ROOM, user=user)


async def _post(display: Display, table: Table, thread: int, name: str, since: int, content: Content) -> Place:
    return Place(thread, await display.post(thread, table, f"{name}.{thread}", since, content))


async def _room_of(display: Display, table: Table, user: int, known: Projections) -> tuple[int, bool]:
    """A user's thread, which is made if necessary, and whether it is new."""
    name, number, store = _room_name(user), table.number, display.services.projections
    projection = known.get(name)
    if projection is not None and projection.posted is not None:
        return projection.posted.channel, False
    title = _("{name}, game {number}", number=number, name=table.members[table.users.index(user)].name)[:100]
    thread = None if projection is None else await _find_thread(display.client, table, title)
    if thread is None:
        if projection is None:  # if the process dies now, the thread might exist
            projection = moved(None, name, Move.POST, table.version)
            await store.note(number, [projection])
        above = int((await _channel_above(display.client, table.channel))["id"])
        made: Any = await display.client.http.start_thread_without_message(
            above,
            name=title,
            type=discord.ChannelType.private_thread.value,
            auto_archive_duration=WEEK_IN_MINUTES,
            invitable=False,
        )
        thread = int(made["id"])
    await _add_to_room(display.client, thread, user)
    await store.note(number, [moved(projection, name, Move.SENT, table.version, Place(thread))])
    return thread, True


async def _add_to_room(client: discord.Client, thread: int, user: int) -> None:
    """Add a user to a thread, unless they are in it."""
    await client.http.add_user_to_thread(thread, user)


async def _channel_above(client: discord.Client, channel: int) -> Any:
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
