"""Requests that Discord answers 401, 403 or 429, and the ban by Cloudflare for an address that makes too many of them.

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
    """By address: what was invalid in the last `within` seconds; from `most` on it is banned for `ban_for` seconds."""

    most: int = 10_000
    within: float = 600.0
    ban_for: float = 3600.0
    clock: Callable[[], float] = time.monotonic
    _seen: dict[str, deque[float]] = field(default_factory=lambda: defaultdict(deque))
    _until: dict[str, float] = field(default_factory=dict)

    def note(self, address: str, status: int, headers: Mapping[str, str]) -> None:
        """A request was answered; what a shared resource couldn't take isn't counted."""
        if status in (401, 403) or (status == 429 and headers.get("X-RateLimit-Scope") != "shared"):
            self._seen[address].append(self.clock())
            if self.count(address) >= self.most:
                self.ban(address)

    def count(self, address: str = HERE) -> int:
        """How many there were."""
        seen = self._seen[address]
        while seen and self.clock() - seen[0] >= self.within:
            seen.popleft()
        return len(seen)

    def ban(self, address: str = HERE) -> None:
        """Have Cloudflare answer all that comes from there."""
        self._until[address] = self.clock() + self.ban_for
        self._seen[address].clear()

    def lift(self) -> None:
        """Nobody is banned, and nothing is counted."""
        self._until.clear()
        self._seen.clear()

    def banned(self, address: str = HERE) -> float:
        """The seconds for which it still is."""
        return max(self._until.get(address, -math.inf) - self.clock(), 0.0)


def page(seconds: float) -> web.Response:
    """What Cloudflare answers, which knows nothing of Discord's headers."""
    headers = {"Retry-After": str(math.ceil(seconds))}
    return web.Response(status=429, text=PAGE, content_type="text/html", headers=headers)
