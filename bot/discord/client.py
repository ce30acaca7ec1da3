"""The Discord client: logs in, registers commands and components, and hands everything that arrives to the front."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from typing import Any, Unpack

import aiohttp
import discord

from bot.discord.connecting import Pulse
from bot.discord.context import AppContext
from bot.discord.features import FEATURES
from bot.discord.interaction import now
from bot.discord.limits import LONGEST_WAIT, InvalidRequests, Limits, RateLimit
from bot.discord.registering import OwnEmoji, Registration
from bot.discord.servers import Servers
from bot.discord.sharding import Connections, ShardedClient
from bot.discord.show import channels
from bot.discord.show.messages import OwnSigns
from bot.discord.talk import dispatch
from bot.discord.talk.door import guard
from bot.discord.talk.feature import Verbs
from bot.discord.talk.translator import CommandTexts
from bot.discord.talk.tree import Tree
from bot.discord.traffic import Traffic
from bot.metrics import Metrics
from bot.screens.people import Policy
from bot.service import Services
from bot.service.web import Site
from bot.settings import NotNow, StoreAddress, place_of
from bot.store import MustEnd, Store, Unavailable, open_store
from bot.tasks import T, Values, Worker

log = logging.getLogger(__name__)

LAST_WORDS, LAST_MESSAGES, LAST_WORK = 3.0, 5.0, 2.0
"""Seconds when the process stops: to answer what is under way, to show what is due, and to end the workers."""


def limit_requests(client: discord.Client) -> None:
    """Have requests without an answer fail after `channels.TIMEOUT` seconds. They count from when all was sent, since
    sending a film takes long on a slow line.

    discord.py makes its session itself, with five minutes. Canceling its requests instead would be wrong: a request
    that is canceled while it waits for the end of the global rate limit holds up all others forever.
    """
    session = getattr(client.http, "_HTTPClient__session", None)
    if isinstance(session, aiohttp.ClientSession):
        session._timeout = aiohttp.ClientTimeout(
            total=channels.LONGEST_REQUEST, sock_connect=channels.TIMEOUT, sock_read=channels.TIMEOUT
        )


class Harbormaster(ShardedClient):
    """Harbormaster on one store. `namespace` names the world that Discord's ids belong to (`Store`)."""

    app: AppContext

    def __init__(
        self,
        database: StoreAddress,
        *,
        namespace: str = "discord",
        entropy: Callable[[int], bytes] = os.urandom,
        sync: bool = False,
        silence: float = 600.0,
        requests: int | None = None,
        shards: Sequence[int] | None = None,
        of: int | None = 1,
        worker: Worker | None = None,
        thinker: Worker | None = None,
        films: bool = True,
        messages: bool = True,
        emoji: bool = True,
        steady: Callable[[], float] | None = None,
        litestream: bool = False,
        policy: Policy | None = None,
        members: bool = False,
        site: Site | None = None,
    ) -> None:
        """`entropy` makes the games' secret seeds. `sync`: register the commands even if they haven't changed.

        `silence`: seconds without any event from Discord after which the log says so. `requests`: how many requests a
        second all processes together can send; None: no limit. `shards` and `of` are as for `ShardedClient`. `worker`
        draws the pictures, `thinker` thinks for bots. `films`: whether games become films for people who ask.
        `messages`: whether people can have direct messages. `emoji`: whether signs are drawn with the program's own
        emoji. `steady` is as for `WallClock`; simulated time has none. `litestream` is as for `open_store`, and so are
        the days of `policy`, which is what the host has decided about people's data. `members`: whether Discord says
        who leaves a server, which takes a privileged intent. `site`: where games are served to browsers.
        """
        metrics = Metrics()
        self._traffic = traffic = Traffic(metrics)
        self._rate_limit = None if requests is None else RateLimit(requests)
        if self._rate_limit is not None:  # first, so that `traffic` counts the wait
            traffic.trace.on_request_start.insert(0, self._rate_limit.hold)
        self.invalid = InvalidRequests()
        traffic.trace.on_request_start.insert(0, self.invalid.hold)
        traffic.trace.on_request_end.append(self.invalid.note)
        self._limits = Limits()
        traffic.trace.on_request_end.append(self._limits.note)
        super().__init__(
            now,
            metrics,
            shards=shards,
            of=of,
            http_trace=traffic.trace,
            intents=discord.Intents(guilds=True, members=members),
            allowed_mentions=channels.SILENT,
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_ratelimit_timeout=LONGEST_WAIT,
            guild_ready_timeout=0.5,  # seconds after the last server until what is due is shown; otherwise two
        )
        self._limits.keep(self)
        traffic.time_waits(self)
        self.tree = Tree(self)
        self._verbs = Verbs(FEATURES)
        guard(self, self.unread, dispatch.apologize)
        self._database, self._namespace, self._entropy, self._sync = database, namespace, entropy, sync
        self._store: Store | None = None
        self._silence = silence
        self._worker, self._thinker = worker or Worker(), thinker or Worker()
        self._films, self._messages = films, messages
        self.signs = OwnSigns()
        self.registration = Registration(self.tree, self.tree.payload, self.signs.know)
        self._emoji = OwnEmoji(self, self.signs, self._worker) if emoji else None
        self._steady = steady
        self._litestream = litestream
        self._policy = policy or Policy()
        self._site = site
        self.logged_in = False
        """Whether Discord has taken the token."""
        self.clean = True
        """Whether everything could be closed properly, and nothing gave up."""
        self.give_up: Callable[[], None] = lambda: None
        """Asks the process to stop, with an exit status after which its supervisor starts it again."""

    async def _think(self, thought: Callable[[Unpack[Values]], T], *values: *Values) -> T:
        """Have a bot think outside of the event loop. If the caller stops waiting, the bot's process is abandoned."""
        try:
            return await self._thinker.run(thought, *values)
        except asyncio.CancelledError:
            if self._store is not None:  # else the client is closing
                log.warning("A bot has thought for too long; it gives up, and its process is replaced.")
            self._thinker.abandon()
            raise

    async def setup_hook(self) -> None:
        """Open the store and register what people can use. Raises `SettingsError` if the database can't be used."""
        self.logged_in = True
        limit_requests(self)
        self._limits.keep_for_answers(self)
        store = await open_store(
            self._database,
            namespace=self._namespace,
            exclusive=True,
            patient=True,
            litestream=self._litestream,
            days=self._policy.days,
        )
        try:
            await store.check()
        except Unavailable:
            await store.close()
            raise
        store.on_must_end(self._must_end)
        self._now = store.time if store.shared else now
        self._store = store
        self.share_through(store)
        services = Services.of(
            store,
            now=self._now,
            entropy=self._entropy,
            metrics=self.metrics,
            think=self._think,
            steady=self._steady,
            site=self._site,
        )
        self.app = AppContext(
            self,
            services,
            self._worker,
            films=self._films,
            messages=self._messages,
            policy=self._policy,
            clock=self._traffic.now,
        )
        self.servers = Servers(self, self.app, store)
        self._connections = Connections(
            self, services, self.app.publisher, store, self._traffic, self.servers.unavailable
        )
        await services.ownership.start(self._changed)
        self.share_games(services.ownership, self.app.publisher.left)
        self.pulse = Pulse(lambda: self.latency, self._silence)
        try:
            await self.app.services.clock.start()
        except Unavailable as error:
            raise NotNow(f"{place_of(self._database)} can't be written: {error}.") from error
        for feature in FEATURES:
            for command in feature.commands:
                self.tree.add_command(command)
        await self.tree.set_translator(CommandTexts())
        await self.registration.start(store, force=self._sync)
        self.app.overviews.start()
        await self.app.greetings.start()
        if self._emoji is not None:
            await self._emoji.start()
        if self._store.shared:  # no matter which shards this process gets, and when
            await self.app.publisher.restore()

    def _changed(self, number: int) -> None:
        """Show and do what is due in a game of ours that another process has changed."""
        self.app.publisher.refresh(number)
        self.app.services.jobs.hurry()

    def _must_end(self, error: MustEnd) -> None:
        if self.clean:
            log.critical("Harbormaster stops, so that its supervisor starts it again: %s", error)
            self.give_up()

    def set_process_count(self, processes: int) -> None:
        self.invalid.divide(processes)
        if self._rate_limit is not None:
            self._rate_limit.divide(processes)

    async def on_ready(self) -> None:
        """Show what was due when the process stopped; with a shared store, that was done before."""
        log.info("connected as %s", self.user)
        if self.app.services.ownership.shared:
            return
        try:
            await self.app.publisher.restore()
        except Unavailable:
            if self._store is not None:  # else the client was just stopped, and the next start shows it
                raise

    async def on_shard_disconnect(self, shard: int) -> None:
        """Note that a shard's clicks no longer arrive."""
        self._connections.cut(shard)

    async def on_shard_connect(self, shard: int) -> None:
        """Note that a shard's clicks arrive again, by a new session."""
        await self._connections.back(shard)

    async def on_shard_resumed(self, shard: int) -> None:
        """Note that a shard's clicks arrive again, and retry what failed meanwhile: it probably succeeds now."""
        await self._connections.back(shard)
        self.app.publisher.recovered()

    async def on_socket_event_type(self, event: str) -> None:
        """Note that Discord has sent an event."""
        self.pulse.beat()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer buttons, selects and forms, also those from before a restart."""
        if interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            try:
                await dispatch.component(self.app, self._verbs, interaction)
            except Exception:
                log.exception("interaction %s failed", interaction.id)
                await dispatch.apologize(interaction)

    @property
    def store(self) -> Store | None:
        """The store while it is open."""
        return self._store

    @property
    def services(self) -> Services | None:
        """The services while the store is open."""
        return None if self._store is None else self.app.services

    async def status_line(self) -> str:
        """Status of the running process for its host, in one line."""
        if not self.online:
            return "Status: not yet connected"
        due = len(await self.app.services.projections.pending())
        return (
            f"Status: the last event from Discord came {self.pulse.age:.0f} s ago; {due} games have something to be "
            f"shown, {self.app.publisher.busy} are being worked on, {self.app.publisher.resting} have hands that wait "
            f"for a pause; {len(self.app.in_flight)} interactions are being answered"
        )

    async def close(self) -> None:
        """Take nothing new, answer what is under way, show what is due, leave Discord, close the store.

        Each step is taken even if another one fails; `clean` then says whether all of them went well.
        """
        if self._store is None:
            await super().close()
            return
        store, self._store = self._store, None
        app = self.app
        app.greetings.close()
        self.registration.close()
        if self._emoji is not None:
            self._emoji.close()
        for name, part, within in (
            ("what was out of reach", self._connections.close(), 1.0),
            ("leaving the shards", self.leave_shards(), 3.0),
            ("answering what is under way", app.in_flight.finished(LAST_WORDS), LAST_WORDS + 0.5),
            ("the lists of games", app.overviews.close(), 1.0),
            ("showing what is due", app.publisher.close(LAST_MESSAGES), LAST_MESSAGES + 0.5),
            ("leaving Discord", super().close(), 2.0),
            ("the clock", app.services.clock.close(), 1.0),
            ("the service", app.services.repository.finished(), 1.0),
            ("the store", store.close(), 3.0),
        ):
            try:
                async with asyncio.timeout(within):
                    await part
            except Exception as error:
                self.clean = False
                log.error("Closing, %s: %s", name, str(error) or type(error).__name__)
        self.pulse.close()
        await asyncio.gather(self._worker.stop(LAST_WORK), self._thinker.stop(LAST_WORK))
