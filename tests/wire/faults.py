"""Bad weather for chosen requests: rate limits, server errors, slow answers, cut connections, whole outages."""

from __future__ import annotations

import json
import math
import re
import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.wire.calls import Request
from tests.wire.model import Json, Refused

KNOWN = {
    10003: (404, "Unknown Channel"),
    10008: (404, "Unknown Message"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    30046: (429, "Maximum number of edits to messages older than 1 hour reached. Try again later."),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50027: (401, "Invalid Webhook Token"),
}
"""Status and text of Discord's codes; 30046 comes again and again, and discord.py waits and tries five times."""


@dataclass
class Fault:
    """What happens to the next `times` requests whose "METHOD /path" (below /api/v10) matches `where`.

    `status` 0 answers as usual (for delays), unless there is a `code`, which brings its own. With `effect` the
    request is carried out although its answer is an error or lost. `retry_after` (seconds) belongs to 429;
    `everywhere` makes that the global limit. A request whose sender goes away during `delay` is lost.
    """

    where: str  # regular expression, searched
    status: int = 0
    times: int = 1
    about: str = ""  # regular expression, searched in the request's JSON
    skip: int = 0  # requests that fit and are let through before the first one that is spoilt
    seconds: float = math.inf  # how long it lasts
    effect: bool = False
    cut: bool = False  # close the connection without an answer
    delay: float = 0.0  # seconds before it's carried out; a long one is a request that hangs
    reply_delay: float = 0.0  # seconds between that and the answer
    code: int = 0
    message: str = ""
    retry_after: float = 0.05
    everywhere: bool = False
    hits: int = 0

    def __post_init__(self) -> None:
        self._began = time.perf_counter()
        status, message = KNOWN.get(self.code, (self.status, "Injected"))
        self.status, self.message = self.status or status, self.message or message

    def takes(self, call: Request) -> bool:
        """It's for this request, and not used up; it counts then."""
        if self.hits >= self.times or time.perf_counter() - self._began > self.seconds:
            return False
        if not re.search(self.where, f"{call.method} {call.path}"):
            return False
        if self.about and not re.search(self.about, json.dumps(call.json, ensure_ascii=False)):
            return False
        if self.skip:
            self.skip -= 1
            return False
        self.hits += 1
        return True

    def struck(self, times: int) -> Callable[[], bool]:
        """Whether it has hit so often, to be waited for."""
        return lambda: self.hits >= times

    def answer(self) -> tuple[Json, dict[str, str]]:
        """Body and headers of its error. Without `Via` discord.py takes a 429 for a ban."""
        if self.status != 429:
            return Refused(self.status, self.code, self.message).json(), {}
        text = self.message if self.code else "You are being rate limited."
        body = {"message": text, "retry_after": self.retry_after}
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


@dataclass
class GlobalLimit:
    """Discord's limit on all requests of a bot together: `limit` in each second, whatever they are for.

    Off unless `WireServer.global_limit` is set. `exceeded` counts the 429s that the bot ran into.
    """

    limit: int = 50
    exceeded: int = 0
    _spent: deque[float] = field(default_factory=deque)

    @staticmethod
    def counts(path: str) -> bool:
        """Whether a request counts: what answers an interaction doesn't."""
        return not path.startswith(("/interactions/", "/webhooks/"))

    def spend(self, path: str) -> float:
        """The seconds to wait when this request is one too many (else 0)."""
        if not self.counts(path):
            return 0.0
        spent, now = self._spent, time.monotonic()
        while spent and now - spent[0] >= 1.0:
            spent.popleft()
        if len(spent) < self.limit:
            spent.append(now)
            return 0.0
        self.exceeded += 1
        return spent[0] + 1.0 - now
