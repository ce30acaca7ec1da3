"""Channels and threads by id: posting, editing and deleting messages; what Discord's error codes mean, when something
that has failed is tried again, and a message without what Discord refuses of it."""

from __future__ import annotations

import hmac
import json
import logging
import re
import zlib
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import aiohttp
import discord
from discord import ui

from bot.discord.show import messages
from bot.discord.show.messages import file_of, without_pictures
from bot.discord.show.wanted import Content
from bot.plaintext import plain
from bot.screens.controls import Reply
from bot.store import Unavailable
from bot.table.table import Table
from bot.words.language import N_, _

log = logging.getLogger(__name__)

T = TypeVar("T")

SILENT = discord.AllowedMentions.none()


def mentions(users: Iterable[int], role: int = 0) -> discord.AllowedMentions:
    """Allowed mentions of a message that mentions these users, and a role (0: none). A post notifies them; an edit only
    shows their names."""
    roles = [discord.Object(role)] if role else False
    unique = dict.fromkeys(users)  # Discord refuses a user who is listed twice
    objects = [discord.Object(user) for user in unique]
    return discord.AllowedMentions(users=objects, everyone=False, roles=roles, replied_user=False)


def kept_mentions(message: discord.Message) -> discord.AllowedMentions:
    """Allowed mentions of an edit that keeps a message's text: the users that it already mentions."""
    return mentions(user.id for user in message.mentions)


FAILED = (
    *(discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError),
    *(json.JSONDecodeError, UnicodeDecodeError),
)
"""Errors of a request to Discord that was refused, got no answer, or got one that can't be read."""
TIMEOUT, LONGEST_REQUEST = 15.0, 120.0
"""Seconds after which a request to Discord has failed: without an answer once it is sent, and in total."""
NO_CHANNEL, NO_ACCESS, FORBIDDEN, ARCHIVED, LOCKED = 10003, 50001, 50013, 50083, 160005
"""Codes of a channel that is gone, that Harbormaster can't see, or in which it lacks a permission; and of a thread that
is archived, or locked."""
NO_MESSAGE = 10008
"""Code of a message that is gone."""
GONE = (NO_CHANNEL, NO_MESSAGE)
FIRST_PART_ID = 1000
"""Lowest number that `make_ready` gives to a part of a message: above the numbers that Discord itself gives."""
MOST_NONCES = 10
"""Most nonces that a post tries: for some minutes Discord refuses one whose message was deleted."""
MALFORMED = 50035
"""Code of a request that is malformed."""
OLD = 30046
"""Code of a message that is too old to be edited again."""
FULL = 160006
"""Code of a server that has as many open threads as it can have."""
NO_TOKEN = (50027, 10015)
"""Codes of an interaction token that Discord doesn't know: it has expired, or Discord is confused for a moment."""


def is_outage(error: BaseException) -> bool:
    """Whether a request failed for a reason outside of it, so that the same request can soon succeed."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status in (408, 429)  # 408: from a rate-limit proxy that got no answer
    return isinstance(error, FAILED)


@contextmanager
def if_allowed() -> Iterator[None]:
    """Do something that Discord can refuse, where nothing depends on it. Raises in an outage."""
    try:
        yield
    except discord.HTTPException as error:
        if is_outage(error):
            raise


def channel_of(client: discord.Client, channel: int) -> discord.PartialMessageable:
    """The channel, for sending and editing, made without asking Discord."""
    return client.get_partial_messageable(channel)


async def post(
    client: discord.Client,
    channel: int,
    table: Table,
    name: str,
    since: int,
    content: Content,
    *,
    pings: Collection[int] = (),
    loud: bool = False,
    ours: Callable[[], bool] = lambda: True,
) -> discord.Message:
    """Post a message once, however often this is tried: the process can die before it learns the message's id.

    Everyone can see the nonce that ensures this, so it must not reveal the version.

    `since`: the version that first wanted the message; the same name can be wanted again later.
    `pings`: users whom it can mention. Without any, and unless it is `loud`, it notifies no one, not even people who
    have all messages notify them.
    `ours`: whether this process still owns the game. A process that stood still might not: the one that owns it now has
    perhaps posted the message, and deleted it again. Raises `Unavailable` then.
    """
    view = content.view
    fields: dict[str, Any] = {"view": view}
    if view is None:
        fields = {"content": messages.with_signs(client, content.text), "suppress_embeds": True}
    if content.buttons is not None:
        fields["view"] = content.buttons
    where, number = channel_of(client, channel), make_ready(client, view) if view is not None else None
    for attempt in range(MOST_NONCES):
        if not ours():
            raise Unavailable("another process shows the game by now")
        nonce = nonce_of(client, f"{table.commitment}:{name}:{since}:{attempt}")
        files = [file_of(part) for part in content.parts]
        try:
            sent = await where.send(
                **fields,
                files=files,
                nonce=nonce,
                allowed_mentions=mentions(pings, content.role),
                silent=not (pings or content.role or loud),
            )
            if view is not None and _first(discord.ui.LayoutView.from_message(sent)).id != number:  # of an earlier try
                files = [file_of(part) for part in content.parts]
                sent = await sent.edit(view=view, attachments=files, allowed_mentions=mentions(pings))
            return sent
        except discord.HTTPException as error:
            # For some minutes Discord refuses a nonce whose message was deleted, perhaps just before the edit.
            if error.code != NO_MESSAGE or attempt == MOST_NONCES - 1:
                raise
    raise AssertionError("the last attempt raises")


def nonce_of(client: discord.Client, what: str) -> str:
    """The nonce of a post. Everyone can see it, so it reveals nothing of what it is made of."""
    return hmac.digest((client.http.token or "").encode(), what.encode(), "sha256").hex()[:24]


def make_ready(client: discord.Client, view: discord.ui.LayoutView) -> int:
    """Put the client's own emoji into a layout, and number its first part by the layout's content. Returns the number.

    Discord can change texts, but not this number. The other parts get the same numbers in a post and in an edit.
    """
    messages.put_in_signs(client, view)
    components: Any = view.to_components()  # type: ignore[no-untyped-call]
    plain = re.sub(r"(?<!<t:)\b[0-9]{9,}", "", json.dumps(components, sort_keys=True))  # without ids
    number = FIRST_PART_ID + zlib.crc32(plain.encode()) % 2**30
    _first(view).id = number
    return number


def _first(view: discord.ui.LayoutView) -> discord.ui.Item[Any]:
    return view.children[0]


async def edit(
    client: discord.Client,
    channel: int,
    message: int,
    content: Content,
    files: Callable[[], list[Any]],
    named: Collection[int] = (),
) -> discord.Message | None:
    """Edit a message, including its files. None if it is gone or can no longer be edited.

    Buttons below a text stay. An edit notifies no one; `named` are users whom Discord's clients then show by name.
    """
    target = channel_of(client, channel).get_partial_message(message)

    def do() -> Awaitable[discord.Message]:
        if content.view is None:
            return target.edit(content=messages.with_signs(client, content.text), allowed_mentions=mentions(named))
        return target.edit(view=content.view, attachments=files(), allowed_mentions=mentions(named))

    try:
        return await awake(client, channel, do)
    except discord.HTTPException as error:
        if error.code in (*GONE, OLD):
            return None
        raise


async def delete(client: discord.Client, channel: int, message: int) -> None:
    """Delete a message, which might already be gone."""
    try:
        await awake(client, channel, channel_of(client, channel).get_partial_message(message).delete)
    except discord.HTTPException as error:
        if error.code not in GONE:
            raise


async def delete_if_allowed(client: discord.Client, channel: int, message: int) -> None:
    """Delete a message to one person, or in a channel that a game has left. If Discord never lets it go, it stays."""
    with if_allowed():
        await delete(client, channel, message)


async def awake(client: discord.Client, channel: int, do: Callable[[], Awaitable[T]]) -> T:
    """Do something in a channel. If that is an archived thread, unarchive it and try again."""
    try:
        return await do()
    except discord.HTTPException as error:
        if error.code != ARCHIVED or not await awaken(client, channel):
            raise
        return await do()


async def awaken(client: discord.Client, thread: int) -> bool:
    """Unarchive a thread. False if Harbormaster lacks the permission, or someone has locked the thread.

    Raises Discord's error in an outage, or if the server has too many open threads.
    """
    try:
        channel: Any = await client.http.get_channel(thread)
        if channel.get("thread_metadata", {}).get("locked", True):
            return False
        await client.http.edit_channel(thread, archived=False)
    except FAILED as error:
        if is_outage(error) or getattr(error, "code", None) == FULL:
            raise
        return False
    return True


async def drop(client: discord.Client, thread: int) -> None:
    """Delete a thread in which no table was opened. If Discord forbids that, archive it, as its creator can."""
    with suppress(*FAILED):
        try:
            await client.http.delete_channel(thread)
        except discord.Forbidden:
            await client.http.edit_channel(thread, archived=True)


def limit_of(error: BaseException) -> float:
    """Seconds for which a rate limit lasts that a request has met; 0: it has met none."""
    return error.retry_after if isinstance(error, discord.RateLimited) else 0.0


def ends_elsewhere(error: BaseException) -> bool:
    """Whether an error is an outage, which is over as soon as any other request succeeds."""
    return is_outage(error) and not limit_of(error)


@dataclass(frozen=True, slots=True)
class Backoff:
    """Seconds until the next try, by how many in a row have failed; the last wait repeats. A rate limit says itself how
    long it lasts."""

    outage: tuple[float, ...]
    refusal: tuple[float, ...] = ()
    """The waits if it is no outage, but a refusal by Discord, or a bug; empty: the same ones."""

    def after(self, failures: int, error: BaseException | None = None) -> float:
        """Seconds until the next try after this many failures in a row, of which `error` is the latest."""
        if error is not None and (limit := limit_of(error)):
            return limit
        waits = self.refusal if self.refusal and error is not None and not is_outage(error) else self.outage
        return waits[min(failures, len(waits)) - 1] if failures else 0.0


REFUSED_FILES = (400001, 40005, 50045, 50046, 20009)
"""Codes of refused files: uploads are limited on the server; a file is too large, invalid, or against its filter."""
NO_PICTURES = N_("-# Discord takes no pictures or files from me here right now.")
NO_CONTROLS = N_("-# Discord refused the rest of this message.")
ANSWER_REFUSED = N_("Discord refused my answer. What you did counts: the game message shows how things stand.")


def is_refusal(error: BaseException) -> bool:
    """Whether Discord has refused a request, so that the same request won't succeed soon."""
    return isinstance(error, discord.HTTPException) and not is_outage(error)


def is_unreached(error: BaseException) -> bool:
    """Whether Discord refuses that a person is written to, in a direct message or a private thread: they take none
    (50007), share no server with Harbormaster (50278), are gone (10013, 50033), or anything else. Where it gives no
    code, it refuses Harbormaster itself; and a message comes without an emoji that it refuses."""
    return is_refusal(error) and getattr(error, "code", 0) != 0 and not is_about_emoji(error)


def is_about_files(error: BaseException) -> bool:
    """Whether Discord has refused a message because of its files."""
    return isinstance(error, discord.HTTPException) and (error.code in REFUSED_FILES or error.status == 413)


def is_about_emoji(error: BaseException) -> bool:
    """Whether Discord has refused a message because of an emoji. The program's own ones can be deleted anytime."""
    return isinstance(error, discord.HTTPException) and error.code == MALFORMED and ".emoji" in error.text


def reason_given(error: discord.HTTPException) -> str:
    """What Discord says, without the details of what was sent."""
    return plain(error.text.partition("\n")[0], 200) or str(error.code or error.status)


def without_files(content: Content) -> Content:
    """The same content, which says that its files can't be shown."""
    assert content.view is not None
    view = without_pictures(content.view)
    view.add_item(ui.TextDisplay(_(NO_PICTURES)))
    log.warning("Discord refuses files here; a message is shown without them")
    return Content(view)


def reduced(client: discord.Client, reply: Reply, error: discord.HTTPException) -> Reply | None:
    """A refused answer without what Discord refuses of it; in the end one sentence. None: that was refused, too."""
    if is_about_emoji(error) and messages.doubt_emoji(client):
        return reply
    files = reply.picture is not None or bool(reply.downloads)
    if files and is_about_files(error):
        return replace(reply, picture=None, downloads=(), text=f"{reply.text}\n{_(NO_PICTURES)}")
    if files or reply.rows:
        return Reply(f"{reply.text}\n{_(NO_CONTROLS)}")
    return Reply(_(ANSWER_REFUSED)) if reply.text != _(ANSWER_REFUSED) else None
