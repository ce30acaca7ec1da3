"""Discord's limits on requests, by the bot's token and by the tokens of interactions.

Unlike in discord.py 2.7.1, a long window stops nothing as long as requests are left in it, a refused request isn't sent
again too early, no answer waits for the next window, and all requests know a limit on all of them together.
"""

from __future__ import annotations

import asyncio
import time
from contextvars import Context
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
from cachetools import LRUCache
from discord.http import HTTPClient, Ratelimit, Route
from discord.webhook.async_ import async_context

from bot.discord.rate_limit import is_counted, seconds_in

LONGEST = 30.0
"""Most seconds that a request waits for its window to end; a longer wait is up to the caller
(`discord.RateLimited`)."""
MOST_ANSWERS = 2000
"""Windows of interactions' tokens that are remembered: each token has its own."""


class Everywhere:
    """A limit on all requests together, by whatever token; in force until it is over."""

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
    `discord.RateLimited`, without a request, if nothing can be sent for more than `LONGEST` seconds, here or
    `everywhere`."""

    def __init__(self, everywhere: Everywhere | None = None) -> None:
        super().__init__(LONGEST)
        self._everywhere = everywhere or Everywhere()

    def reset(self) -> None:
        """Begin a new window, in which the requests under way already count."""
        self.remaining, self.reset_after = self.limit - self.outgoing, 0.0
        self.expires, self.dirty = None, False

    async def acquire(self) -> None:
        self._last_request = self._loop.time()
        while wait := self._everywhere.left:
            if wait > LONGEST:
                raise discord.RateLimited(wait)
            await asyncio.sleep(wait)
        while self.remaining <= 0 or self.is_expired():
            if self.is_expired():
                self.reset()
                continue
            left = None if self.expires is None else self.expires - self._loop.time()
            if left is not None and left > LONGEST:
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
        http.max_ratelimit_timeout = LONGEST
        http._HTTPClient__session = getattr(client.http, "_HTTPClient__session")  # type: ignore[attr-defined]  # noqa: B009
        http._global_over = asyncio.Event()
        http._global_over.set()
        http._buckets = LRUCache(MOST_ANSWERS)  # type: ignore[assignment]
        _use_windows(http, self._answers)

        async def request(route: Route, session: Any, **named: Any) -> Any:
            sent: dict[str, Any] = {"params": named.get("params")}
            if (payload := named.get("payload")) is not None:
                sent["json"] = payload
            return await http.request(route, files=named.get("files"), form=named.get("multipart"), **sent)

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
