"""This process's share of the 50 requests a second that Discord grants a bot."""

from __future__ import annotations

import asyncio
from collections import deque
from types import SimpleNamespace
from typing import Any

import aiohttp
import yarl

WINDOW = 1.0
"""Seconds for which Discord counts."""


def is_counted(url: yarl.URL) -> bool:
    """Whether a request counts: those to interactions and webhooks have limits of their own, and the gateway too."""
    return url.scheme in ("http", "https") and not {"interactions", "webhooks"} & set(url.parts)


class Pace:
    """Holds requests back, in their order, so that never more than a share is sent in any second."""

    def __init__(self, share: int) -> None:
        """`share`: requests a second."""
        self._times: deque[float] = deque(maxlen=share)

    async def hold(self, session: Any, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams) -> None:
        """For `on_request_start` of the client's trace, which is right before each try.

        A request that would have to wait longer than its time limit fails unsent, and is tried again like any other.
        """
        if is_counted(params.url):
            await asyncio.sleep(self.wait(asyncio.get_running_loop().time()))

    def wait(self, now: float) -> float:
        """Take the next place; in how many seconds it comes. Times are seconds of any clock."""
        full = len(self._times) == self._times.maxlen
        at = max(now, self._times[0] + WINDOW) if full else now
        self._times.append(at)
        return at - now
