"""Bad weather for chosen requests: rate limits, server errors, slow answers, cut connections."""

from __future__ import annotations

import re
import time
from collections import defaultdict, deque
from dataclasses import dataclass, field

from tests.wire.model import Json, Refused


@dataclass
class Fault:
    """What happens to the next `times` requests whose "METHOD /path" (below /api/v10) matches `where`.

    `status` 0 answers as usual (for delays). With `effect` the request is carried out although its answer is
    an error or lost. `retry_after` (seconds) belongs to 429; `everywhere` makes that the global limit.
    """

    where: str  # regular expression, searched
    status: int = 0
    times: int = 1
    effect: bool = False
    cut: bool = False  # close the connection without an answer
    delay: float = 0.0  # seconds before it's carried out
    reply_delay: float = 0.0  # seconds between that and the answer
    code: int = 0
    message: str = "Injected"
    retry_after: float = 0.05
    everywhere: bool = False
    hits: int = 0

    def matches(self, method: str, path: str) -> bool:
        """It's for this request, and not used up."""
        return self.hits < self.times and re.search(self.where, f"{method} {path}") is not None

    def answer(self) -> tuple[Json, dict[str, str]]:
        """Body and headers of its error. Without `Via` discord.py takes a 429 for a ban."""
        if self.status != 429:
            return Refused(self.status, self.code, self.message).json(), {}
        body = {"message": "You are being rate limited.", "retry_after": self.retry_after}
        scope = "global" if self.everywhere else "user"
        headers = {"Via": "1.1 wire", "Retry-After": str(self.retry_after), "X-RateLimit-Scope": scope}
        return {**body, "global": self.everywhere, "code": self.code}, headers


@dataclass
class RateLimit:
    """Discord's own limit on messages in a channel: `limit` requests of a method in `per` seconds.

    Off unless a test sets `WireServer.rate_limit`. `exceeded` counts the 429s that the bot ran into.
    """

    limit: int = 5
    per: float = 5.0
    exceeded: int = 0
    _spent: dict[str, deque[float]] = field(default_factory=lambda: defaultdict(deque))

    def spend(self, method: str, path: str) -> tuple[dict[str, str], float]:
        """Headers for this request, and the seconds to wait when it's one too many (else 0)."""
        channel = re.match(r"/channels/(\d+)/messages", path)
        if channel is None or method == "GET":
            return {}, 0.0
        bucket = f"{method}-{channel[1]}"
        spent, now = self._spent[bucket], time.monotonic()
        while spent and now - spent[0] >= self.per:
            spent.popleft()
        left = self.limit - len(spent)
        if left:
            spent.append(now)
        wait = spent[0] + self.per - now
        headers = {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(max(0, left - 1)),
            "X-RateLimit-Reset-After": f"{wait:.3f}",
            "X-RateLimit-Reset": f"{time.time() + wait:.3f}",
            "X-RateLimit-Bucket": method,
        }
        self.exceeded += not left
        return headers, 0.0 if left else wait
