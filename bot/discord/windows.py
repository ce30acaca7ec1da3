"""Discord's limits on kinds of requests. Unlike in discord.py 2.7.1, a long window stops nothing as long as requests
are left in it, a refused request isn't sent again too early, and no answer waits for the next window."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
from discord.http import Ratelimit

LONGEST = 30.0
"""Most seconds that a request waits for its window to end; a longer wait is up to the caller
(`discord.RateLimited`)."""


class Window(Ratelimit):
    """The limit of one kind of request in one place, entered while a request is under way. It raises
    `discord.RateLimited`, without a request, if nothing is left for more than `LONGEST` seconds."""

    def __init__(self) -> None:
        super().__init__(LONGEST)

    def reset(self) -> None:
        """Begin a new window, in which the requests under way already count."""
        self.remaining, self.reset_after = self.limit - self.outgoing, 0.0
        self.expires, self.dirty = None, False

    async def acquire(self) -> None:
        self._last_request = self._loop.time()
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


def keep_windows(client: discord.Client) -> None:
    """Have all requests of a client use `Window`."""
    http = client.http

    def window(key: str) -> Ratelimit:
        if (limit := http._buckets.get(key)) is None:
            limit = http._buckets[key] = Window()
            http._try_clear_expired_ratelimits()
        return limit

    http.get_ratelimit = window  # type: ignore[method-assign]
