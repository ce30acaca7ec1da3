"""The limits on requests to Discord.

Unlike in discord.py 2.7.1, a long window stops nothing as long as requests are left in it, a refused request isn't sent
again too early, no answer waits for the next window, and all requests know a limit on all of them together.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from contextvars import Context
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import yarl
from cachetools import LRUCache
from discord.http import HTTPClient, Ratelimit, Route
from discord.webhook.async_ import async_context

log = logging.getLogger(__name__)

SECOND, TEN_MINUTES = 1.0, 600.0
"""Seconds over which Discord counts all requests, and invalid ones (topics/rate-limits, "Invalid Request Limit")."""
LONGEST_HOLD = 10.0
"""Most seconds that a request is held back: it must still have time for an answer (`channels.TIMEOUT`)."""
LONGEST_WAIT = 30.0
"""Most seconds that a request waits for its window to end; a longer wait is up to the caller
(`discord.RateLimited`)."""
MOST_ANSWERS = 2000
"""Windows of interactions' tokens that are remembered: each token has its own."""
ACKNOWLEDGMENTS = (5, 6)
"""Types of acknowledgments: they don't wait for another first answer that is on its way and takes long."""
MANY_INVALID = 1000
"""From this many invalid requests in ten minutes on, all are sent slowly. At 10,000 Discord takes no more from this
address."""
SLOW_REQUESTS_APART = 1.0
"""Seconds between two requests then, so that ten minutes don't add another thousand."""
BANNED = 3600.0
"""Seconds for which this address counts as banned if the answer that says so doesn't say for how long."""


class HeldBack(TimeoutError):
    """This process has not sent a request, since too many are waiting. The caller tries again later, as after an outage
    of Discord; but it is none."""


def is_counted(url: yarl.URL) -> bool:
    """Whether a request counts: those to interactions and webhooks have their own limits, and so does the gateway."""
    return url.scheme in ("http", "https") and not {"interactions", "webhooks"} & set(url.parts)


def seconds_in(text: str, otherwise: float) -> float:
    """The seconds that a header names."""
    try:
        return max(float(text), 0.0)
    except ValueError:
        return otherwise


class RateLimit:
    """Holds requests back, in order, so that never more than this process's share of the 50 that Discord grants an
    application is sent in any second."""

    def __init__(self, budget: int) -> None:
        """`budget`: requests a second of all processes together."""
        self._budget = self._share = budget
        self._times: deque[float] = deque(maxlen=budget)

    def divide(self, processes: int) -> None:
        """Set the number of processes, which all have the same share."""
        self._share = max(self._budget // processes, 1)

    async def hold(self, session: Any, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams) -> None:
        """Hold a request back; for `on_request_start` of the client's trace, which comes right before each try.

        Raises `HeldBack` as `wait` does.
        """
        if is_counted(params.url):
            await asyncio.sleep(self.wait(asyncio.get_running_loop().time()))

    def wait(self, now: float) -> float:
        """Take the next place. Returns the seconds until it comes. Times are seconds of any clock.

        Raises `HeldBack` if that is too long: then no place is taken.
        """
        at = max(now, self._times[-1] if self._times else now)
        if len(self._times) >= self._share:
            at = max(at, self._times[-self._share] + SECOND)
        if at - now > LONGEST_HOLD:
            raise HeldBack("too many requests are waiting")
        self._times.append(at)
        return at - now


class Everywhere:
    """A limit on all requests together, until it is over."""

    def __init__(self) -> None:
        self._until = 0.0

    @property
    def left(self) -> float:
        """Seconds for which nothing is sent."""
        return max(self._until - time.monotonic(), 0.0)

    def begin(self, seconds: float) -> None:
        """Begin such a limit."""
        self._until = time.monotonic() + seconds


class Window(Ratelimit):
    """The limit of one kind of request in one place, entered while a request is under way. It raises
    `discord.RateLimited`, without a request, if nothing can be sent for more than `LONGEST_WAIT` seconds, here or
    `everywhere`."""

    def __init__(self, everywhere: Everywhere | None = None) -> None:
        super().__init__(LONGEST_WAIT)
        self._everywhere = everywhere or Everywhere()

    def reset(self) -> None:
        """Begin a new window, in which the requests under way already count."""
        self.remaining, self.reset_after = self.limit - self.outgoing, 0.0
        self.expires, self.dirty = None, False

    async def acquire(self) -> None:
        self._last_request = self._loop.time()
        while wait := self._everywhere.left:
            if wait > LONGEST_WAIT:
                raise discord.RateLimited(wait)
            await asyncio.sleep(wait)
        while self.remaining <= 0 or self.is_expired():
            if self.is_expired():
                self.reset()
                continue
            left = None if self.expires is None else self.expires - self._loop.time()
            if left is not None and left > LONGEST_WAIT:
                raise discord.RateLimited(left)
            await self._change(left)
        self.remaining -= 1
        self.outgoing += 1

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.outgoing -= 1
        if isinstance(error, discord.RateLimited):
            self.remaining, self.dirty = 0, True
            self.reset_after = error.retry_after
            self.expires = self._loop.time() + error.retry_after
        elif self.expires is None:  # no answer has named a limit
            self.reset()
        self._wake(len(self._pending_requests))

    async def _change(self, within: float | None) -> None:
        """Wait until something has changed, or the window is over (`within` seconds)."""
        changed: asyncio.Future[None] = self._loop.create_future()
        self._pending_requests.append(changed)
        try:
            await asyncio.wait({changed}, timeout=within if within is None else max(within, 0.001))
        finally:
            changed.cancel()

    def is_inactive(self) -> bool:
        return super().is_inactive() and (self.expires is None or self.is_expired())


class Limits:
    """All limits of a client. Answers to interactions have their own, also for all of them together."""

    def __init__(self) -> None:
        self._bot, self._answers = Everywhere(), Everywhere()

    async def note(self, session: Any, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams) -> None:
        """Note a limit on all requests together; for `on_request_end` of the client's trace."""
        headers = params.response.headers
        if params.response.status == 429 and headers.get("X-RateLimit-Scope") == "global":
            everywhere = self._bot if is_counted(params.url) else self._answers
            everywhere.begin(seconds_in(headers.get("Retry-After", ""), 1.0))

    def keep(self, client: discord.Client) -> None:
        """Have all requests of a client use `Window`, except those by an interaction's token."""
        _use_windows(client.http, self._bot)

    def keep_for_answers(self, client: discord.Client) -> None:
        """Have requests by an interaction's token use `Window`, once the client has logged in.

        discord.py sends them in another way. It waits for each token's limits, however long, and for nothing else.
        """
        http = HTTPClient(client.loop, proxy=client.http.proxy, proxy_auth=client.http.proxy_auth)
        http.max_ratelimit_timeout = LONGEST_WAIT
        http._HTTPClient__session = own = getattr(client.http, "_HTTPClient__session")  # type: ignore[attr-defined]  # noqa: B009
        http._global_over = asyncio.Event()
        http._global_over.set()
        http._buckets = LRUCache(MOST_ANSWERS)  # type: ignore[assignment]
        _use_windows(http, self._answers)

        async def request(route: Route, session: Any, **named: Any) -> Any:
            sent: dict[str, Any] = {"params": named.get("params")}
            if (payload := named.get("payload")) is not None:
                sent["json"] = payload
                if payload.get("type") in ACKNOWLEDGMENTS:
                    route.metadata = "acknowledgment"
            try:
                return await http.request(route, files=named.get("files"), form=named.get("multipart"), **sent)
            except RuntimeError:
                if not own.closed:
                    raise
                raise aiohttp.ClientConnectionError("Harbormaster is stopping") from None

        adapter = Context().run(async_context.get)  # the one that all tasks have
        adapter.request = request  # type: ignore[method-assign]


def _use_windows(http: HTTPClient, everywhere: Everywhere) -> None:
    def window(key: str) -> Ratelimit:
        if (limit := http._buckets.get(key)) is None:
            limit = http._buckets[key] = Window(everywhere)
            if not isinstance(http._buckets, LRUCache):
                http._try_clear_expired_ratelimits()
        return limit

    http.get_ratelimit = window  # type: ignore[method-assign]


class InvalidRequests:
    """Counts invalid requests, and holds requests back, except answers to interactions.

    Times are seconds of `time.monotonic`.
    """

    def __init__(self) -> None:
        self._times: deque[float] = deque()
        self._next = 0.0
        self._banned = 0.0
        self._told = -TEN_MINUTES
        self._processes = 1

    def divide(self, processes: int) -> None:
        """Set how many processes can share the address."""
        self._processes = max(processes, 1)

    @property
    def count(self) -> int:
        """Number of invalid requests in the last ten minutes."""
        while self._times and self._times[0] <= time.monotonic() - TEN_MINUTES:
            self._times.popleft()
        return len(self._times)

    @property
    def banned(self) -> float:
        """Seconds for which Discord takes nothing from this address; 0: it isn't banned."""
        return max(self._banned - time.monotonic(), 0.0)

    @property
    def slow(self) -> bool:
        """Whether requests are held back."""
        return self.count * self._processes >= MANY_INVALID

    async def hold(self, session: Any, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams) -> None:
        """Hold a request back if necessary; for `on_request_start` of the client's trace.

        :raises discord.RateLimited: while the address is banned.
        :raises HeldBack: when too much is waiting.
        """
        if not is_counted(params.url):
            return
        if self.banned:
            raise discord.RateLimited(self.banned)
        if not self.slow:
            return
        now = time.monotonic()
        at = max(now, self._next)
        if at - now > LONGEST_HOLD:
            raise HeldBack("Discord has refused too many requests")
        self._next = at + SLOW_REQUESTS_APART * self._processes
        await asyncio.sleep(at - now)

    async def note(self, session: Any, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams) -> None:
        """Count a request if it is invalid; for `on_request_end` of the client's trace."""
        response, now = params.response, time.monotonic()
        if response.status == 429 and "Via" not in response.headers and response.content_type != "application/json":
            self._banned = now + seconds_in(response.headers.get("Retry-After", ""), BANNED)
            log.critical("Discord has banned this address for %.0f s: too many invalid requests", self.banned)
        shared = response.headers.get("X-RateLimit-Scope") == "shared"
        if response.status in (401, 403) or (response.status == 429 and not shared):
            self._times.append(now)
        if self.slow and now - self._told >= TEN_MINUTES:
            self._told = now
            log.error(
                "Discord has refused %d requests in ten minutes, and bans an address at 10,000: Harbormaster sends one "
                "a second now. The log says what is refused.",
                self.count,
            )
