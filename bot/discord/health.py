"""What makes Harbormaster ready: gateway, requests and store are right, and what is due gets shown and done."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.discord.client import Harbormaster
from bot.monitoring.health import CHECK_EVERY, FINE, STARTING, Check, Checkup, Health, Writable
from bot.service.jobs import LATE_AFTER
from bot.store import Unavailable

MISSED = 100.0
"""Seconds without a word from the gateway after which Harbormaster isn't ready. A heartbeat is answered every 41."""
SILENT = 300.0
"""Seconds without a word after which the process gives up, unless Discord takes no connection."""
OVERDUE = 120.0
"""Seconds after which something that is due but not shown counts as stuck."""
COUNT = 15.0
"""Seconds between two readings of the store's figures."""


def health_of(client: Harbormaster, give_up: Callable[[], None], *, gateway: bool = True) -> Health:
    """The checks of a client. `give_up` is as for `Health`; a simulated Discord has no `gateway`."""
    checks: dict[str, Check] = {"gateway": Gateway(client).look} if gateway else {}
    checks["requests"] = Requests(client).look
    checks |= {"store": StoreCheck(client).look, "projections": Projections(client).look, "jobs": Due(client).look}
    return Health(checks, client.metrics, give_up)


class Gateway:
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
        stuck = time.perf_counter() - self._client.again >= SILENT  # else it has failed to connect, and tries again
        hopeless = self._quiet >= SILENT and stuck
        if hopeless or self._quiet >= MISSED:
            return Checkup(f"nothing has come from Discord's gateway for {self._quiet:.0f} s", hopeless)
        if self._client.online:
            return FINE
        return Checkup("not connected to Discord's gateway" if self._client.is_ready() else STARTING)


class Requests:
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


class Projections:
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
            self._next = COUNT
            metrics.due.set(backlog.due)
            metrics.oldest_due.set(backlog.oldest)
            metrics.running.set(backlog.running)
        return Checkup(f"something has not been shown for {late:.0f} s") if late >= OVERDUE else FINE


class Due:
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
