"""Tags of a game's forum post: whether there is an open seat, the game is running, or it is over.

They are the forum's own tags with the names in `NAMES`; a forum that has none of them is left alone.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

import discord

from bot.discord.show import channels
from bot.discord.show.display import Display
from bot.projections import Kind, Move, Name, Place, Projections, moved, of_kind
from bot.table.table import ARCHIVED, CANCELLED, LOBBY, OVER, RUNNING, Table
from bot.words.language import N_, _

log = logging.getLogger(__name__)

OPEN_SEAT = N_("Open seat")
NAMES = {LOBBY: OPEN_SEAT, RUNNING: N_("Running"), ARCHIVED: N_("Running"), OVER: N_("Over"), CANCELLED: N_("Over")}
"""Names of tags, by the status of a table."""
MOST, MOST_OF_A_POST = 20, 5
"""Tags that a forum, and a post, can have."""

Json = Mapping[str, Any]


async def show(display: Display, table: Table, known: Projections) -> float | None:
    """Tag the post that a table is in. Returns the seconds until the next try; None: it is done.

    Raises Discord's error in an outage.
    """
    name, here, tagged = Name(Kind.TAG, table.status), Place(table.channel), of_kind(known, Kind.TAG)
    if any(one.name == name and one.place == here for one in tagged):
        return None
    try:
        for left in {one.place.channel for one in tagged if one.place is not None} - {table.channel}:
            await _tag(display.client, left, None)
        await _tag(display.client, table.channel, NAMES[table.status])
    except discord.RateLimited as error:
        return error.retry_after
    except discord.HTTPException as error:
        if channels.is_outage(error):
            raise
        log.info("Game %d: its post can't be tagged: %s", table.number, error)
    noted = moved(known.get(name), name, Move.COVER, table.version, here)  # a channel that is no post, too
    await display.services.projections.note(table.number, [noted], [one.name for one in tagged if one.name != name])
    return None


async def _tag(client: discord.Client, channel: int, name: str | None) -> None:
    """Give a post the tag with this name, and no other of `NAMES`; tags that people have given it stay."""
    post: Json = await client.http.get_channel(channel)
    if post["type"] != discord.ChannelType.public_thread.value or post["thread_metadata"].get("archived"):
        return
    forum: Json = await client.http.get_channel(int(post["parent_id"]))
    ours = tags_of(forum.get("available_tags") or ())
    if not ours:
        return
    applied = [str(tag) for tag in post.get("applied_tags") or ()]
    others = [tag for tag in applied if tag not in ours.values()]
    wanted = [*others[: MOST_OF_A_POST - 1], *filter(None, [ours.get(name or "")])]
    if wanted != applied:
        await client.http.edit_channel(channel, applied_tags=wanted)


def tags_of(available: Iterable[Json]) -> dict[str, str]:
    """Ids of the tags that a forum has, by their names in `NAMES`."""
    names = {_(name).casefold(): name for name in NAMES.values()}
    return {names[title]: str(tag["id"]) for tag in available if (title := tag["name"].strip().casefold()) in names}


async def make(client: discord.Client, forum: int) -> list[str]:
    """Add the tags that a forum lacks. Returns the names of those that can't be added. Raises in an outage."""
    data: Json = await client.http.get_channel(forum)
    tags = list(data.get("available_tags") or ())
    missing = [name for name in dict.fromkeys(NAMES.values()) if name not in tags_of(tags)]
    if not missing:
        return []
    try:
        if len(tags) + len(missing) <= MOST:
            await client.http.edit_channel(forum, available_tags=[*tags, *({"name": _(name)} for name in missing)])
            return []
    except discord.HTTPException as error:
        if channels.is_outage(error):
            raise
        log.info("A forum's tags can't be made: %s", error)
    return [_(name) for name in missing]
