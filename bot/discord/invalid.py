"""Requests that Discord refuses as invalid, counted: from 10,000 in ten minutes on it takes none from this address."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord

from bot.discord.rate_limit import is_counted

log = logging.getLogger(__name__)

WINDOW = 600.0
"""Seconds for which Discord counts (topics/rate-limits, "Invalid Request Limit")."""
MANY = 1000
"""From so many on the bot sends slowly."""
APART = 1.0
"""Seconds between two requests then: in ten minutes they are not another thousand."""
LONGEST = 10.0
"""Seconds that a request waits for its turn; after that it has failed, as in an outage."""
BANNED = 3600.0
"""Seconds for which this address is taken to be banned, where an answer that says so doesn't say for how long."""


class InvalidRequests:
    """Counts them, and holds back what isn't the answer to an interaction. Times are seconds of `time.monotonic`."""

    def __init__(self) -> None:
        self._times: deque[float] = deque()
        self._next = 0.0
        self._banned = 0.0
        self._told = -WINDOW
        self._processes = 1

    def divide(self, processes: int) -> None:
        """From now on so many processes may share the address."""
        self._processes = max(processes, 1)

    @property
    def count(self) -> int:
        """How many there were in the last ten minutes."""
        while self._times and self._times[0] <= time.monotonic() - WINDOW:
            self._times.popleft()
        return len(self._times)

    @property
    def banned(self) -> float:
        """For how many seconds Discord takes nothing from this address; 0: it does."""
        return max(self._banned - time.monotonic(), 0.0)

    @property
    def slow(self) -> bool:
        """Whether requests are held back."""
        return self.count * self._processes >= MANY

    async def hold(self, session: Any, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams) -> None:
        """For `on_request_start` of the client's trace.

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
        """For `on_request_end`."""
        response, now = params.response, time.monotonic()
        if response.status == 429 and "Via" not in response.headers and response.content_type != "application/json":
            self._banned = now + _seconds(response.headers.get("Retry-After", ""), BANNED)
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


def _seconds(text: str, otherwise: float) -> float:
    try:
        return max(float(text), 0.0)
    except ValueError:
        return otherwise
