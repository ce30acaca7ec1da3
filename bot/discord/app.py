"""Runs Harbormaster against Discord, or against the server that the settings name; and what makes it ready: gateway,
requests and store are right, and what is due gets shown and done."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import discord

import render
from bot import program, tasks
from bot.discord import connecting
from bot.discord.client import Harbormaster
from bot.discord.shard import INTENTS, SHARDS, TOKEN
from bot.monitoring.health import CHECK_EVERY, FINE, STARTING, Check, Checkup, Health, Watch, Writable
from bot.process import UNCLEAN_EXIT, allow_open_files, end_at_once, end_at_the_latest, start_log
from bot.screens.people import Policy
from bot.service.jobs import LATE_AFTER
from bot.service.web import Site
from bot.settings import NotNow, Settings, place_of
from bot.store import Unavailable
from bot.tasks import Shielded, Worker, processes
from bot.web import Website

log = logging.getLogger(__name__)

WARMING_AFTER = 10.0
"""Seconds from the login until boards are drawn in advance: what was due at the start comes first."""
REFUSED = 300.0
"""Seconds until the next login if Discord takes nothing from this address and doesn't say for how long."""
REFUSALS = {
    TOKEN: "Discord refuses the token; copy it again from the developer portal into DISCORD_TOKEN.",
    SHARDS: "Discord wants this bot's servers on more shards: end all processes, set HARBORMASTER_SHARD_COUNT higher "
    "or leave it out, and start them again.",
    INTENTS: "HARBORMASTER_MEMBERS needs the Server Members Intent; switch it on in the developer portal (Bot).",
}
"""What the host can do, by the code with which Discord has closed the connection for good."""
UNKNOWN_SERVER = "Discord takes no connection from this version of Harbormaster (code %d); install the newest one."


def run(settings: Settings) -> int:
    """Stay connected until stopped. Returns the exit status."""
    start_log(settings, settings.log_level)
    allow_open_files()
    connecting.aim(settings)
    render.write_names_in(settings.font)
    try:
        clean = asyncio.run(_serve(settings))
    except discord.LoginFailure:
        log.error("%s", REFUSALS[TOKEN])
        return 2
    except discord.ConnectionClosed as error:
        log.error("%s", REFUSALS.get(error.code, UNKNOWN_SERVER % error.code))
        return 1 if error.code == SHARDS and settings.shard_count is None else 2
    except NotNow as error:
        log.error("%s", error)
        return 1
    except Unavailable as error:
        log.error("%s can't be used right now (%s); start again when it can.", place_of(settings.database), error)
        return 1
    return 0 if clean else UNCLEAN_EXIT


async def _serve(settings: Settings) -> bool:
    """Serve until SIGTERM, Ctrl-C or a state in which only a new start can help. Returns whether all ended well."""
    sys.setswitchinterval(0.001)  # a thread that replays a game gives way to the event loop sooner
    _collect_garbage_less()
    tasks.give_memory_back()
    version = program.code_digest()
    client = Harbormaster(
        settings.database,
        silence=settings.silence,
        requests=None if settings.proxy else settings.requests,
        shards=settings.own_shards,
        of=settings.shard_count,
        worker=Worker(partial(processes, 1, partial(render.write_names_in, settings.font)), version),
        thinker=Worker(partial(processes, 1), version),
        films=settings.films,
        steady=time.monotonic,
        litestream=settings.litestream,
        policy=Policy(settings.privacy, settings.keep_games),
        members=settings.members,
        site=site_of(settings),
    )
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    background = Shielded()
    with contextlib.suppress(NotImplementedError, AttributeError):  # Windows
        loop.add_signal_handler(signal.SIGTERM, stop.set)
        loop.add_signal_handler(signal.SIGINT, stop.set)
        loop.add_signal_handler(signal.SIGUSR1, lambda: background.start(_tell_status(client)))

    def give_up() -> None:
        client.clean = False
        stop.set()

    client.give_up = give_up
    health = health_of(client, give_up)
    website = website_of(settings, client)
    async with Watch(health, client.metrics, end_at_once, settings.http), website:
        await _connected(client, settings, stop, health, website)
    return client.clean


def site_of(settings: Settings) -> Site:
    """What the host has decided about pages for browsers. Of several processes, another one can serve them all."""
    address = settings.pages_address or ""
    elsewhere = bool(address) and not isinstance(settings.database, Path)
    return Site(settings.pages is not None or elsewhere, address)


def website_of(settings: Settings, client: Harbormaster) -> Website:
    """The server of these pages. They are made in a process of their own, so that no board waits for one."""
    worker = Worker(partial(processes, 1), program.code_digest())
    return Website(settings.pages, lambda: client.services, worker, client.metrics)


def _collect_garbage_less() -> None:
    """Collect garbage less often, and leave out what is there from the start: each collection stops the event loop, and
    takes longer the more games are in memory."""
    gc.freeze()
    gc.set_threshold(10_000)


async def _connected(
    client: Harbormaster, settings: Settings, stop: asyncio.Event, health: Health, website: Website
) -> None:
    """Log in, and serve until stopped."""
    serving = asyncio.create_task(_start(client, settings))
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
        health.stop()
        end_at_the_latest()
        await website.close()
        await client.close()
    if not serving.done():
        serving.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await serving


async def _start(client: Harbormaster, settings: Settings) -> None:
    """Log in, and stay connected until the client is closed."""
    await _logged_in(client, settings)
    warming = asyncio.create_task(_warm(client))
    try:
        await client.connect()
    finally:
        warming.cancel()


async def _logged_in(client: Harbormaster, settings: Settings) -> None:
    """Log in, as soon as Discord takes anything from this address: ending and being started again would only add to the
    requests that it refuses. Raises `NotNow` in an outage."""
    token = settings.require_token()
    while True:
        try:
            return await client.login(token)
        except Exception as error:
            if client.logged_in or isinstance(error, discord.LoginFailure):
                raise
            if not isinstance(error, discord.RateLimited) and getattr(error, "status", 0) not in (403, 429):
                raise NotNow(connecting.unreachable(settings, str(error)[:200] or type(error).__name__)) from error
            wait = client.invalid.banned or getattr(error, "retry_after", REFUSED)
            log.error("Discord refuses the login for now (%s); next try in %.0f s.", str(error)[:200], wait)
            client.again = time.perf_counter() + wait
            client.http._HTTPClient__session.detach()  # type: ignore[attr-defined]  # the next login makes another
            await asyncio.sleep(wait)


async def _warm(client: Harbormaster) -> None:
    """Draw a board of each scenario, some time after the login."""
    await asyncio.sleep(WARMING_AFTER)
    await client.app.pictures.warm()


async def _tell_status(client: Harbormaster) -> None:
    log.info("%s", await client.status_line())


UNREADY_AFTER = 100.0
"""Seconds without a word from the gateway after which Harbormaster isn't ready. A heartbeat is answered every 41."""
GIVE_UP_AFTER = 300.0
"""Seconds without a word after which the process gives up, unless Discord takes no connection."""
OVERDUE = 120.0
"""Seconds after which something that is due but not shown counts as stuck."""
COUNT_EVERY = 15.0
"""Seconds between two readings of the store's figures."""


def health_of(client: Harbormaster, give_up: Callable[[], None], *, gateway: bool = True) -> Health:
    """The checks of a client. `give_up` is as for `Health`; a simulated Discord has no `gateway`."""
    checks: dict[str, Check] = {"gateway": GatewayCheck(client).look} if gateway else {}
    checks["requests"] = RequestsCheck(client).look
    checks |= {
        "store": StoreCheck(client).look,
        "projections": ProjectionsCheck(client).look,
        "jobs": JobsCheck(client).look,
    }
    return Health(checks, client.metrics, give_up)


class GatewayCheck:
    """Whether Discord's gateway is connected and sends something, even an answer to a heartbeat."""

    def __init__(self, client: Harbormaster) -> None:
        self._client = client
        self._heard = 0.0
        self._quiet = 0.0

    async def look(self) -> Checkup:
        """Called every `CHECK_EVERY` seconds."""
        heard = self._client.heard
        self._quiet = self._quiet + CHECK_EVERY if heard == self._heard else 0.0
        self._heard = heard
        stuck = (
            time.perf_counter() - self._client.again >= GIVE_UP_AFTER
        )  # else it has failed to connect, and tries again
        hopeless = self._quiet >= GIVE_UP_AFTER and stuck
        if hopeless or self._quiet >= UNREADY_AFTER:
            return Checkup(f"nothing has come from Discord's gateway for {self._quiet:.0f} s", hopeless)
        if self._client.online:
            return FINE
        return Checkup("not connected to Discord's gateway" if self._client.is_ready() else STARTING)


class RequestsCheck:
    """Whether Discord takes requests from this address, and not too many are refused."""

    def __init__(self, client: Harbormaster) -> None:
        self._invalid, self._registration = client.invalid, client.registration

    async def look(self) -> Checkup:
        """Called every `CHECK_EVERY` seconds."""
        if banned := self._invalid.banned:
            return Checkup(f"Discord has banned this address for {banned:.0f} s more")
        if self._invalid.slow:
            return Checkup(f"Discord has refused {self._invalid.count} requests in ten minutes; they are sent slowly")
        return Checkup(self._registration.problem)


class StoreCheck:
    """Whether the store can write, once it is open."""

    def __init__(self, client: Harbormaster) -> None:
        self._client = client
        self._writable: Writable | None = None

    async def look(self) -> Checkup:
        """Called every `CHECK_EVERY` seconds."""
        store = self._client.store
        if store is None:
            return Checkup(STARTING)
        if self._writable is None:
            self._writable = Writable(lambda: store.alive(self._client.app.services.now()))
            self._client.app.services.repository.subscribe(self._writable.stored)
        return await self._writable.look()


class ProjectionsCheck:
    """Whether what is due gets shown; the store's figures about it go into the metrics."""

    def __init__(self, client: Harbormaster) -> None:
        self._client = client
        self._next = 0.0

    async def look(self) -> Checkup:
        """Called every `CHECK_EVERY` seconds."""
        store, metrics = self._client.store, self._client.metrics
        if store is None:
            return Checkup(STARTING)
        late = self._client.app.publisher.delay
        metrics.late.set(late)
        metrics.stuck.set(self._client.app.publisher.stuck)
        self._next -= CHECK_EVERY
        if self._next <= 0:
            try:
                backlog = await store.backlog(self._client.app.services.now())
            except Unavailable as error:
                return Checkup(f"the store can't be read: {error}")
            self._next = COUNT_EVERY
            metrics.due.set(backlog.due)
            metrics.oldest_due.set(backlog.oldest)
            metrics.running.set(backlog.running)
        return Checkup(f"something has not been shown for {late:.0f} s") if late >= OVERDUE else FINE


class JobsCheck:
    """Whether due jobs get done; forgotten ones are done now."""

    def __init__(self, client: Harbormaster) -> None:
        self._client = client

    async def look(self) -> Checkup:
        """Called every `CHECK_EVERY` seconds."""
        if self._client.store is None:
            return Checkup(STARTING)
        jobs = self._client.app.services.jobs
        if (late := jobs.late) < LATE_AFTER:
            return FINE
        jobs.hurry()
        return Checkup(f"what is due has not been begun for {late:.0f} s; {jobs.busy} jobs are under way")
