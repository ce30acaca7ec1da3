"""This process's share of the 50 requests a second that Discord grants a bot, whose processes divide them."""

from __future__ import annotations

import asyncio
from collections import deque
from types import SimpleNamespace
from typing import Any

import aiohttp
import yarl

WINDOW = 1.0
"""Seconds for which Discord counts."""
LONGEST = 10.0
"""Seconds that a request may be held back: it must still have time for an answer (`channels.TIMEOUT`)."""


def is_counted(url: yarl.URL) -> bool:
    """Whether a request counts: those to interactions and webhooks have limits of their own, and the gateway too."""
    return url.scheme in ("http", "https") and not {"interactions", "webhooks"} & set(url.parts)


class RateLimit:
    """Holds requests back, in their order, so that never more than a share is sent in any second."""

    def __init__(self, budget: int) -> None:
        """`budget`: requests a second of all processes together."""
        self._budget = self._share = budget
        self._times: deque[float] = deque(maxlen=budget)

    def divide(self, processes: int) -> None:
        """From now on there are so many processes, of which each has the same share."""
        self._share = max(self._budget // processes, 1)

    async def hold(self, session: Any, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams) -> None:
        """For `on_request_start` of the client's trace, which is right before each try; raises `TimeoutError`."""
        if is_counted(params.url):
            await asyncio.sleep(self.wait(asyncio.get_running_loop().time()))

    def wait(self, now: float) -> float:
        """Take the next place; in how many seconds it comes. Times are seconds of any clock.

        Raises `TimeoutError` when that is too long: then no place is taken, the request isn't sent, and whoever wanted
        it tries again later, as after an outage.
        """
        at = max(now, self._times[-1] if self._times else now)
        if len(self._times) >= self._share:
            at = max(at, self._times[-self._share] + WINDOW)
        if at - now > LONGEST:
            raise TimeoutError("too many requests are waiting")
        self._times.append(at)
        return at - now
