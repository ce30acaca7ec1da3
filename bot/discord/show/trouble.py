"""What keeps games from being shown. In an outage, when Discord takes nothing, no one's time is over. Where
Harbormaster can't work in a channel, one person at the table is told why, once, and what they can do."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import discord

from bot.discord.limits import HeldBack
from bot.discord.show import channels, permissions, private
from bot.discord.show.channels import is_refusal, reason_given
from bot.discord.show.display import Display
from bot.discord.show.messages import plain
from bot.discord.show.permissions import Blocked
from bot.discord.show.round import PERSONAL
from bot.discord.show.wanted import Content
from bot.projections import GONE, LEFT, REFUSED, TROUBLE, Kind, Move, Projections, State, moved, of_kind
from bot.service.reach import LONG_OUTAGE, Reach
from bot.table.acts.places import CloseUnused
from bot.table.options import DAY
from bot.table.table import ARCHIVED, CANCELLED, LOBBY, RUNNING, Table
from bot.table.time import run
from bot.tasks import Locks, Shielded
from bot.words.language import _, speaking
from bot.words.marks import listing
from bot.words.refusals import refusal_sentence

log = logging.getLogger(__name__)

Lane = tuple[int, str]
"""A table's number, and the name of one of its two lanes."""
TABLE, HANDS = "table", "hands"
"""Names of the lanes: what all see, and what one person sees."""


class Outage:
    """What this process knows about an outage from trying to show and to answer things.

    The store is told during the outage, in case the process ends, and when it is over.
    """

    def __init__(self, reach: Reach, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._reach, self._now = reach, now
        self._since: float | None = None
        """Since when everything that was tried has failed, in any game; None: there is no outage."""
        self._behind: dict[Lane, float] = {}
        """Since when an outage has kept each of these lanes from being shown."""

    @property
    def lasts(self) -> bool:
        """Whether everything that was tried lately has failed."""
        return self._since is not None

    def behind(self, number: int) -> float:
        """Seconds for which an outage has kept something of a game from being shown."""
        return max((self._lasted(at) for lane, at in self._behind.items() if lane[0] == number), default=0.0)

    async def failed(self, error: BaseException, since: float, lane: Lane | None = None) -> None:
        """Note that an outage made a try fail that began at `since`; `lane`: the lane that it was to show, if any. What
        this process has held back itself is no outage, and ends none."""
        if isinstance(error, HeldBack):
            return
        if self._since is None:
            self._since = since
        if lane is not None:
            self._behind.setdefault(lane, since)
        await self._note(lane)

    async def over(self, lane: Lane | None = None) -> None:
        """Note that Discord has taken something; `lane`: the lane that was shown, if any.

        A shown lane of hands proves nothing by itself: there might have been no hand to show.
        """
        await self._note(lane)
        if lane is None or lane[1] == TABLE or lane in self._behind:
            self._since = None
        if lane is not None:
            self._behind.pop(lane, None)

    async def _note(self, lane: Lane | None) -> None:
        if self._since is not None and self._lasted(self._since) >= LONG_OUTAGE:
            await self._reach.lost_all()  # other games might have had nothing to show
        elif lane in self._behind and self._lasted(self._behind[lane]) >= LONG_OUTAGE:
            await self._reach.lost(lane[0])

    def _lasted(self, since: float) -> float:
        return abs(self._now() - since)  # also if the clock was set back, which is then taken for a long outage


CHANNEL_REFUSED = (channels.NO_CHANNEL, channels.NO_ACCESS, channels.FORBIDDEN)
TROUBLE_AGAIN_AFTER = 1.0
"""Seconds until a trouble is looked at again whose message is being sent, or that should be over by now."""
STILL_TRIED = DAY
"""Seconds since the last change of a table that isn't open, or since the end of Harbormaster's timeout, for which it is
tried to show what Discord refuses."""


class ThreadClosed(Exception):
    """Someone wants a game's thread closed."""


def is_trouble(error: Exception) -> bool:
    """Whether an error keeps a game from being shown until someone does something about it."""
    return isinstance(error, Blocked) or (is_refusal(error) and _code(error) != channels.NO_MESSAGE)


class Troubles:
    """What keeps games from being shown, as far as this process knows, and who has been told."""

    def __init__(self, display: Display, refresh: Callable[[int], None] = lambda number: None) -> None:
        """`refresh` has a game shown."""
        self._display, self._refresh = display, refresh
        self._found: dict[int, Exception] = {}
        """Why what all see of a game can't be shown. A hand that can't be sent keeps no one from playing."""
        self._warned: dict[int, set[int]] = {}
        """Users who were told when they did something, by game."""
        self._timeouts: dict[int, float] = {}
        """When the latest timeout that kept a game from being shown ends, in seconds since the epoch."""
        self._tasks = Shielded()
        self._locks = Locks()
        """By game; locked while someone is being told, or their message is being deleted."""

    def found(self, number: int, error: Exception) -> None:
        """Note that a game can't be shown, and tell one person, unless one has been told."""
        self._found[number] = error.with_traceback(None)  # its frames hold pictures
        self._tasks.start(self._tell(number, error))

    @property
    def count(self) -> int:
        """Number of games with an error."""
        return len(self._found)

    def rests(self, number: int) -> None:
        """Tell one person that a game rests because its thread was closed, unless one has been told."""
        self._tasks.start(self._tell(number, ThreadClosed(), rests=True))

    def over(self, number: int) -> None:
        """Note that a game was shown, or that no one tries anymore."""
        if self._found.pop(number, None):
            self._warned.pop(number, None)
            self._timeouts.pop(number, None)

    async def lift(self, number: int, projections: Projections) -> float | None:
        """Delete the message about a game that can be shown again, so that the next trouble is told, too.

        Returns the seconds until the next try while that message is being sent, which mustn't hold up the panel.
        """
        store = self._display.services.projections
        if barred := of_kind(projections, Kind.BARRED):
            await store.note(number, gone=[one.name for one in barred])
        lock = self._locks(number)
        if lock.locked():
            return TROUBLE_AGAIN_AFTER
        if TROUBLE not in projections and number not in self._found:
            return None
        async with lock:
            projection = (await store.visible(number)).get(TROUBLE)  # `projections` can be from before it was sent
            if projection is not None:
                if (place := projection.posted) is not None:
                    await channels.delete_if_allowed(self._display.client, place.channel, place.message)
                await store.note(number, gone=[TROUBLE])
        return None

    def told(self, number: int, user: int) -> str:
        """What keeps a game from being shown, for a user who acts in it; empty: nothing does, or the user was told."""
        error = self._found.get(number)
        warned = self._warned.setdefault(number, set()) if error else set()
        if error is None or user in warned:
            return ""
        warned.add(user)
        return reason(error)

    async def finished(self) -> None:
        """Wait until no one is being told."""
        await self._tasks.finished()

    async def _tell(self, number: int, error: Exception, *, rests: bool = False) -> None:
        try:
            async with self._locks(number):
                table = await self._display.services.repository.table(number)
                why = await reason_of(self._display, table, error)
                if why is None:
                    self.over(number)
                elif rests or number in self._found:  # else it was shown meanwhile
                    await self._found_why(table, why)
        except Exception as failed:
            log.warning(
                "Game %d: no one could be told that it is stuck: %s", number, str(failed) or type(failed).__name__
            )

    async def _found_why(self, table: Table, why: Exception) -> None:
        """Tell one person at an open table; try again when a timeout ends; or try no more. A table whose channel is
        gone is closed: a lobby for good, while a game is archived until it is moved."""
        number = table.number
        if number in self._found:
            self._found[number] = why
        if isinstance(why, Blocked) and why.until is not None and self._timeouts.get(number) != why.until.timestamp():
            self._timeouts[number] = why.until.timestamp()  # of its end, Discord says nothing
            wait = (why.until - discord.utils.utcnow()).total_seconds()
            asyncio.get_running_loop().call_later(wait + TROUBLE_AGAIN_AFTER, self._refresh, number)
        gone = _code(why) == channels.NO_CHANNEL
        if table.status == RUNNING or (table.open and not gone):
            await tell(self._display, table, why)
        if table.open and gone:  # no one could end it
            act = CloseUnused(CANCELLED if table.status == LOBBY else ARCHIVED, table.updated)
            table = (await self._display.services.games.act(number, 0, act)).table
        if not table.open and await self._is_hopeless(table, why):
            bar = GONE if gone else REFUSED
            await self._display.services.projections.note(number, [moved(None, bar, Move.COVER, table.version)])
            self.over(number)

    async def _is_hopeless(self, table: Table, why: Exception) -> bool:
        """Whether to try no more to show a table that isn't open: its channel is gone, or Discord has refused it for
        long enough; and the players have their last hands."""
        services, number = self._display.services, table.number
        since = max(table.updated, self._timeouts.get(number, 0.0))
        if _code(why) != channels.NO_CHANNEL and run(since, services.now(), table.downtime) < STILL_TRIED:
            return False
        pending = (one for one in (await services.projections.visible(number)).values() if one.pending)
        return not any(one.name.kind in PERSONAL for one in pending)


async def reason_of(display: Display, table: Table, error: Exception) -> Exception | None:
    """Ask Discord what exactly keeps a game from being shown. None: no one must be told. Harbormaster was removed from
    the server, which is noted; or the channel that is gone is one that the game has left meanwhile, or no answer says
    that it is gone."""
    if table.guild is None or not isinstance(error, discord.HTTPException) or error.code not in CHANNEL_REFUSED:
        return error
    gone = error.code == channels.NO_CHANNEL  # this must be certain, as the table is closed then
    try:
        server = await display.client.fetch_guild(table.guild, with_counts=False)
    except (discord.NotFound, discord.Forbidden):
        await display.services.projections.note(table.number, [moved(None, LEFT, Move.COVER, table.version)])
        return None
    except channels.FAILED:
        return None if gone else error
    try:
        await permissions.refuse_if_blocked(display.client, server, table.channel)
    except Blocked as blocked:
        return blocked
    except (discord.InvalidData, *channels.FAILED) as failed:
        return None if gone and channels.is_outage(failed) else error
    return None if gone else error


async def tell(display: Display, table: Table, error: Exception) -> None:
    """Tell one person at the table who wants direct messages: the host, or else the next one; people for whom a bot
    plays come last. The others are told when they try to act."""
    projections, number = display.services.projections, table.number
    projection = (await projections.visible(number)).get(TROUBLE)
    if projection is not None and projection.state is not State.POSTING:
        return
    if projection is None:  # if the process dies now, it might have been sent
        projection = moved(None, TROUBLE, Move.POST, table.version)
        await projections.note(number, [projection])
    candidates = sorted((m for m in table.members if m.is_person), key=lambda m: (bool(m.level), m.user != table.host))
    for member in candidates:
        settings = await display.services.people.settings(member.user)
        if not private.wants_dms(settings) or await private.wait_for_dm(display, settings) > 0:
            continue
        if table.guild is not None and await permissions.has_left(display.client, table.guild, member.user):
            continue
        try:
            with speaking(settings.language):
                name, content = f"{TROUBLE}:{member.user}", Content(plain(_trouble_text(table, error)))
            place = await private.post_dm(display, member.user, table, name, projection.version, content)
        except discord.HTTPException as refused:
            if not channels.is_unreached(refused):
                raise
        else:
            await projections.note(number, [moved(projection, TROUBLE, Move.SENT, projection.version, place)])
            return
    await projections.note(number, [moved(projection, TROUBLE, Move.COVER, projection.version)])  # no one can be told


def _trouble_text(table: Table, error: Exception) -> str:
    title = _("Game {number} is stuck", number=table.number)
    if _code(error) != channels.NO_CHANNEL:  # else its name would be unreadable
        title = _("Game {number} is stuck in {channel}", number=table.number, channel=f"<#{table.channel}>")
    lines = [f"### {title}", reason(error)]
    if table.status == RUNNING:
        way = _("Nothing is lost. To move it, use `/game move game:{number}` in another channel.", number=table.number)
        lines.append(way)
    return "\n".join(lines)


def _code(error: Exception) -> int:
    return error.code if isinstance(error, discord.HTTPException) else 0


def reason(error: Exception) -> str:
    """What keeps a game from being shown, in a sentence."""
    if isinstance(error, Blocked):
        return refusal_sentence(error)
    if isinstance(error, ThreadClosed):
        return _("Its thread was closed. When someone writes a word there, the game goes on.")
    match _code(error):
        case channels.NO_CHANNEL:
            return _("Its channel was deleted.")
        case channels.ARCHIVED | channels.LOCKED:
            return _("Its thread is locked. Someone who manages threads can unlock it.")
        case channels.FULL:
            return _("Its thread was closed, and this server has no room for another open thread.")
        case channels.FORBIDDEN:
            needed = listing([f"**{_(name)}**" for name in permissions.NEEDED.values()])
            return _("I need these permissions in its channel: {permissions}.", permissions=needed)
        case channels.NO_ACCESS:
            return _("I can't see its channel anymore.")
        case _:
            said = reason_given(error) if isinstance(error, discord.HTTPException) else ""
            return _("Discord refuses what I send there: “{said}”.", said=said)


async def check_trouble(display: Display, table: Table, projections: Projections) -> None:
    """Raise `Blocked` if a game couldn't be shown and Harbormaster still can't post: for edits alone it needs less."""
    if TROUBLE in projections and table.guild is not None:
        server = await display.client.fetch_guild(table.guild, with_counts=False)
        await permissions.refuse_if_blocked(display.client, server, table.channel)
