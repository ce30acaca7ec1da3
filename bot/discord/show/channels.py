"""Where the bot writes: channels and threads by id, the permissions that are needed, sending and editing."""

from __future__ import annotations

import hmac
import json
import re
import zlib
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, TypeVar

import aiohttp
import discord

from bot.discord.show import signs
from bot.discord.show.messages import file_of
from bot.discord.show.wanted import Content
from bot.table.table import Table

T = TypeVar("T")

SILENT = discord.AllowedMentions.none()


def mentions(users: Iterable[int]) -> discord.AllowedMentions:
    """Of a message that names these users by mentions: a post notifies them, an edit only shows who they are."""
    once = dict.fromkeys(users)  # Discord refuses one who is named twice
    named = [discord.Object(user) for user in once]
    return discord.AllowedMentions(users=named, everyone=False, roles=False, replied_user=False)


def still(message: discord.Message) -> discord.AllowedMentions:
    """Of an edit that keeps a message's text: those whom it names by mentions."""
    return mentions(user.id for user in message.mentions)


FAILED = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError)
"""How a request to Discord fails: refused, or without an answer."""
TIMEOUT, LONGEST = 15.0, 120.0
"""Seconds after which a request to Discord that gets no answer has failed, and one that is still being sent."""
CLOSED = (50007, 50278, 10013)
"""Codes of a DM that Discord refuses: they take none, share no server with the bot, or are no more."""
NO_CHANNEL, NO_ACCESS, FORBIDDEN, ARCHIVED, LOCKED = 10003, 50001, 50013, 50083, 160005
"""Codes of a channel that is no more, that the bot can't see or may not do something in, or of a thread that is
archived, or locked."""
GONE = (10003, 10008)
"""Codes of a channel or message that is no more."""
FIRST = 1000
"""Above the numbers that Discord gives to the parts of a message itself."""
DELETED = 10
"""How often a message can be deleted within minutes and is still posted anew."""
MALFORMED = 50035
"""Code of a request that Discord finds wrong in itself."""
OLD = 30046
"""Code of a message that is too old to be edited once more."""
FULL = 160006
"""Code of a server that has as many open threads as it can."""
BAD_TOKEN = 50027
"""Code of an interaction's token that isn't valid: it is over, or Discord is confused for a moment."""


def is_outage(error: BaseException) -> bool:
    """Whether a failed request says nothing about itself: the same may well succeed in a moment."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status in (408, 429)  # 408: a rate-limit proxy's, for want of an answer
    return isinstance(error, FAILED)


def place(client: discord.Client, channel: int) -> discord.PartialMessageable:
    """The channel to send to and to edit in, without asking Discord."""
    return client.get_partial_messageable(channel)


async def post(
    client: discord.Client,
    channel: int,
    table: Table,
    name: str,
    since: int,
    said: Content,
    *,
    pings: Collection[int] = (),
    loud: bool = False,
) -> discord.Message:
    """Post a message once, however often it is tried: the bot may die before it knows its id. All see what says so to
    Discord, and it must not tell them the version.

    `since`: the version at which the wish to post it arose, where that happens more than once under a name.
    `pings`: users whom it may mention; without any, and unless it is `loud`, it notifies nobody, not even who wants to
    hear of all that is written.
    """
    view = said.view
    content: dict[str, Any] = {"view": view} if view is not None else {"content": signs.written(client, said.text)}
    if said.buttons is not None:
        content["view"] = said.buttons
    where, marked = place(client, channel), ready(client, view) if view is not None else None
    for attempt in range(DELETED):
        what = f"{table.commitment}:{name}:{since}:{attempt}"
        nonce = hmac.digest((client.http.token or "").encode(), what.encode(), "sha256").hex()[:24]
        files = [file_of(part) for part in said.parts]
        try:
            sent = await where.send(
                **content, files=files, nonce=nonce, allowed_mentions=mentions(pings), silent=not (pings or loud)
            )
        except discord.HTTPException as error:
            # For some minutes Discord refuses to post again what was posted under a nonce and deleted since.
            if error.code != GONE[1] or attempt == DELETED - 1:
                raise
        else:
            if view is not None and _first(discord.ui.LayoutView.from_message(sent)).id != marked:  # an earlier try's
                files = [file_of(part) for part in said.parts]
                sent = await sent.edit(view=view, attachments=files, allowed_mentions=mentions(pings))
            return sent
    raise AssertionError("the last attempt raises")


def ready(client: discord.Client, view: discord.ui.LayoutView) -> int:
    """Put the client's own emoji into a layout and number its first part by what all of it says: texts may come back
    changed, and this doesn't. The other parts get the same numbers in a post and in an edit."""
    signs.put_in(client, view)
    said: Any = view.to_components()  # type: ignore[no-untyped-call]
    plain = re.sub("[0-9]{9,}", "", json.dumps(said, sort_keys=True))  # without times and ids
    number = FIRST + zlib.crc32(plain.encode()) % 2**30
    _first(view).id = number
    return number


def _first(view: discord.ui.LayoutView) -> discord.ui.Item[Any]:
    return view.children[0]


async def edit(
    client: discord.Client,
    channel: int,
    message: int,
    said: Content,
    files: Callable[[], list[Any]],
    named: Collection[int] = (),
) -> discord.Message | None:
    """Edit a message, and what files it has; None when it is gone or can't be edited any more. Buttons below a text
    stay. An edit notifies nobody: those who are `named` clients show by name."""
    target = place(client, channel).get_partial_message(message)

    def do() -> Awaitable[discord.Message]:
        if said.view is None:
            return target.edit(content=signs.written(client, said.text), allowed_mentions=mentions(named))
        return target.edit(view=said.view, attachments=files(), allowed_mentions=mentions(named))

    try:
        return await awake(client, channel, do)
    except discord.HTTPException as error:
        if error.code in (*GONE, OLD):
            return None
        raise


async def delete(client: discord.Client, channel: int, message: int) -> None:
    """Delete a message; it may be gone already."""
    try:
        await awake(client, channel, place(client, channel).get_partial_message(message).delete)
    except discord.HTTPException as error:
        if error.code not in GONE:
            raise


async def awake(client: discord.Client, channel: int, do: Callable[[], Awaitable[T]]) -> T:
    """Do something in a channel; in a thread that is archived once more after it was taken out of the archive."""
    try:
        return await do()
    except discord.HTTPException as error:
        if error.code != ARCHIVED or not await awaken(client, channel):
            raise
        return await do()


async def awaken(client: discord.Client, thread: int) -> bool:
    """Take a thread out of the archive; False where the bot may not, or somebody has locked it.

    Raises what Discord says when it can't just now, or because so many are open.
    """
    try:
        found: Any = await client.http.get_channel(thread)
        if found.get("thread_metadata", {}).get("locked", True):
            return False
        await client.http.edit_channel(thread, archived=False)
    except FAILED as error:
        if is_outage(error) or getattr(error, "code", None) == FULL:
            raise
        return False
    return True


def fell_asleep(thread: Mapping[str, Any]) -> bool:
    """Whether Discord has archived a thread by itself, since nobody had written in it for so long; else it was
    somebody."""
    state = thread["thread_metadata"]
    last = discord.utils.snowflake_time(int(thread.get("last_message_id") or thread["id"]))
    asleep: datetime = discord.utils.parse_time(state["archive_timestamp"])
    return asleep - last >= timedelta(minutes=state["auto_archive_duration"] - 1)


async def drop(client: discord.Client, thread: int) -> None:
    """Put away a thread in which no table was opened. Its creator may archive it, but perhaps not delete it."""
    with suppress(*FAILED):
        try:
            await client.http.delete_channel(thread)
        except discord.Forbidden:
            await client.http.edit_channel(thread, archived=True)
