"""Counts requests that Discord refuses as invalid: after 10,000 in ten minutes it takes none from this address."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord

from bot.discord.rate_limit import is_counted, seconds_in

log = logging.getLogger(__name__)

WINDOW = 600.0
"""Seconds over which Discord counts (topics/rate-limits, "Invalid Request Limit")."""
MANY = 1000
"""From this many on, requests are sent slowly."""
APART = 1.0
"""Seconds between two requests then, so that ten minutes don't add another thousand."""
LONGEST = 10.0
"""Most seconds that a request waits for its turn; if it would wait longer it fails, as in an outage."""
BANNED = 3600.0
"""Seconds for which this address counts as banned if the answer that says so doesn't say for how long."""


class InvalidRequests:
    """Counts invalid requests, and holds requests back, except answers to interactions.

    Times are seconds of `time.monotonic`.
    """

    def __init__(self) -> None:
        self._times: deque[float] = deque()
        self._next = 0.0
        self._banned = 0.0
        self._told = -WINDOW
        self._processes = 1

    def divide(self, processes: int) -> None:
        """Set how many processes can share the address."""
        self._processes = max(processes, 1)

    @property
    def count(self) -> int:
        """Number of invalid requests in the last ten minutes."""
        while self._times and self._times[0] <= time.monotonic() - WINDOW:
            self._times.popleft()
        return len(self._times)

    @property
    def banned(self) -> float:
        """Seconds for which Discord takes nothing from this address; 0: it isn't banned."""
        return max(self._banned - time.monotonic(), 0.0)

    @property
    def slow(self) -> bool:
        """Whether requests are held back."""
        return self.count * self._processes >= MANY

    async def hold(self, session: Any, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams) -> None:
        """Hold a request back if necessary; for `on_request_start` of the client's trace.

        :raises discord.RateLimited: while the address is banned.
        :raises TimeoutError: when too much is waiting.
        """
        if not is_counted(params.url):
            return
        if self.banned:
            raise discord.RateLimited(self.banned)
        if not self.slow:
            return
        now = time.monotonic()
        at = max(now, self._next)
        if at - now > LONGEST:
            raise TimeoutError("Discord has refused too many requests")
        self._next = at + APART * self._processes
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
        if self.slow and now - self._told >= WINDOW:
            self._told = now
            log.error(
                "Discord has refused %d requests in ten minutes, and bans an address at 10,000: Harbormaster sends one "
                "a second now. The log says what is refused.",
                self.count,
            )
