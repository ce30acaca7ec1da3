"""Requests that Discord answers by 401, 403 or 429, and Cloudflare's ban for an address that makes too many of them.

wire.invalid.most = 20
wire.invalid.count()  # in the last ten minutes
wire.invalid.ban()
"""

from __future__ import annotations

import math
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from aiohttp import web

HERE = "127.0.0.1"
PAGE = "<!doctype html><html><head><title>Access denied</title></head><body>Error 1015: rate limited</body></html>"


@dataclass
class Invalid:
    """Invalid requests of the last `within` seconds, by address; `most` of them ban it for `ban_for` seconds."""

    most: int = 10_000
    within: float = 600.0
    ban_for: float = 3600.0
    clock: Callable[[], float] = time.monotonic
    _seen: dict[str, deque[float]] = field(default_factory=lambda: defaultdict(deque))
    _until: dict[str, float] = field(default_factory=dict)

    def note(self, address: str, status: int, headers: Mapping[str, str]) -> None:
        """Count an answer if it is invalid. A 429 for a shared resource isn't."""
        if status in (401, 403) or (status == 429 and headers.get("X-RateLimit-Scope") != "shared"):
            self._seen[address].append(self.clock())
            if self.count(address) >= self.most:
                self.ban(address)

    def count(self, address: str = HERE) -> int:
        """Number of invalid requests now."""
        seen = self._seen[address]
        while seen and self.clock() - seen[0] >= self.within:
            seen.popleft()
        return len(seen)

    def ban(self, address: str = HERE) -> None:
        """Let Cloudflare answer all requests from this address."""
        self._until[address] = self.clock() + self.ban_for
        self._seen[address].clear()

    def lift(self) -> None:
        """End all bans and forget all counts."""
        self._until.clear()
        self._seen.clear()

    def banned(self, address: str = HERE) -> float:
        """Seconds until the ban ends, 0 without one."""
        return max(self._until.get(address, -math.inf) - self.clock(), 0.0)


def page(seconds: float) -> web.Response:
    """Cloudflare's answer, which has none of Discord's headers."""
    headers = {"Retry-After": str(math.ceil(seconds))}
    return web.Response(status=429, text=PAGE, content_type="text/html", headers=headers)
