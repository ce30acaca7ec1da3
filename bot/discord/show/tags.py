"""Tags of the forum post in which a game is: whether there is an open seat, the game runs, or is over.

They are those of the forum with the names that `NAMES` has; a forum that has none is left alone.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

import discord

from bot.discord.show import channels
from bot.discord.show.display import Display
from bot.projections import Projections
from bot.table.table import ARCHIVED, CANCELLED, LOBBY, OVER, RUNNING, Table
from bot.words.language import N_, _

log = logging.getLogger(__name__)

OPEN_SEAT = N_("Open seat")
NAMES = {LOBBY: OPEN_SEAT, RUNNING: N_("Running"), ARCHIVED: N_("Running"), OVER: N_("Over"), CANCELLED: N_("Over")}
"""By the state of a table."""
TAG = "tag:"
"""Begins the name of what is noted once a table's post has its tag: the rest is the state, and the channel is the post.
A channel that is no post is noted, too."""
MOST, MOST_OF_A_POST = 20, 5
"""Tags that a forum, and a post, may have."""

Json = Mapping[str, Any]


async def show(display: Display, table: Table, known: Projections) -> float | None:
    """Tag the post that a table is in; in how many seconds it has to be tried again, None: it is done.

    Raises what an outage does.
    """
    projections, name = display.services.projections, f"{TAG}{table.status}"
    noted = known.get(name)
    if noted is not None and noted.channel == table.channel:
        return None
    left = {found.channel for what, found in known.items() if what.startswith(TAG)} - {table.channel, None}
    try:
        for channel in left:
            await _tag(display.client, channel or 0, None)
        await _tag(display.client, table.channel, NAMES[table.status])
    except discord.RateLimited as error:
        return error.retry_after
    except discord.HTTPException as error:
        if channels.is_outage(error):
            raise
        log.info("Game %d: its post can't be tagged: %s", table.number, error)
    for what in known:
        if what.startswith(TAG) and what != name:
            await projections.gone(table.number, what)
    await projections.shown(table.number, name, table.version, channel=table.channel)
    return None


async def _tag(client: discord.Client, channel: int, name: str | None) -> None:
    """Give a post one of these tags, and none of the others; all that people have given it stay."""
    post: Json = await client.http.get_channel(channel)
    if post["type"] != discord.ChannelType.public_thread.value or post["thread_metadata"].get("archived"):
        return
    forum: Json = await client.http.get_channel(int(post["parent_id"]))
    ours = tags_of(forum.get("available_tags") or ())
    if not ours:
        return
    there = [str(tag) for tag in post.get("applied_tags") or ()]
    others = [tag for tag in there if tag not in ours.values()]
    wanted = [*others[: MOST_OF_A_POST - 1], *filter(None, [ours.get(name or "")])]
    if wanted != there:
        await client.http.edit_channel(channel, applied_tags=wanted)


def tags_of(available: Iterable[Json]) -> dict[str, str]:
    """Ids by the names in `NAMES`, of those that a forum has."""
    said = {_(name).casefold(): name for name in NAMES.values()}
    return {said[known]: str(tag["id"]) for tag in available if (known := tag["name"].strip().casefold()) in said}


async def make(client: discord.Client, forum: int) -> list[str]:
    """Add the tags that a forum lacks; the names of those that can't be. Raises what an outage does."""
    found: Json = await client.http.get_channel(forum)
    there = list(found.get("available_tags") or ())
    missing = [name for name in dict.fromkeys(NAMES.values()) if name not in tags_of(there)]
    if not missing:
        return []
    try:
        if len(there) + len(missing) <= MOST:
            await client.http.edit_channel(forum, available_tags=[*there, *({"name": _(name)} for name in missing)])
            return []
    except discord.HTTPException as error:
        if channels.is_outage(error):
            raise
        log.info("A forum's tags can't be made: %s", error)
    return [_(name) for name in missing]
