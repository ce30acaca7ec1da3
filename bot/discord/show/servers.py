"""What a server shows of its games: a list of the open ones, a message that is posted once, and edited at most once a
minute by one process; and the tags of a game's forum post.

A process that changes a table soon checks its server's list. If it dies before that, another process notices: each one
checks all lists from time to time. The tags are the forum's own ones with the names in `TAG_NAMES`, for an open seat, a
running game and one that is over; a forum that has none of them is left alone.
"""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections.abc import Collection, Coroutine, Iterable, Mapping
from dataclasses import replace
from typing import Any

import discord
from cachetools import TTLCache
from discord import ui

from bot import languages
from bot.discord.interaction import Json, recent
from bot.discord.show import channels
from bot.discord.show.display import Display
from bot.discord.show.messages import ACCENT, controls, layout
from bot.discord.show.permissions import was_removed
from bot.discord.show.readers import Readers
from bot.languages import AUTO, Language
from bot.projections import Kind, Move, Name, Place, Projections, moved, of_kind
from bot.screens import servers
from bot.screens.servers import ListedGame
from bot.screens.viewer import Viewer
from bot.servers import Overview
from bot.store import Unavailable
from bot.table.table import ARCHIVED, CANCELLED, LOBBY, OVER, RUNNING, Table
from bot.words.language import N_, _, speaking
from engine.errors import RefereeError

log = logging.getLogger(__name__)

OPEN_SEAT = N_("Open seat")
TAG_NAMES = {LOBBY: OPEN_SEAT, RUNNING: N_("Running"), ARCHIVED: N_("Running"), OVER: N_("Over"), CANCELLED: N_("Over")}
"""Names of tags, by the status of a table; a lobby for invited people has none."""
MOST_TAGS, MOST_TAGS_OF_A_POST = 20, 5
"""Tags that a forum, and a post, can have."""


async def show_tag(display: Display, table: Table, known: Projections) -> float | None:
    """Tag the post that a table is in. Returns the seconds until the next try; None: it is done.

    Raises Discord's error in an outage.
    """
    closed = table.status == LOBBY and table.options.only_invited
    name = Name(Kind.TAG, "closed" if closed else table.status)
    here, tagged = Place(table.channel), of_kind(known, Kind.TAG)
    if any(one.name == name and one.place == here for one in tagged):
        return None
    try:
        for left in {one.place.channel for one in tagged if one.place is not None} - {table.channel}:
            with channels.if_allowed():
                await _tag(display.client, left, None)
        await _tag(display.client, table.channel, None if closed else TAG_NAMES[table.status])
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
    """Give a post the tag with this name, and no other of `TAG_NAMES`; tags that people have given it stay."""
    post: Any = await client.http.get_channel(channel)
    if post["type"] != discord.ChannelType.public_thread.value or post["thread_metadata"].get("archived"):
        return
    forum: Any = await client.http.get_channel(int(post["parent_id"]))
    ours = tags_of(forum.get("available_tags") or ())
    if not ours:
        return
    applied = [str(tag) for tag in post.get("applied_tags") or ()]
    others = [tag for tag in applied if tag not in ours.values()]
    wanted = [*others[: MOST_TAGS_OF_A_POST - 1], *filter(None, [ours.get(name or "")])]
    if wanted != applied:
        await client.http.edit_channel(channel, applied_tags=wanted)


def tags_of(available: Iterable[Json]) -> dict[str, str]:
    """Ids of the tags that a forum has, by their names in `TAG_NAMES`. They can have been made in another language."""
    names = {language.gettext(name).casefold(): name for language in languages.offered() for name in TAG_NAMES.values()}
    return {names[title]: str(tag["id"]) for tag in available if (title := tag["name"].strip().casefold()) in names}


async def make_tags(client: discord.Client, forum: int) -> list[str]:
    """Add the tags that a forum lacks. Returns the names of those that can't be added. Raises in an outage."""
    data: Any = await client.http.get_channel(forum)
    tags = list(data.get("available_tags") or ())
    missing = [name for name in dict.fromkeys(TAG_NAMES.values()) if name not in tags_of(tags)]
    if not missing:
        return []
    try:
        if len(tags) + len(missing) <= MOST_TAGS:
            await client.http.edit_channel(forum, available_tags=[*tags, *({"name": _(name)} for name in missing)])
            return []
    except discord.HTTPException as error:
        if channels.is_outage(error):
            raise
        log.info("A forum's tags can't be made: %s", error)
    return [_(name) for name in missing]


LIST_SOON, LIST_EDITS_APART, ALL_LISTS_APART = 3.0, 60.0, 600.0
"""Seconds from a change until it is shown, between two edits of a list, and between two checks of all lists."""
LIST_KEPT_OUT = (channels.NO_ACCESS, channels.FORBIDDEN, channels.ARCHIVED)
"""Codes of a list that can't be shown until someone changes a permission, or unlocks its thread."""


def list_layout(games: list[ListedGame]) -> ui.LayoutView:
    """The list as a message."""
    view = layout()
    box: ui.Container[Any] = ui.Container(accent_colour=ACCENT)
    box.add_item(ui.TextDisplay(servers.list_title()))
    tables, running = servers.list_lines(games)
    for table in controls(tables, 0, ""):
        box.add_item(table)
    if running:
        box.add_item(ui.TextDisplay("\n".join(running)))
    box.add_item(ui.TextDisplay(servers.list_end()))
    view.add_item(box)
    return view


def _is_list(message: discord.Message) -> bool:
    """Whether a message of Harbormaster's is a list of games, in any language, with or without its buttons."""
    titles = []
    for language in languages.offered():
        with speaking(language):
            titles.append(servers.list_title())
    shown = ui.LayoutView.from_message(message).walk_children() if message.flags.components_v2 else ()
    return any(isinstance(part, ui.TextDisplay) and part.content.startswith((*titles,)) for part in shown)


class Overviews:
    """Keeps the lists of all servers up to date."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._servers = display.services.servers
        display.services.repository.subscribe(self._changed)
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._again: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._without: TTLCache[int, bool] = recent(LIST_EDITS_APART)
        """Servers that were just found to have no list."""
        self._locales: TTLCache[int, str | None] = recent(3600.0)
        """What communities have chosen as their locale."""
        self._doubted = set[int]()
        """Servers where more than games might have changed: their lists are made again, at once if no game changed."""
        self._closed = False

    def start(self) -> None:
        """Check all lists, now and from time to time."""
        if not self._closed:
            self._run(self._look_at_all())

    async def close(self) -> None:
        """Start no more checks, and cancel those under way."""
        self._closed = True
        for timer in filter(None, (*self._timers.values(), self._again)):
            timer.cancel()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def recheck(self, guilds: Collection[int]) -> None:
        """Check the lists of servers whose channels or roles have changed, so that some games might be private now, or
        the language of their tables."""
        for guild in {*guilds} & {*await self._servers.overviews()} if guilds else ():
            self._doubted.add(guild)
            self._look_in(LIST_SOON, guild)

    def _changed(self, table: Table) -> None:
        """Have the list of a changed table's server checked soon."""
        if table.guild is not None:
            self._look_in(LIST_SOON, table.guild)

    def _look_in(self, seconds: float, guild: int) -> None:
        if self._closed or guild in self._timers or self._without.get(guild):
            return

        def begin() -> None:
            del self._timers[guild]
            self._run(self._look(guild))

        self._timers[guild] = asyncio.get_running_loop().call_later(seconds, begin)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look_at_all(self) -> None:
        try:
            for guild in await self._servers.overviews():
                await self._look(guild)
        except Exception as error:
            expected = isinstance(error, Unavailable)
            log.warning("The lists of games could not be updated: %s", error, exc_info=None if expected else error)
        self._again = asyncio.get_running_loop().call_later(ALL_LISTS_APART, self.start)

    async def _look(self, guild: int) -> None:
        """Bring a server's list up to date, unless it already is or another process does it."""
        try:
            wait = await self._brought_up_to_date(guild)
        except Exception as error:
            self._doubted.add(guild)
            expected = isinstance(error, (*channels.FAILED, Unavailable))
            log.warning(
                "A server's list of games could not be shown: %s",
                str(error) or type(error).__name__,
                exc_info=None if expected else error,
            )
            wait = LIST_EDITS_APART if isinstance(error, Unavailable) or channels.is_outage(error) else None
        if wait is not None:
            self._look_in(wait, guild)

    async def _brought_up_to_date(self, guild: int) -> float | None:
        """Bring the list up to date. Returns the seconds until it must be checked again; None: all is shown."""
        services = self._display.services
        before, tables, now = await self._servers.overview(guild), await self._servers.open_in(guild), services.now()
        if before is None:
            self._without[guild] = True
            return None
        if not before.shows.startswith(_versions(tables)):
            if (wait := before.edited + LIST_EDITS_APART - now) > 0:
                return wait
        elif guild not in self._doubted:
            return None
        self._doubted.discard(guild)
        doubtful = before.perhaps_in
        channel = doubtful[-1] if doubtful else before.channel
        view, shows = await self._made(guild, channel, tables)
        if shows.split()[1:] == before.shows.split()[1:]:  # an edit would reveal that something has happened
            await self._servers.set_overview(guild, before, replace(before, shows=shows))
            return None
        begun = replace(before, edited=now)
        if not await self._servers.set_overview(guild, before, begun):
            return LIST_EDITS_APART  # another process does it, perhaps without the latest change
        try:
            if not doubtful and await self._edit(begun, view):
                await self._servers.set_overview(guild, begun, replace(begun, shows=shows))
            else:
                await self._post(guild, begun, channel, view, shows)
        except discord.HTTPException as error:
            if error.code not in (*channels.GONE, *LIST_KEPT_OUT):
                raise
            after = None
            if begun.message and channel != begun.channel:  # the earlier list stays, as the new one can't be posted
                after = replace(begun, shows="", perhaps_in=())
            elif begun.message and error.code in LIST_KEPT_OUT and not await was_removed(self._display.client, guild):
                after = replace(begun, shows="")  # it is tried again with the next look
            log.info("A server's list of games is %s: %s", "behind" if after else "no longer kept", error)
            await self._servers.set_overview(guild, begun, after)
        return None

    async def _replace(self, guild: int, before: Overview, after: Overview) -> None:
        """Store a list that was just posted in place of another, which is deleted. Only one of the two stays, even if
        this is interrupted: the new one is deleted if what is stored has been changed meanwhile."""
        kept = False
        try:
            kept = await self._servers.set_overview(guild, before, after)
        finally:
            await self._delete(before if kept else after)

    async def _delete(self, overview: Overview, searched: Iterable[int] = ()) -> None:
        """Delete a list that is no longer kept, and those in channels that are searched. If that fails, a list loses
        its buttons when someone presses one."""
        try:
            if overview.message:
                await channels.delete(self._display.client, overview.channel, overview.message)
            for channel in searched:
                await self._delete_unknown(channel)
        except channels.FAILED as error:
            log.info("A server's old list of games stays: %s", error)

    async def _delete_unknown(self, channel: int, known: int = 0) -> None:
        """Delete lists among a channel's latest messages, except one that is known. Raises in an outage."""
        client = self._display.client
        with channels.if_allowed():
            async for message in channels.channel_of(client, channel).history():
                if message.id != known and message.author == client.user and _is_list(message):
                    await channels.delete(client, channel, message.id)
                    log.info("A list of games that was posted but not noted was deleted")

    async def _edit(self, overview: Overview, view: ui.LayoutView) -> bool:
        """Edit the message. False if Discord takes no more edits of it. Raises Discord's other errors."""
        client = self._display.client
        message = channels.channel_of(client, overview.channel).get_partial_message(overview.message)
        try:
            await channels.awake(
                client, overview.channel, lambda: message.edit(view=view, allowed_mentions=channels.SILENT)
            )
        except discord.HTTPException as error:
            if error.code != channels.OLD:
                raise
            return False
        return True

    async def _post(self, guild: int, before: Overview | None, channel: int, view: ui.LayoutView, shows: str) -> bool:
        """Post a list, which notifies no one, in place of another. False if what is stored isn't `before` anymore.

        That it is being posted is stored first, with the channel. If the answer is lost, the next try finds the message
        and deletes it. The nonce is for discord.py, which sends a request again by itself.
        """
        doubtful = () if before is None else before.perhaps_in
        begun = (before or Overview(channel, 0, 0.0)).posting(channel, self._display.services.now())
        if not await self._servers.set_overview(guild, before, begun):
            return False
        try:
            for place in doubtful:
                await self._delete_unknown(place, begun.message)
            message = await channels.channel_of(self._display.client, channel).send(
                view=view,
                silent=True,
                allowed_mentions=channels.SILENT,
                nonce=channels.nonce_of(self._display.client, f"list:{guild}:{channel}:{begun.edited}"),
            )
        except channels.FAILED as error:
            if channels.is_refusal(error):
                await self._servers.set_overview(guild, begun, before)
            raise
        await self._replace(guild, begun, Overview(channel, message.id, begun.edited, shows))
        return True

    async def begin(self, guild: int, channel: int) -> None:
        """Post a server's list in a channel, in place of its earlier list. In an outage it is tried again later."""
        self._without.pop(guild, None)
        posted = False
        try:
            while not posted:  # until no other process changes the list meanwhile
                before, tables = await self._servers.overview(guild), await self._servers.open_in(guild)
                posted = await self._post(guild, before, channel, *await self._made(guild, channel, tables))
        except channels.FAILED:
            self._look_in(LIST_EDITS_APART, guild)
            raise

    async def end(self, guild: int) -> bool:
        """Remove a server's list. Returns whether there was one."""
        while (before := await self._servers.overview(guild)) is not None:
            if await self._servers.set_overview(guild, before, None):
                await self._delete(before, before.perhaps_in)
                return True
        return False

    async def _made(self, guild: int, channel: int, tables: Mapping[int, int]) -> tuple[ui.LayoutView, str]:
        """The message about these tables (versions by number) in a channel, and the `Overview.shows` that goes with it.
        Games that not all readers of that channel can see are left out."""
        readable = await self._display.services.repository.readable(tables)
        listed = [await self._listed(table) for table in readable]
        places, readers = {one.table.channel for one in listed}, Readers(self._display.client, guild)
        seen = await readers.see_all(channel, places) if places else set()
        with speaking(await self._language(guild, readers)):
            view = list_layout([one for one in listed if one.table.channel in seen])
        components = view.to_components()  # type: ignore[no-untyped-call]
        return view, f"{_versions(tables)} {_digest(components)}"

    async def _language(self, guild: int, readers: Readers) -> Language:
        """That in which new tables begin, else that of a community."""
        chosen = (await self._servers.settings(guild)).begins.options.language
        if chosen == AUTO and guild not in self._locales:
            with channels.if_allowed():  # a server that has removed Harbormaster
                self._locales[guild] = await readers.community_locale()
        return languages.resolve(chosen, self._locales.get(guild))

    async def _listed(self, table: Table) -> ListedGame:
        public = None
        if table.status != LOBBY:
            try:
                public = Viewer.of(table, await self._display.services.repository.game(table.number), None)
            except RefereeError as error:
                log.info("Game %d is listed without its state: %s", table.number, error)
        return ListedGame(table, public)


def _versions(tables: Mapping[int, int]) -> str:
    return _digest(sorted(tables.items()))


def _digest(what: object) -> str:
    return f"{zlib.crc32(repr(what).encode()):08x}"
