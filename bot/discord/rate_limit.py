"""This process's share of the 50 requests a second that Discord grants an application, for all its processes."""

from __future__ import annotations

import asyncio
from collections import deque
from types import SimpleNamespace
from typing import Any

import aiohttp
import yarl

WINDOW = 1.0
"""Seconds over which Discord counts."""
LONGEST = 10.0
"""Most seconds that a request is held back: it must still have time for an answer (`channels.TIMEOUT`)."""


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
    """Holds requests back, in order, so that never more than this process's share is sent in any second."""

    def __init__(self, budget: int) -> None:
        """`budget`: requests a second of all processes together."""
        self._budget = self._share = budget
        self._times: deque[float] = deque(maxlen=budget)

    def divide(self, processes: int) -> None:
        """Set the number of processes, which all have the same share."""
        self._share = max(self._budget // processes, 1)

    async def hold(self, session: Any, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams) -> None:
        """Hold a request back; for `on_request_start` of the client's trace, which comes right before each try.

        Raises `TimeoutError` as `wait` does.
        """
        if is_counted(params.url):
            await asyncio.sleep(self.wait(asyncio.get_running_loop().time()))

    def wait(self, now: float) -> float:
        """Take the next place. Returns the seconds until it comes. Times are seconds of any clock.

        Raises `TimeoutError` if that is too long: then no place is taken, the request isn't sent, and the caller tries
        again later, as after an outage.
        """
        at = max(now, self._times[-1] if self._times else now)
        if len(self._times) >= self._share:
            at = max(at, self._times[-self._share] + WINDOW)
        if at - now > LONGEST:
            raise TimeoutError("too many requests are waiting")
        self._times.append(at)
        return at - now
