"""What all features share: the services, publishing, and the interactions being answered. Also the first direct message
to people who asked for some: immediately, or when their turn comes. The store knows who waits, so a promise outlives
the process that gave it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import ceil

import discord
from cachetools import TTLCache

from bot.discord.coach import Coach
from bot.discord.hints import Adviser, Reviews
from bot.discord.in_flight import EphemeralMessages, FairTurns, InFlight
from bot.discord.interaction import now, recent
from bot.discord.languages import Languages
from bot.discord.show import channels, private
from bot.discord.show.display import Display, Films
from bot.discord.show.pictures import Pictures
from bot.discord.show.publisher import Publisher
from bot.discord.show.readers import all_see, is_open_to_all
from bot.discord.show.servers import Overviews
from bot.discord.show.subscriptions import readers_of
from bot.screens import people as texts
from bot.screens.controls import Values
from bot.screens.drafts import Draft
from bot.screens.people import Policy
from bot.service import Services
from bot.service.people import STOPPED_FOR
from bot.store import Unavailable
from bot.store.base import CALL_JOB
from bot.table.table import Table
from bot.tasks import Once, Worker

log = logging.getLogger(__name__)

GREET_AGAIN_AFTER = 300.0
"""Seconds after which a first message that an outage kept from being sent is tried again."""
REFUSED_FOR = 60.0
"""Seconds until a person is written to again whom Discord refused: it counts refusals, however often they ask."""


class Greetings:
    """The first direct message to each person who wants some."""

    def __init__(self, display: Display, in_flight: InFlight) -> None:
        self._display, self._in_flight = display, in_flight
        self._timers: dict[int, asyncio.TimerHandle] = {}
        """By user who was promised a message."""
        self._refused: TTLCache[int, float] = recent(REFUSED_FOR)
        """People who could not be written to of late, and when they can be tried again."""
        self._again = set[int]()
        """Those of them who have asked again, and are tried then."""
        display.services.ownership.when_gained(self._gained)

    async def start(self) -> None:
        """Keep what was promised before this process began."""
        services = self._display.services
        if services.ownership.owns(None):
            for user, at in (await services.directs.promised()).items():
                self._set(user, at)

    def close(self) -> None:
        """Stop writing to people. The next process goes on with it."""
        for timer in self._timers.values():
            timer.cancel()

    async def write_to(self, user: int) -> str:
        """Write to a person who has just asked for direct messages, to see whether Discord allows it: immediately, or
        later if others are first, or Discord has just refused it. Returns what to tell them."""
        if at := self._refused.get(user):  # perhaps they have changed what Discord lets through
            await self._display.services.people.change_settings(user, dms_closed=True)
            self._again.add(user)
            self._set(user, at)
            return texts.dm_comes(ceil(at))
        settings = await self._display.services.people.settings(user)
        wait = await private.wait_for_dm(self._display, settings)
        if wait == private.NO_TURN_LEFT:
            return texts.dm_queue_full()
        if wait > 0:
            await self._promise(user, now() + wait)
            return texts.dms_stopped() if settings.stopped else texts.dm_comes(ceil(now() + wait))
        return await self._greet(user)

    async def _promise(self, user: int, at: float) -> None:
        services = self._display.services
        await services.people.change_settings(user, dms_closed=False)  # what closes them from now on ends the promise
        await services.directs.promise(user, at)
        self._set(user, at)

    def _set(self, user: int, at: float) -> None:
        if timer := self._timers.pop(user, None):
            timer.cancel()
        wait = max(at - now(), 0.0)
        self._timers[user] = asyncio.get_running_loop().call_later(wait, self._begin, user)

    def _begin(self, user: int) -> None:
        self._timers.pop(user, None)
        if not self._in_flight.closing:
            self._in_flight.start(self._keep_promise(user))

    def _gained(self) -> None:
        self._in_flight.start(self._start_over())

    async def _start_over(self) -> None:
        try:
            await self.start()
        except Unavailable as error:
            log.warning("Could not look for promised direct messages: %s", error)

    async def _keep_promise(self, user: int) -> None:
        """Write to a person whose turn has come, if they still want it and have got nothing meanwhile."""
        services = self._display.services
        try:
            settings, again = await services.people.settings(user), user in self._again
            self._again.discard(user)
            if again:
                settings = replace(settings, dms_closed=False)
            wanted = private.wants_dms(settings) or await services.subscriptions.by_dm(user)
            if (settings.choices.direct and not again) or settings.dms_closed or not wanted:
                await services.directs.promise(user, None)
            elif (
                wait := await private.wait_for_dm(self._display, settings)
            ) > 0:  # another process had reserved the turn
                await self._promise(user, now() + wait)
            else:
                await self._greet(user)
        except Unavailable as error:
            log.warning("Someone could not be written to yet: %s", error)
            self._set(user, now() + GREET_AGAIN_AFTER)

    async def _greet(self, user: int) -> str:
        """Write to a person. Returns what to tell them about the result."""
        services = self._display.services
        try:
            await private.greet(self._display, user)
        except channels.FAILED as error:
            if getattr(error, "code", 0) in private.TOO_MANY_DMS:
                await self._promise(user, now() + STOPPED_FOR)
                return texts.dms_stopped()
            if channels.is_unreached(error):
                await services.directs.promise(user, None)
                await services.people.change_settings(user, dms_closed=True)
                self._refused[user] = now() + REFUSED_FOR
                return texts.dms_closed()
            log.warning(
                "Someone who asked for direct messages can't get one yet: %s", str(error) or type(error).__name__
            )
            await self._promise(user, now() + GREET_AGAIN_AFTER)
            return texts.dm_later()
        await services.directs.promise(user, None)
        await services.people.change_settings(user, dms_closed=False)
        return texts.dm_sent()


CLOCKS_APART = 1.0
"""Seconds by which the comparison of two times can be wrong: Discord gives its own in whole seconds."""
DRAFT_KEPT = 900.0
"""Seconds for which an offer that is being put together is remembered; its custom ids hold it, too."""
MOST_STORIES, MOST_EXPORTS = 100, 20
"""How many stories and checks are kept, and how many exports."""
EXPORT_KEPT = 60.0
"""Seconds after which a person's data are read again."""
SHOWN = 60.0
"""Seconds for which the same page of the leaderboard isn't shown to everyone again, and a game isn't moved again."""
LEFT_KEPT = 60.0
"""Seconds after which Discord is asked again whether a person has left a server."""
REFUSED_FORM_KEPT = 900.0
"""Seconds for which a refused form can be opened again as it was filled in."""


class AppContext:
    """Harbormaster's parts, put together."""

    def __init__(
        self,
        client: discord.Client,
        services: Services,
        worker: Worker,
        *,
        films: bool = True,
        messages: bool = True,
        policy: Policy | None = None,
        clock: Callable[[], float] = now,
    ) -> None:
        """`worker` draws; `films`: whether games become films for people who ask; `messages`: whether there are direct
        messages; `policy`: what the host has decided about people's data; `clock`: seconds since the epoch by
        Discord's clock."""
        self.messages = messages
        self.policy = policy or Policy()
        self.client = client
        self.clock = clock
        self.began = clock()
        """When this process began, in seconds since the epoch by Discord's clock."""
        self.services = services
        self.metrics = services.metrics
        self.pictures = Pictures(services.metrics, worker)
        self.display = Display(client, services, self.pictures, films, clock)
        self.publisher = Publisher(self.display)
        services.timekeeper.seen_by(self.seen_from)
        services.web.open_by(lambda table: is_open_to_all(client, table.guild, table.channel))
        services.jobs.when(CALL_JOB, self.publisher.call)
        services.subscriptions.shown_by(partial(readers_of, client), self.publisher.refresh)
        self.overviews = Overviews(self.display)
        self.films = Films(self.display)
        self.ephemeral = EphemeralMessages()
        self.in_flight = InFlight()
        self.greetings = Greetings(self.display, self.in_flight)
        self.turns = FairTurns()
        self.languages = Languages(services.people, services.servers)
        self.once = Once(MOST_STORIES)
        """What takes long to tell about a game, until something happens in it that its reader can know."""
        self.exports = Once(MOST_EXPORTS, EXPORT_KEPT, now)
        """What is kept about people, by user: reading it all takes long."""
        self.adviser = Adviser(services.computers)
        self.reviews = Reviews(services.reviews)
        self.coach = Coach(client, services, self.ephemeral, self.pictures, self.publisher.showing)
        self.publisher.subscribe(self.coach.tell)
        self.shown: TTLCache[tuple[int, str], bool] = recent(SHOWN)
        """Pages of the leaderboard that were shown to everyone, by channel and page."""
        self.moved: TTLCache[int, float] = recent(SHOWN)
        """When games were moved to another channel, in seconds since the epoch."""
        self.left: TTLCache[tuple[int, int], bool] = recent(LEFT_KEPT)
        """Whether people have left servers, by server and user, as Discord said."""
        self.refused: TTLCache[tuple[int, int, tuple[str, ...]], tuple[str, Values]] = recent(REFUSED_FORM_KEPT)
        """What was shown (`bot.screens.forms`) and entered in a form that was refused, by user, game and form."""
        self.drafts: TTLCache[tuple[int, int], Draft] = recent(DRAFT_KEPT)
        """Offers that are being put together, by user and message with their lists. A second choice can be made before
        the first is shown; then its custom id doesn't hold the first yet."""

    def age(self, interaction: discord.Interaction) -> float:
        """Seconds since a person's interaction, by Discord's clock."""
        return self.clock() - interaction.created_at.timestamp()

    def had_by_others(self, interaction: discord.Interaction) -> bool:
        """Whether another or an earlier process might have had an interaction before this one."""
        return self.age(interaction) + CLOCKS_APART > self.services.ownership.held_for(interaction.guild_id)

    async def seen_from(self, there: Table, table: Table) -> bool:
        """Whether everyone who reads a game's channel (`there`) can see another game's channel."""
        return await all_see(self.client, there.guild, there.channel, table.channel)

    async def panel_link(self, number: int) -> str | None:
        """The link to the current panel of a game; None if it has none, or without a game (0)."""
        if not number:
            return None
        return await self.display.link(await self.services.repository.table(number))
